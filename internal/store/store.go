package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql/driver"
	"errors"
	"log/slog"
	"net/url"
	"time"
)

// FileName is the name of the SQLite database in the data folder. SQLite keeps additional
// files beside it whose names start with FileName. They are part of the database while a
// server is running and after it was killed.
const FileName = "broadside.db"

// Config configures [Open]. The zero value selects an SQLite database in the current folder.
type Config struct {
	// Folder is the data folder, which contains the SQLite database. Open creates a missing
	// folder.
	Folder string
	// URL selects a PostgreSQL database, such as postgres://user@host/name. If it names
	// several servers, Open uses the one that accepts writes. If it is empty, the database
	// is in Folder.
	URL string
	// Exclusive makes Open look for damage in the database in Folder, and return [ErrInUse]
	// if another exclusive store has it open. On PostgreSQL, a [Fence] replaces it.
	Exclusive bool
	// Fence allows the changes of a cluster's active node. It is nil except on PostgreSQL in a
	// cluster. If it is set, Open does not change the schema.
	Fence Fence
	// World is the world whose running matches and tournaments are listed. Empty means main.
	World string
	// Log may be nil.
	Log *slog.Logger
	// Wrote is called after each writing transaction with the time it took, and an error if
	// the database failed. It must not block, and may be nil.
	OnWrite func(took time.Duration, err error)
	// Journaled is called with the time it took to store a group of events of running matches. It
	// must not block, and may be nil.
	OnJournalWrite func(took time.Duration)
	// Wrap replaces the connections to an SQLite database, so that tests can delay them.
	// It may be nil.
	WrapConnector func(driver.Connector) driver.Connector
}

// redactedLocation returns the folder or URL, without a password.
func (c Config) redactedLocation() string {
	if c.URL == "" {
		return c.Folder
	}
	u, err := url.Parse(c.URL)
	if err != nil {
		// The URL, and errors about it, may contain a password.
		return "PostgreSQL"
	}
	return u.Redacted()
}

// Store is an open database. Each field has the queries for one kind of data. The methods
// of all fields may be called from any goroutine. A method that changes data returns once
// the change is on disk. If its context ends earlier, the change may or may not be
// stored.
type Store struct {
	Accounts       Accounts
	Keys           Keys
	Programs       Programs
	Fleets         Fleets
	Running        Running
	Correspondence Correspondence
	Matches        Matches
	Ratings        Ratings
	Statistics     Statistics
	Models         Models
	Daily          Daily
	Puzzles        Puzzles
	Tournaments    Tournaments
	Mutes          Mutes
	// Ignored are the players whose chat messages a player has muted.
	Ignored Relation
	// Followed are those whom a player follows.
	Followed Relation
	Bans     Bans
	Audit    Audit
	State    State

	db *database
}

// Open opens the database. It creates a missing database and upgrades the schema of an
// older version. It does not change a database of a newer version and returns
// [ErrNewerSchema]. For an empty file or one in which a quick check finds damage, it
// returns [ErrDamaged]. Only [Config.Exclusive] enables the quick check;
// [Check] is thorough. Several programs can open the same PostgreSQL database. The caller
// must close the store.
func Open(ctx context.Context, cfg Config) (_ *Store, err error) {
	defer annotate(&err, "open the database in %s", cfg.redactedLocation())
	cfg.World = cmp.Or(cfg.World, "main")
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	db, err := openDatabase(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if cfg.Exclusive && cfg.URL == "" {
		if err := db.dropTailMatches(ctx, cfg.Folder); err != nil {
			return nil, errors.Join(err, db.close())
		}
	}
	if cfg.OnJournalWrite == nil {
		cfg.OnJournalWrite = func(time.Duration) {}
	}
	return &Store{
		Accounts:       Accounts{db},
		Keys:           Keys{db},
		Programs:       Programs{db},
		Fleets:         Fleets{db},
		Running:        Running{db, &journal{db: db, world: cfg.World, onWrite: cfg.OnJournalWrite}},
		Correspondence: Correspondence{db, cfg.World},
		Matches:        Matches{db: db},
		Ratings:        Ratings{db},
		Statistics:     Statistics{db},
		Models:         Models{db},
		Daily:          Daily{db},
		Puzzles:        Puzzles{db},
		Tournaments:    Tournaments{db, cfg.World},
		Mutes:          Mutes{db},
		Ignored:        Relation{db, "ignored"},
		Followed:       Relation{db, "followed"},
		Bans:           Bans{db},
		Audit:          Audit{db},
		State:          State{db},
		db:             db,
	}, nil
}

// Close waits until all requested changes are written, then closes the database. Later
// changes fail with [ErrClosed].
func (s *Store) Close() (err error) {
	defer annotate(&err, "close database")
	return s.db.close()
}

// QueueLength returns how many changes wait to be written.
func (s *Store) QueueLength() int { return int(s.db.waiting.Load()) }

// Ping returns an error if it cannot read from the database.
func (s *Store) Ping(ctx context.Context) (err error) {
	defer annotate(&err, "read from the database")
	return s.db.get(ctx, `SELECT 1`, nil, new(int))
}

// idAlphabet excludes letters that look like digits or other letters.
const idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// NewID returns a unique ID for a match or a player: 12 letters and digits made from 60
// random bits.
func NewID() string {
	var b [12]byte
	rand.Read(b[:])
	for i, x := range b {
		b[i] = idAlphabet[x%32]
	}
	return string(b[:])
}
