package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"broadside/internal/store/schema"
)

// readers is the maximum number of reading connections to a PostgreSQL server.
const readers = 8

// writeLock is acquired by each writing transaction, so that only one program writes to
// the database at a time, as with SQLite. A program whose transaction is idle for
// stallTime loses the transaction and the lock. The number is arbitrary.
const writeLock = `SELECT pg_advisory_xact_lock(4236177013)`

// serverLock is held by the writing connection of an exclusive store. The active node of
// a cluster holds the same lock.
const serverLock = `SELECT pg_try_advisory_lock(7411, id) FROM world WHERE name = 'main'`

// serverEpoch begins an epoch, so that a formerly active node of a cluster can neither
// write nor resume. If $1 is set, it changes nothing if another epoch has begun since the
// one with the token $2.
const serverEpoch = `UPDATE world SET epoch = epoch + 1, token = $2, address = '', since = clock_timestamp()
	WHERE name = 'main' AND (NOT $1 OR token = $2)`

// acquireServer returns a function that makes this store the only exclusive one. It is
// called for each new writing connection, one at a time.
func acquireServer() func(context.Context, *pgx.Conn) error {
	token := ""
	return func(ctx context.Context, conn *pgx.Conn) error {
		var ok bool
		if err := conn.QueryRow(ctx, serverLock).Scan(&ok); err != nil || !ok {
			return cmp.Or(err, ErrInUse)
		}
		again := token != ""
		if !again {
			var b [16]byte
			rand.Read(b[:])
			token = hex.EncodeToString(b[:])
		}
		r, err := conn.Exec(ctx, serverEpoch, again, token)
		if err == nil && r.RowsAffected() == 0 {
			err = ErrInUse
		}
		return err
	}
}

// keepInterval is how often an exclusive store checks that it still holds the lock. It is
// shorter than the time that cluster nodes leave the lock to its former holder after an
// interruption.
const keepInterval = time.Second

// keepLock reacquires the lock whenever its connection was lost. The function that it
// returns releases the lock, because PostgreSQL would keep it for a while after the
// connection has ended.
func (e *engine) keepLock() (release func() error) {
	ctx, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() {
		ticks := time.NewTicker(keepInterval)
		defer ticks.Stop()
		for ctx.Err() == nil {
			select {
			case <-ticks.C:
				limited, cancel := context.WithTimeout(ctx, keepInterval)
				_ = e.write.PingContext(limited) // after an error, the next change or call retries
				cancel()
			case <-ctx.Done():
			}
		}
	})
	return func() error {
		stop()
		work.Wait()
		limited, cancel := context.WithTimeout(context.Background(), keepInterval)
		defer cancel()
		_, _ = e.write.ExecContext(limited, "SELECT pg_advisory_unlock_all()") // fails if the connection is lost
		return nil
	}
}

// warnOfNodes logs the number of unfinished matches that only a cluster node can
// continue.
func (e *engine) warnOfNodes(ctx context.Context, log *slog.Logger) error {
	var matches int
	err := e.read.QueryRowContext(ctx, `SELECT COUNT(DISTINCT match) FROM journal`).Scan(&matches)
	if matches > 0 {
		log.Warn("the database has unfinished matches of a cluster, which continue once a node is started with --cluster", "matches", matches)
	}
	return err
}

// stallTime is how long a writing transaction may be idle, and queueTime is how long it
// waits for other programs.
const (
	stallTime = 5 * time.Second
	queueTime = 30 * time.Second
)

// transactionTime is how long a writing transaction may take before its connection is
// considered broken.
const transactionTime = queueTime + 30*time.Second

// Limits for cluster nodes, where the next active node must not wait long.
const (
	clusterConnectTime    = 2 * time.Second
	fencedTransactionTime = 8 * time.Second
)

// fencedSettings configure the connection that writes under a [Fence]. With them, the
// server notices within about three seconds that the node's host is gone, a transaction
// delays the next active node for a bounded time, and Check sees the newest row.
var fencedSettings = map[string]string{
	"tcp_keepalives_idle": "1", "tcp_keepalives_interval": "1", "tcp_keepalives_count": "3", "tcp_user_timeout": "2000",
	"statement_timeout": "5000", "lock_timeout": "2000", "idle_in_transaction_session_timeout": "2000",
	"synchronous_commit": "on", "default_transaction_isolation": "read committed",
}

// setDefault sets a connection parameter unless the URL sets it.
func setDefault(c *pgx.ConnConfig, name, value string) {
	if _, ok := c.RuntimeParams[name]; !ok {
		c.RuntimeParams[name] = value
	}
}

