package tui

import (
	"context"
	sqldriver "database/sql/driver"
	"sync/atomic"
	"time"
)

// storeDelay makes each statement and transaction of a store take at least a time, which may change:
// use Wrap as the store's [store.Config] Wrap.
// The value is a [time.Duration].
type storeDelay struct{ atomic.Int64 }

// Wrap returns a connector whose connections are delayed.
func (d *storeDelay) Wrap(c sqldriver.Connector) sqldriver.Connector { return slowConnector{c, d} }

func (d *storeDelay) wait(ctx context.Context) {
	if d.Load() == 0 {
		return
	}
	select {
	case <-time.After(time.Duration(d.Load())):
	case <-ctx.Done():
	}
}

type slowConnector struct {
	sqldriver.Connector
	by *storeDelay
}

func (c slowConnector) Connect(ctx context.Context) (sqldriver.Conn, error) {
	inner, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &slowConn{inner.(contextConn), c.by}, nil
}

// contextConn is what [database/sql] uses of a connection to SQLite.
type contextConn interface {
	sqldriver.Conn
	sqldriver.ConnBeginTx
	sqldriver.ConnPrepareContext
	sqldriver.ExecerContext
	sqldriver.QueryerContext
	sqldriver.SessionResetter
	sqldriver.Validator
}

type slowConn struct {
	contextConn
	by *storeDelay
}

func (c *slowConn) BeginTx(ctx context.Context, options sqldriver.TxOptions) (sqldriver.Tx, error) {
	c.by.wait(ctx)
	return c.contextConn.BeginTx(ctx, options)
}

func (c *slowConn) ExecContext(ctx context.Context, query string, args []sqldriver.NamedValue) (sqldriver.Result, error) {
	c.by.wait(ctx)
	return c.contextConn.ExecContext(ctx, query, args)
}

func (c *slowConn) QueryContext(ctx context.Context, query string, args []sqldriver.NamedValue) (sqldriver.Rows, error) {
	c.by.wait(ctx)
	return c.contextConn.QueryContext(ctx, query, args)
}
