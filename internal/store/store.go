package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	"broadside/internal/store/replication"
)

// FileName is the name of the SQLite database in the data folder. SQLite keeps
// further files beside it, whose names begin the same. They are part of the
// database while a server runs and after one was killed.
const FileName = "broadside.db"

// Config says which database to open, and how. The zero value is a database in the
// current folder.
type Config struct {
	// Folder is the data folder, with the SQLite database and the tail. It is made if
	// it does not exist.
	Folder string
	// URL names a PostgreSQL database, such as postgres://user@host/name. If it is
	// empty, the database is the one in Folder.
	URL string
	// Exclusive makes Open return [ErrInUse] if another exclusive store has the
	// database open. It also opens the tail in Folder, see [Running.Hold].
	Exclusive bool
	// Fresh moves a database in Folder aside if it is empty or damaged, and makes a
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
	// Primary knows which of the servers in URL is in use. It may be shared with other
	// clients of the same servers, and may be nil.
	Primary *replication.Primary
	Log     *slog.Logger // nil: no log
	// Wrote is called after each transaction that writes, with the changes in it,
	// the time that it took, and its error. It must not block. It may be nil.
	Wrote func(changes int, took time.Duration, err error)
}

// location returns where the database is, without a password.
func (c Config) location() string {
	if c.URL == "" {
		return c.Folder
	}
	u, err := url.Parse(c.URL)
	if err != nil {
		return "PostgreSQL" // the URL may hold a password, and so may the error
	}
	return u.Redacted()
}

// Store is an open database. Each field has the queries for one kind of data. All
// methods of all fields may be called from any goroutine. A method that changes
// something returns once the change is on disk. If its context ends earlier, the change
// may or may not be stored.
type Store struct {
	Accounts   Accounts
	Keys       Keys
	Programs   Programs
	Fleets     Fleets
	Running    Running
	Matches    Matches
	Ratings    Ratings
	Statistics Statistics
	Models     Models
	Daily      Daily
	Mutes      Mutes
	Ignored    Ignored
	Bans       Bans
	Lockdown   Lockdown
	Audit      Audit
	State      State

	db *database
}

// Open opens the database, makes it if it does not exist, and upgrades the schema of
// an older version. A database of a newer version is left untouched and reported as
// [ErrNewerSchema]. A file that is empty, or in which a quick check finds damage, is
// reported as [ErrEmpty] or [ErrDamaged]. The quick check is made for
// [Config.Exclusive] only; [Check] is thorough. Several programs can have the same
// PostgreSQL database open. The caller must close the store.
func Open(ctx context.Context, cfg Config) (_ *Store, err error) {
	defer annotate(&err, "opening the database in %s", cfg.location())
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	db, err := openDatabase(ctx, cfg)
	if err != nil {
		return nil, err
	}
	running := Running{db: db, journal: cfg.Journal}
	if cfg.Exclusive && cfg.Folder != "" {
		if err := running.openTail(ctx, cfg.Folder); err != nil {
			return nil, errors.Join(fmt.Errorf("opening its tail: %w", err), db.close())
		}
	}
	return &Store{
		Accounts:   Accounts{db, &names{db: db}},
		Keys:       Keys{db},
		Programs:   Programs{db},
		Fleets:     Fleets{db},
		Running:    running,
		Matches:    Matches{db: db, running: running, zippers: &sync.Pool{}},
		Ratings:    Ratings{db},
		Statistics: Statistics{db},
		Models:     Models{db},
		Daily:      Daily{db},
		Mutes:      Mutes{db},
		Ignored:    Ignored{db},
		Bans:       Bans{db},
		Lockdown:   Lockdown{db},
		Audit:      Audit{db},
		State:      State{db},
		db:         db,
	}, nil
}

// Close waits until all changes that were asked for are written, and closes the
// database. Later changes fail with [ErrClosed].
func (s *Store) Close() (err error) {
	defer annotate(&err, "closing the database")
	err = s.db.close()
	if s.Running.tail != nil {
		err = errors.Join(err, s.Running.tail.Close())
	}
	return err
}

// Queue returns the number of changes that wait to be written.
func (s *Store) Queue() int {
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	return len(s.db.queue)
}

// Ping returns an error if the database cannot be read. It waits for the database.
func (s *Store) Ping(ctx context.Context) (err error) {
	defer annotate(&err, "reading from the database")
	return s.db.get(ctx, `SELECT 1`, nil, new(int))
}

// Backup writes a copy of the SQLite database to a file. See the function [Backup].
func (s *Store) Backup(ctx context.Context, file string) error {
	return Backup(ctx, filepath.Dir(s.db.file), file)
}

// idAlphabet leaves out letters that look like digits or like each other.
const idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// NewID returns an ID for a match or a player that nothing else has: 12 letters and
// digits made of 60 random bits.
func NewID() string {
	var b [12]byte
	rand.Read(b[:])
	for i, x := range b {
		b[i] = idAlphabet[x%32]
	}
	return string(b[:])
}
