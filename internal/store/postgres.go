package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// readers is how many connections to a PostgreSQL server read beside the
// writer.
const readers = 8

// writeLock is taken by each writing transaction, so that of all the programs
// at the database one writes at a time, as with a file. A program that stands
// still in the middle of a transaction loses the lock, and the transaction, to
// stallTime. The number means nothing but this lock.
const writeLock = `SELECT pg_advisory_xact_lock(4236177013)`

// serverLock is held by the connection of the one that is alone at the database, and
// goes with it. The active node of a cluster holds the same lock.
const serverLock = `SELECT pg_try_advisory_lock(7411, id) FROM world WHERE name = 'main'`

// serverEpoch begins an epoch, so that no node of a cluster which was active before
// can write or resume. It changes nothing if $1 is set and somebody else has begun an
// epoch since the server with the token $2 did.
const serverEpoch = `UPDATE world SET epoch = epoch + 1, token = $2, address = '', since = clock_timestamp()
	WHERE name = 'main' AND (NOT $1 OR token = $2)`

// beAlone takes the database for this server, or again after the connection was lost.
func (w *writer) beAlone(ctx context.Context, conn *sql.Conn) error {
	var ok bool
	if err := conn.QueryRowContext(ctx, serverLock).Scan(&ok); err != nil || !ok {
		return cmp.Or(err, ErrInUse)
	}
	again := w.token != ""
	if !again {
		var b [16]byte
		rand.Read(b[:])
		w.token = hex.EncodeToString(b[:])
	}
	r, err := conn.ExecContext(ctx, serverEpoch, again, w.token)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return cmp.Or(err, ErrInUse)
	}
	return nil
}

// keepPace is how often a server that is alone at a database makes sure that it is. It
// is shorter than the time for which nodes of a cluster leave the lock to its former
// holder after an interruption.
const keepPace = time.Second

// keepLock takes the lock again if the connection that held it is lost.
func (w *writer) keepLock() {
	ctx, cancel := context.WithTimeout(context.Background(), keepPace)
	defer cancel()
	if w.conn.PingContext(ctx) != nil {
		_ = w.connect(ctx) // otherwise, the next change or the next call tries again
	}
}

// warnOfNodes logs how many unfinished matches the nodes of a cluster have left, which
// only a node can continue.
func (s *Store) warnOfNodes(ctx context.Context) error {
	var matches int
	err := s.get(ctx, `SELECT COUNT(DISTINCT match) FROM journal`, nil, &matches)
	if matches > 0 {
		s.log.Warn("the database has unfinished matches of a cluster: they are left alone until a node is started with --cluster", "matches", matches)
	}
	return err
}

// stallTime is how long a writing transaction may do nothing; queueTime is how
// long one waits for the others before it is given up.
const (
	stallTime = 5 * time.Second
	queueTime = 30 * time.Second
)

// transactionTime is how long a writing transaction may take in all before its
// connection is taken for broken.
const transactionTime = queueTime + 30*time.Second

// What holds for the nodes of a cluster, where the next active node must not have to
// wait for long.
const (
	clusterConnectTime    = 2 * time.Second
	fencedTransactionTime = 8 * time.Second
)

// fencedSettings are those of the connection that writes under a [Fence]. The server
// notices within about three seconds that the node's host is gone, a transaction
// delays the next active node for a bounded time, and Check sees the newest row.
var fencedSettings = map[string]string{
	"tcp_keepalives_idle": "1", "tcp_keepalives_interval": "1", "tcp_keepalives_count": "3", "tcp_user_timeout": "2000",
	"statement_timeout": "5000", "lock_timeout": "2000", "idle_in_transaction_session_timeout": "2000",
	"synchronous_commit": "on", "default_transaction_isolation": "read committed",
}

// setDefault sets a parameter of a connection that its URL does not have.
func setDefault(c *pgx.ConnConfig, name, value string) {
	if _, ok := c.RuntimeParams[name]; !ok {
		c.RuntimeParams[name] = value
	}
}

