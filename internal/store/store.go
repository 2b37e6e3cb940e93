package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"broadside/internal/i18n"
)

// What callers can tell apart with errors.Is. Each is wrapped with what was
// asked for.
var (
	ErrNotFound    = errors.New("not found")
	ErrNameTaken   = i18n.Errorf("that name is taken")
	ErrKeyTaken    = i18n.Errorf("that key belongs to another player")
	ErrLastKey     = i18n.Errorf("that is the only key: add another one first")
	ErrTooMany     = errors.New("there are as many as there may be")
	ErrClosed      = errors.New("the store is closed")
	ErrNewerSchema = errors.New("the database is of a newer version of Broadside: run that version, or restore a backup made before it")
	ErrNotOurs     = errors.New("the file is not a database of Broadside")
	ErrEmpty       = errors.New("the database file is empty")
	ErrDamaged     = errors.New("the database is damaged")
	ErrFull        = errors.New("the disk with the database is full")
	ErrReadOnly    = errors.New("the database cannot be written to: check who may write to the data folder, or what the database user is granted")
	ErrUnreachable = errors.New("the database server cannot be reached")
)

// FileName is the name of the database in the data folder. While a server
// runs, and after one was killed, there are two files more beside it, with
// names that begin the same: they belong to it.
const FileName = "broadside.db"

// Config is what a store needs to know.
type Config struct {
	Folder string // the data folder, with a database of SQLite and the tail; made if it is not there
	URL    string // of a PostgreSQL database, such as postgres://user@host/name; empty: the one in Folder
	Alone  bool   // [ErrInUse] if another one that wants to be alone is at the database
	// Fresh puts a database in Folder aside that is empty or damaged, and makes a
	// new one.
	Fresh bool
	// Fence admits the changes of the active node of a cluster, and Journal stores
	// its running matches. Both are nil, except on PostgreSQL in a cluster. The
	// schema is then left as it is.
	Fence   Fence
	Journal Journal
	// ReadOnly is for the other nodes of a cluster: every change fails with
	// [ErrFenced]. The schema is still brought up to date.
	ReadOnly bool
	// Primary knows which of the servers in URL is in use. Other clients of the same
	// servers share it. It may be nil.
	Primary *Primary
	Log     *slog.Logger // nil: no log
	// Wrote is called after each transaction that writes, with the changes in it,
	// the time that it took, and its error. It must not wait. It may be nil.
	Wrote func(changes int, took time.Duration, err error)
}

// place is where the database is, without a password.
func (c Config) place() string {
	if c.URL == "" {
		return c.Folder
	}
	u, err := url.Parse(c.URL)
	if err != nil {
		return "PostgreSQL" // the URL may hold a password, and so may the error
	}
	return u.Redacted()
}

// Store is an open database. All methods may be called from any goroutine; if
// ctx ends while one waits for its change to be written, the change may or may
// not happen.
type Store struct {
	file    string // of SQLite; else empty
	log     *slog.Logger
	wrote   func(int, time.Duration, error) // see [Config]
	write   *sql.DB                         // one connection, of the writer's goroutine
	read    *sql.DB
	lock    string       // what begins each writing transaction, if anything
	alone   bool         // see [Config]; of PostgreSQL
	primary *Primary     // of PostgreSQL
	folder  *flock.Flock // the same, of SQLite; else nil
	tail    *tail        // nil unless alone
	fence   Fence        // nil unless it is the active node's in a cluster
	fenced  <-chan struct{}
	journal Journal        // as fence
	limit   time.Duration  // of a writing transaction; 0: none
	work    sync.WaitGroup // the writer and answerNames
	zippers sync.Pool      // of *gzip.Writer
	wake    chan struct{}  // capacity 1: the queue is no longer empty, or closed

	mu     sync.Mutex // guards what follows, never held across input or output
	queue  []*change
	closed bool
	names  []*nameQuestion // that wait for a query
	naming bool            // answerNames runs
}

