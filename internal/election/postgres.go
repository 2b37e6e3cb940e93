package election

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Statements on the lock connection. The advisory lock consists of a number for this
// purpose and the world's ID.
const (
	// addWorldSQL adds a new world's row.
	addWorldSQL = `INSERT INTO world (name, id) SELECT $1::text, max(id) + 1 FROM world ON CONFLICT DO NOTHING`
	// readRowSQL reads the row and, if $2 is true, tries the lock. It never waits.
	readRowSQL = `SELECT CASE WHEN $2 THEN pg_try_advisory_lock(7411, id) ELSE false END,
		epoch, token::text, address FROM world WHERE name = $1`
	// raiseEpochSQL starts an epoch and compares the previous epoch's token.
	raiseEpochSQL = `UPDATE world SET epoch = world.epoch + 1, token = gen_random_uuid(), address = $2, since = clock_timestamp()
		FROM (SELECT name, token::text FROM world WHERE name = $1 FOR UPDATE) AS before
		WHERE world.name = before.name RETURNING world.epoch, world.token::text, before.token = $3`
)

// fenceSQL finds the row while the node's epoch lasts. FOR SHARE makes the next active node wait for
// transactions that passed the fence, so that it reads all their changes.
const fenceSQL = `SELECT epoch FROM world WHERE name = $1 AND epoch = $2 AND token = $3::uuid FOR SHARE`

// options let the database notice within about three seconds that a node's computer is gone.
const options = ` -c application_name=broadside -c tcp_keepalives_idle=1 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3` +
	` -c tcp_user_timeout=2000 -c default_transaction_isolation=read\ committed -c idle_session_timeout=%d`

// idleTimeout ends the database session of a stopped or disconnected node, which releases the
// lock.
const idleTimeout = 2 * time.Second

// connectTimeout limits connecting to one host of the DSN.
const connectTimeout = 2 * time.Second

// connectPostgres opens a direct connection to the primary server. workers waits for the connection's
// goroutines, which may outlast it.
func connectPostgres(ctx context.Context, cfg Config, workers *sync.WaitGroup) (*pgx.Conn, error) {
	c, err := pgx.ParseConfig(cfg.DSN)
	if err != nil {
		return nil, err
	}
	c.RuntimeParams["options"] += fmt.Sprintf(options, (idleTimeout * cfg.timeScale).Milliseconds())
	c.ConnectTimeout = connectTimeout
	// A standby of PostgreSQL also grants advisory locks.
	c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	dialer := net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: time.Second, Interval: time.Second, Count: 3}}
	c.DialFunc = dialer.DialContext
	conn, err := pgx.ConnectConfig(ctx, c)
	if err == nil {
		workers.Go(func() { <-conn.PgConn().CleanupDone() })
	}
	return conn, err
}

// closeConn closes a connection that may be broken.
func closeConn(c *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	// This fails for a broken connection, but closes it anyway.
	c.Close(ctx)
}

// worldRow is a world's row.
type worldRow struct {
	epoch  int64
	token  string
	nodeID string
}

// lockConn is a connection that can hold a world's lock until the connection ends. Tests
// replace it.
type lockConn interface {
	// readRow reads the row and, if try is set, reports whether it acquired the lock.
	readRow(ctx context.Context, try bool) (worldRow, bool, error)
	// raiseEpoch starts an epoch and reports whether the previous epoch had the given token,
	// in which case no other node has been active since. The lock must be held.
	raiseEpoch(ctx context.Context, token string) (fence, bool, error)
	// wait waits for d. It returns an error as soon as the connection breaks.
	wait(ctx context.Context, d time.Duration) error
	close()
}

// pgLock implements [lockConn].
type pgLock struct {
	conn *pgx.Conn
	cfg  Config
}

// dialLock opens a connection. workers waits for its goroutines.
type dialLock func(ctx context.Context, cfg Config, workers *sync.WaitGroup) (lockConn, error)

func dialPostgres(ctx context.Context, cfg Config, workers *sync.WaitGroup) (lockConn, error) {
	conn, err := connectPostgres(ctx, cfg, workers)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, addWorldSQL, cfg.World); err != nil {
		closeConn(conn)
		return nil, fmt.Errorf("add world %q: %w", cfg.World, err)
	}
	return &pgLock{conn, cfg}, nil
}

func (l *pgLock) readRow(ctx context.Context, try bool) (r worldRow, got bool, err error) {
	err = l.conn.QueryRow(ctx, readRowSQL, l.cfg.World, try).Scan(&got, &r.epoch, &r.token, &r.nodeID)
	return r, got, err
}

func (l *pgLock) raiseEpoch(ctx context.Context, token string) (f fence, resumed bool, err error) {
	f.world = l.cfg.World
	err = l.conn.QueryRow(ctx, raiseEpochSQL, l.cfg.World, l.cfg.NodeID, token).Scan(&f.epoch, &f.token, &resumed)
	return f, resumed, err
}

func (l *pgLock) wait(ctx context.Context, d time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	if _, err := l.conn.WaitForNotification(ctx); ctx.Err() == nil {
		return err
	}
	return nil
}

func (l *pgLock) close() { closeConn(l.conn) }