// openPostgres connects to a database on a PostgreSQL server and migrates it.
func openPostgres(ctx context.Context, cfg Config) (*Store, error) {
	// Every error is in the words of pgx, which leave the password out.
	c, err := pgx.ParseConfig(cfg.URL)
	if err != nil {
		return nil, err
	}
	setDefault(c, "application_name", "broadside")
	if cfg.Fence != nil || cfg.ReadOnly {
		c.ConnectTimeout = clusterConnectTime
	}
	primary := cmp.Or(cfg.Primary, new(Primary))
	if primary.newest.Load() == 0 {
		primary.Survey(ctx, cfg.URL)
	}
	// A standby may be behind. The check of target_session_attrs=read-write would
	// refuse the connections for reading.
	if cfg.Fence != nil || cfg.ReadOnly || SeveralServers(c) || c.ValidateConnect != nil {
		c.ValidateConnect = primary.Check
	}
	reading := c.Copy()
	setDefault(reading, "default_transaction_read_only", "on")
	writing := c.Copy()
	s := &Store{log: cfg.Log, wake: make(chan struct{}, 1), lock: writeLock, primary: primary, alone: cfg.Alone, limit: transactionTime}
	if cfg.Fence != nil {
		s.limit = fencedTransactionTime
		for name, value := range fencedSettings {
			writing.RuntimeParams[name] = value
		}
	} else {
		setDefault(writing, "idle_in_transaction_session_timeout", fmt.Sprint(stallTime.Milliseconds()))
		setDefault(writing, "lock_timeout", fmt.Sprint(queueTime.Milliseconds()))
		if err := migratePostgres(ctx, c); err != nil {
			return nil, err
		}
	}
	again := stdlib.OptionResetSession(primary.recheck)
	s.write, s.read = stdlib.OpenDB(*writing, again), stdlib.OpenDB(*reading, again)
	s.write.SetMaxOpenConns(1)
	s.read.SetMaxOpenConns(readers)
	s.read.SetMaxIdleConns(readers)
	s.read.SetConnMaxIdleTime(time.Minute)
	return s, nil
}

// migratePostgres refuses a database that this program must not touch, and
// brings the schema of any other up to date. It has a connection of its own,
// without the bounds on how long things may take.
func migratePostgres(ctx context.Context, c *pgx.ConnConfig) (err error) {
	db := stdlib.OpenDB(*c)
	defer func() { err = errors.Join(err, db.Close()) }()
	ours, err := isOurs(ctx, db)
	if err != nil {
		return err
	}
	// Of several programs that start at once, one migrates.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300)) // seconds, times
	if err != nil {
		return err
	}
	p, err := provider(goose.DialectPostgres, db, goose.WithSessionLocker(locker))
	if err != nil {
		return err
	}
	if ours {
		if err := known(ctx, db, p); err != nil {
			return err
		}
	}
	if pending, err := p.HasPending(ctx); err != nil || !pending {
		return err
	}
	_, err = p.Up(ctx)
	return err
}

// isOurs tells whether a database has been used by this program. It is false
// for an empty one, and [ErrNotOurs] for any other.
func isOurs(ctx context.Context, db *sql.DB) (bool, error) {
	var tables, ours int
	if err := db.QueryRowContext(ctx, `SELECT COUNT(*), COUNT(CASE table_name WHEN 'goose_db_version' THEN 1 END)
		FROM information_schema.tables WHERE table_schema = current_schema()`).Scan(&tables, &ours); err != nil {
		return false, err
	}
	if ours == 0 && tables > 0 {
		return false, ErrNotOurs
	}
	return ours > 0, nil
}

// CheckServer looks at a database on a PostgreSQL server, whose URL is that of
// [Config], and changes nothing. The server itself sees to it that nothing is
// damaged. Without tables the error is [fs.ErrNotExist].
func CheckServer(ctx context.Context, url string) (Health, error) {
	h, err := checkServer(ctx, url)
	if err != nil {
		return h, fmt.Errorf("checking the database %s: %w", Config{URL: url}.place(), explainPostgres(err))
	}
	return h, nil
}

func checkServer(ctx context.Context, url string) (h Health, err error) {
	c, err := pgx.ParseConfig(url)
	if err != nil {
		return h, err
	}
	db := stdlib.OpenDB(*c)
	defer func() { err = errors.Join(err, db.Close()) }()
	ours, err := isOurs(ctx, db)
	if err != nil {
		return h, err
	}
	if !ours {
		return h, fs.ErrNotExist
	}
	p, err := provider(goose.DialectPostgres, db)
	if err != nil {
		return h, err
	}
	if err := db.QueryRowContext(ctx, `SELECT pg_database_size(current_database())`).Scan(&h.Bytes); err != nil {
		return h, err
	}
	return h, h.count(ctx, db, p)
}

// explainPostgres is [explain] for errors of a PostgreSQL server.
func explainPostgres(err error) error {
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		switch answer.Code {
		case "53100": // disk_full
			return fmt.Errorf("%w: %w", ErrFull, err)
		case "25006", "42501": // read_only_sql_transaction, insufficient_privilege
			return fmt.Errorf("%w: %w", ErrReadOnly, err)
		case "57P01", "57P02", "57P03": // admin_shutdown, crash_shutdown, cannot_connect_now
			return fmt.Errorf("%w: %w", ErrUnreachable, err)
		}
		return err
	}
	var connecting *pgconn.ConnectError
	var network *net.OpError // not net.Error, which every error of the system is
	if errors.As(err, &connecting) || errors.As(err, &network) || pgconn.SafeToRetry(err) {
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	return err
}

// lost reports whether a connection has become useless.
func (s *Store) lost(conn *sql.Conn) bool {
	gone := false
	err := conn.Raw(func(c any) error {
		if c, ok := c.(*stdlib.Conn); ok {
			gone = c.Conn().IsClosed() || s.primary.Recheck(c.Conn().PgConn()) != nil
		}
		return nil
	})
	return gone || err != nil
}