// openPostgres connects to a database on a PostgreSQL server and migrates it.
func (e *engine) openPostgres(ctx context.Context, cfg Config) error {
	// Do not wrap errors with the URL: pgx's own messages omit the password.
	c, err := pgx.ParseConfig(cfg.URL)
	if err != nil {
		return err
	}
	setDefault(c, "application_name", "broadside")
	if cfg.Fence != nil {
		c.ConnectTimeout = clusterConnectTime
	}
	// Of several servers in the URL, use the one that accepts writes: the others may be behind.
	c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	reading := c.Copy()
	reading.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsPrimary // read-write would refuse the next setting
	setDefault(reading, "default_transaction_read_only", "on")
	writing := c.Copy()
	e.writeLock, e.limit = writeLock, transactionTime
	if cfg.Fence != nil {
		e.limit = fencedTransactionTime
		for name, value := range fencedSettings {
			writing.RuntimeParams[name] = value
		}
	} else {
		setDefault(writing, "idle_in_transaction_session_timeout", fmt.Sprint(stallTime.Milliseconds()))
		setDefault(writing, "lock_timeout", fmt.Sprint(queueTime.Milliseconds()))
		if err := migratePostgres(ctx, c); err != nil {
			return err
		}
	}
	// Asking for an answer before each transaction replaces a lost connection while nothing
	// was written yet.
	options := []stdlib.OptionOpenDB{stdlib.OptionShouldPing(func(context.Context, stdlib.ShouldPingParams) bool { return true })}
	if cfg.Exclusive {
		options = append(options, stdlib.OptionAfterConnect(acquireServer()))
	}
	e.write, e.read = stdlib.OpenDB(*writing, options...), stdlib.OpenDB(*reading)
	e.closers = append(e.closers, e.write.Close, e.read.Close)
	e.write.SetMaxOpenConns(1)
	e.read.SetMaxOpenConns(readers)
	e.read.SetMaxIdleConns(readers)
	e.read.SetConnMaxIdleTime(time.Minute)
	if err := e.write.PingContext(ctx); err != nil || !cfg.Exclusive {
		return err
	}
	e.closers = append(e.closers, e.keepLock())
	return e.warnOfNodes(ctx, cfg.Log)
}

// Upgrade creates or upgrades the schema of the PostgreSQL database at a URL; see [Open]. A
// store with a [Fence] requires that.
func Upgrade(ctx context.Context, url string) (err error) {
	defer annotate(&err, "opening the database in %s", Config{URL: url}.location())
	c, err := pgx.ParseConfig(url)
	if err != nil {
		return err
	}
	c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	return migratePostgres(ctx, c)
}

// migratePostgres upgrades the schema, unless the database belongs to another program. It
// uses its own connection without time limits.
func migratePostgres(ctx context.Context, c *pgx.ConnConfig) (err error) {
	db := stdlib.OpenDB(*c)
	defer func() { err = errors.Join(err, db.Close()) }()
	sch, err := schema.OfPostgres(db)
	if err != nil {
		return err
	}
	if _, err := sch.Check(ctx); err != nil {
		return err
	}
	return sch.Upgrade(ctx, schema.Newest)
}

// CheckServer returns the state of the PostgreSQL database at a URL (see [Config]) and
// changes nothing. It does not look for damage, which the database server itself detects.
// The error is [fs.ErrNotExist] if the database has no tables.
func CheckServer(ctx context.Context, url string) (h Health, err error) {
	defer annotate(&err, "checking the database %s", Config{URL: url}.location())
	c, err := pgx.ParseConfig(url)
	if err != nil {
		return h, err
	}
	db := stdlib.OpenDB(*c)
	defer func() { err = errors.Join(err, db.Close()) }()
	sch, err := schema.OfPostgres(db)
	if err != nil {
		return h, err
	}
	if exists, err := sch.Exists(ctx); err != nil || !exists {
		return h, cmp.Or(err, fs.ErrNotExist)
	}
	if err := db.QueryRowContext(ctx, `SELECT pg_database_size(current_database())`).Scan(&h.Bytes); err != nil {
		return h, err
	}
	return h, h.count(ctx, db, sch)
}

// postgresKind is [kindOf] for errors of a PostgreSQL server.
func postgresKind(err error) error {
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		switch answer.Code {
		case "23503": // foreign_key_violation
			return ErrNotFound
		case "53100": // disk_full
			return ErrFull
		case "25006", "42501": // read_only_sql_transaction, insufficient_privilege
			return ErrReadOnly
		case "57P01", "57P02", "57P03": // admin_shutdown, crash_shutdown, cannot_connect_now
			return ErrUnreachable
		}
		return nil
	}
	var connecting *pgconn.ConnectError
	var network *net.OpError // not net.Error, which every operating system error implements
	if errors.As(err, &connecting) || errors.As(err, &network) || pgconn.SafeToRetry(err) {
		return ErrUnreachable
	}
	return nil
}