// Open opens the database, makes it if there is none, and brings one of an
// older version up to date. A database of a newer version is left untouched:
// [ErrNewerSchema]. So is a file that is empty, or that a quick check finds to
// be damaged: [ErrEmpty], [ErrDamaged]. The check is part of opening a database
// with [Config].Alone; [Check] is thorough. Close the store with [Store.Close].
//
// Several programs may be at a PostgreSQL database at once.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	open := openSQLite
	if cfg.URL != "" {
		open = openPostgres
	}
	s, err := open(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("opening the database in %s: %w", cfg.place(), explain(err))
	}
	s.fence, s.journal, s.fenced = cfg.Fence, cfg.Journal, cfg.fenced()
	w := &writer{store: s}
	if !cfg.ReadOnly {
		err := w.connect(ctx)
		if err == nil && s.alone {
			err = s.warnOfNodes(ctx)
		}
		if err != nil {
			return nil, fmt.Errorf("opening the database in %s: %w", cfg.place(), errors.Join(explain(err), s.disconnect()))
		}
	}
	if cfg.Alone && cfg.Folder != "" {
		if err := s.openTail(ctx, cfg.Folder); err != nil {
			return nil, fmt.Errorf("opening %s: %w", filepath.Join(cfg.Folder, TailName), errors.Join(explain(err), w.conn.Close(), s.disconnect()))
		}
	}
	s.wrote = cfg.Wrote
	s.work.Go(func() {
		w.run()
		for _, st := range w.statements { // one that is left keeps the engine from closing, and the log beside the file
			st.Close()
		}
		if w.conn != nil {
			w.conn.Close()
		}
	})
	return s, nil
}

// Close waits until all changes that were asked for are written, and closes
// the database. Whoever asks for one afterwards gets [ErrClosed].
func (s *Store) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.rouse()
	s.work.Wait()
	if err := s.disconnect(); err != nil {
		return fmt.Errorf("closing the database: %w", err)
	}
	return nil
}

// disconnect leaves the database to others.
func (s *Store) disconnect() error {
	err := errors.Join(s.read.Close(), s.write.Close())
	if s.tail != nil {
		err = errors.Join(err, s.tail.file.Close())
	}
	if s.folder != nil {
		err = errors.Join(err, s.folder.Close())
	}
	return err
}

// Queue is how many changes wait to be written.
func (s *Store) Queue() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queue)
}

// Ping tells whether the database can be read. It waits for it.
func (s *Store) Ping(ctx context.Context) error {
	var one int
	return s.get(ctx, `SELECT 1`, nil, &one)
}

// idAlphabet has no letters that are taken for digits, or for each other.
const idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// NewID is a name for a match or a player that nobody else has: 12 letters and
// digits, made of 60 random bits.
func NewID() string {
	var b [12]byte
	rand.Read(b[:])
	for i, x := range b {
		b[i] = idAlphabet[x%32]
	}
	return string(b[:])
}

// text is s as any database can hold it.
func text(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
}

// micros and moment are a time as it is stored. The zero time is 0.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func moment(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us)
}

// optional is a text column that may be NULL, which is the empty text here.
func optional(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// now is the time as the store keeps it.
func now() time.Time { return moment(time.Now().UnixMicro()) }

// validJSON refuses what is no JSON value.
func validJSON(data json.RawMessage) error {
	if !json.Valid(data) {
		return errors.New("that is not JSON")
	}
	return nil
}

// explain adds to an error of an engine what an operator can do about it, as
// one of this package's errors.
func explain(err error) error {
	for _, known := range []error{ErrFull, ErrReadOnly, ErrNotOurs, ErrEmpty, ErrDamaged, ErrUnreachable} {
		if errors.Is(err, known) {
			return err // it has been explained
		}
	}
	return explainPostgres(explainSQLite(err))
}
