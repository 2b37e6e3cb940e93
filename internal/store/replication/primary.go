// Package replication finds the primary among PostgreSQL servers that replicate one
// another.
package replication

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrStandby is returned for a server that replicates another server.
var ErrStandby = errors.New("the server is a standby")

var errFormer = errors.New("the server was the primary server before a failover")

// surveyTime is how long [Primary.Survey] waits for a server.
const surveyTime = time.Second

// timelineSQL returns the timeline of a primary server, or 0 for a standby. A promoted
// standby begins a new timeline with a higher number.
const timelineSQL = `SELECT CASE WHEN pg_is_in_recovery() THEN 0
	ELSE ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int END`

// Primary recognizes the primary server among those in a URL. It remembers the newest
// timeline, so that a former primary is not used when it is restarted. The zero value is
// ready to use. All methods may be called from any goroutine.
type Primary struct {
	newest atomic.Int64 // timeline
}

// Known reports whether any server has answered yet.
func (p *Primary) Known() bool { return p.newest.Load() > 0 }

// Check returns an error unless a new connection leads to the primary server. It can be
// used as the ValidateConnect function of a [pgconn.Config].
func (p *Primary) Check(ctx context.Context, c *pgconn.PgConn) error {
	t, err := p.note(ctx, c)
	switch {
	case err != nil:
		return err
	case t == 0:
		return ErrStandby
	}
	return p.Recheck(c)
}

// Recheck returns an error if a connection accepted by Check leads to a server that has
// since been replaced. It does not query the server.
func (p *Primary) Recheck(c *pgconn.PgConn) error {
	if t, _ := c.CustomData()["timeline"].(int64); t < p.newest.Load() {
		return errFormer
	}
	return nil
}

// ResetSession is Recheck for database/sql, which calls it before reusing a connection.
func (p *Primary) ResetSession(_ context.Context, c *pgx.Conn) error {
	if p.Recheck(c.PgConn()) != nil {
		return driver.ErrBadConn
	}
	return nil
}

// note queries a server's timeline and records it.
func (p *Primary) note(ctx context.Context, c *pgconn.PgConn) (timeline int64, err error) {
	results, err := c.Exec(ctx, timelineSQL).ReadAll()
	if err != nil {
		return 0, err
	}
	if timeline, err = strconv.ParseInt(string(results[0].Rows[0][0]), 10, 64); err != nil {
		return 0, err
	}
	c.CustomData()["timeline"] = timeline
	for before := p.newest.Load(); before < timeline && !p.newest.CompareAndSwap(before, timeline); {
		before = p.newest.Load()
	}
	return timeline, nil
}

// Survey queries the timelines of all servers in a URL, so that Check detects a failover
// even if the former primary answers first. It takes at most a second, and returns at
// once if there is only one server.
func (p *Primary) Survey(ctx context.Context, url string) {
	c, err := pgx.ParseConfig(url)
	if err != nil {
		return // connecting will fail with the same error
	}
	ctx, cancel := context.WithTimeout(ctx, surveyTime)
	defer cancel()
	if !SeveralServers(c) {
		return
	}
	var asked sync.WaitGroup
	defer asked.Wait()
	for _, f := range append(c.Fallbacks, &pgconn.FallbackConfig{Host: c.Host, Port: c.Port, TLSConfig: c.TLSConfig}) {
		one := c.Config.Copy()
		one.Host, one.Port, one.TLSConfig, one.Fallbacks, one.ValidateConnect = f.Host, f.Port, f.TLSConfig, nil, nil
		asked.Go(func() {
			conn, err := pgconn.ConnectConfig(ctx, one)
			if err != nil {
				return // another server may answer
			}
			p.note(ctx, conn) // ignore the error: another server may answer
			conn.Close(ctx)
			<-conn.CleanupDone()
		})
	}
}

// SeveralServers reports whether a configuration names more than one server.
func SeveralServers(c *pgx.ConnConfig) bool {
	return slices.ContainsFunc(c.Fallbacks, func(f *pgconn.FallbackConfig) bool { return f.Host != c.Host || f.Port != c.Port })
}
