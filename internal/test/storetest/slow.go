package storetest

import (
	"context"
	"database/sql/driver"
	"sync/atomic"
	"time"
)

// Delay makes each statement and transaction of a store take at least a time, which may change:
// use Wrap as the store's [store.Config] Wrap.
type Delay struct{ atomic.Int64 } // a [time.Duration]

// Wrap returns a connector whose connections are delayed.
func (d *Delay) Wrap(c driver.Connector) driver.Connector { return connector{c, d} }

func (d *Delay) wait(ctx context.Context) {
	if d.Load() == 0 {
		return
	}
	select {
	case <-time.After(time.Duration(d.Load())):
	case <-ctx.Done():
	}
}

type connector struct {
	driver.Connector
	delay *Delay
}

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	inner, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{inner.(contextConn), c.delay}, nil
}

// contextConn is what [database/sql] uses of a connection to SQLite.
type contextConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

type conn struct {
	contextConn
	delay *Delay
}

func (c *conn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	c.delay.wait(ctx)
	return c.contextConn.BeginTx(ctx, options)
}

func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c.delay.wait(ctx)
	return c.contextConn.ExecContext(ctx, query, args)
}

func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.delay.wait(ctx)
	return c.contextConn.QueryContext(ctx, query, args)
}
