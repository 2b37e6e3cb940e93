package store

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"broadside/internal/store/schema"
)

const maxReaders = 8

// writeLock is the lock that each writing transaction acquires, except those of the journal. So only
// one program changes the database at a time, as with SQLite. The number is arbitrary.
const writeLock = `SELECT pg_advisory_xact_lock(4236177013)`

// transactionTime is how long a writing transaction may take before its connection is
// considered broken.
const transactionTime = 8 * time.Second

// writeSettings configure the writing connection. They let the server notice within about three seconds
// that a program's computer is gone. They limit how long a stalled transaction delays other programs and
// the next active node, and they show [Fence] the newest row.
var writeSettings = map[string]string{
	"tcp_keepalives_idle": "1", "tcp_keepalives_interval": "1", "tcp_keepalives_count": "3", "tcp_user_timeout": "2000",
	"statement_timeout": "5000", "lock_timeout": "4000", "idle_in_transaction_session_timeout": "2000",
	"synchronous_commit": "on", "default_transaction_isolation": "read committed",
}

// clusterConnectTime is a node's time limit for connecting. It is short, because players wait for the next
// active node.
const clusterConnectTime = 2 * time.Second

// openPostgres connects to a PostgreSQL database. Without a fence, it also upgrades the schema.
func (e *engine) openPostgres(ctx context.Context, cfg Config) error {
	// Do not wrap errors with the URL: pgx's own messages omit the password.
	c, err := pgx.ParseConfig(cfg.URL)
	if err != nil {
		return err
	}
	setDefaultParam(c, "application_name", "broadside")
	// Of several servers in the URL, use the one that accepts writes: the others may be behind.
	c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	if cfg.Fence != nil {
		c.ConnectTimeout = clusterConnectTime
	} else if err := migratePostgres(ctx, c); err != nil {
		return err
	}
	reading := c.Copy()
	// ValidateConnectTargetSessionAttrsReadWrite would refuse the next setting.
	reading.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsPrimary
	setDefaultParam(reading, "default_transaction_read_only", "on")
	for name, value := range writeSettings {
		c.RuntimeParams[name] = value
	}
	e.transactionLimit = transactionTime
	// Asking for an answer before each transaction replaces a lost connection while nothing
	// was written yet.
	ping := stdlib.OptionShouldPing(func(context.Context, stdlib.ShouldPingParams) bool { return true })
	e.changes = writer{stdlib.OpenDB(*c, ping), writeLock, make(chan struct{}, 1)}
	e.journal = writer{stdlib.OpenDB(*c, ping), "", make(chan struct{}, 1)}
	e.read = stdlib.OpenDB(*reading)
	e.closers = append(e.closers, e.changes.pool.Close, e.journal.pool.Close, e.read.Close)
	e.changes.pool.SetMaxOpenConns(1)
	e.journal.pool.SetMaxOpenConns(1)
	e.read.SetMaxOpenConns(maxReaders)
	e.read.SetMaxIdleConns(maxReaders)
	e.read.SetConnMaxIdleTime(time.Minute)
	return e.changes.pool.PingContext(ctx)
}

func setDefaultParam(c *pgx.ConnConfig, name, value string) {
	if _, ok := c.RuntimeParams[name]; !ok {
		c.RuntimeParams[name] = value
	}
}

// UpgradePostgres creates or upgrades the schema of the PostgreSQL database at a URL; see [Open]. A
// store with a [Fence] requires that.
func UpgradePostgres(ctx context.Context, url string) (err error) {
	defer annotate(&err, "open the database in %s", Config{URL: url}.redactedLocation())
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
	sch, err := schema.NewPostgres(db)
	if err != nil {
		return err
	}
	if _, err := sch.Check(ctx); err != nil {
		return err
	}
	return sch.Upgrade(ctx, schema.Newest)
}

// CheckPostgres returns the state of the PostgreSQL database at a URL; see [Config]. It changes
// nothing, and does not look for damage, which the database server itself detects.
// The error is [fs.ErrNotExist] if the database has no tables.
func CheckPostgres(ctx context.Context, url string) (h Health, err error) {
	defer annotate(&err, "check database %s", Config{URL: url}.redactedLocation())
	c, err := pgx.ParseConfig(url)
	if err != nil {
		return h, err
	}
	db := stdlib.OpenDB(*c)
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.QueryRowContext(ctx, `SELECT pg_database_size(current_database()), clock_timestamp(), pg_is_in_recovery(),
		current_setting('server_version_num')::int / 10000`).Scan(&h.Bytes, &h.ServerClock, &h.ReadOnly, &h.PostgresVersion); err != nil {
		return h, err
	}
	sch, err := schema.NewPostgres(db)
	if err != nil {
		return h, err
	}
	if exists, err := sch.Exists(ctx); err != nil || !exists {
		return h, cmp.Or(err, fs.ErrNotExist)
	}
	return h, h.fillCounts(ctx, db, sch)
}

func postgresErrorKind(err error) error {
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
	// It is not net.Error, which every error of the operating system implements.
	var network *net.OpError
	if errors.As(err, &connecting) || errors.As(err, &network) || pgconn.SafeToRetry(err) {
		return ErrUnreachable
	}
	return nil
}
