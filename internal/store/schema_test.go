package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/store/schema"
	"broadside/internal/test/must"
	"broadside/match"
)

// readTables returns everything that the database says about its tables and indexes.
func readTables(t *testing.T, folder string) (all []string) {
	t.Helper()
	db := openSQL(t, folder)
	defer db.Close()
	query := `SELECT name, COALESCE(sql, '') FROM sqlite_schema ORDER BY name`
	if server != nil {
		query = `SELECT table_name || '.' || column_name, data_type || is_nullable FROM information_schema.columns
				WHERE table_schema = current_schema()
			UNION SELECT indexname, regexp_replace(indexdef, ' ON \S+\.', ' ON ') FROM pg_indexes WHERE schemaname = current_schema()
			UNION SELECT table_name, constraint_type FROM information_schema.table_constraints
				WHERE table_schema = current_schema() AND constraint_type <> 'CHECK' ORDER BY 1, 2`
	}
	rows := must.Get(db.Query(query))
	defer rows.Close()
	for rows.Next() {
		var name, sql string
		must.Do(rows.Scan(&name, &sql))
		all = append(all, name+": "+sql)
	}
	return all
}

// readSchema returns the schema of the database in a folder until the test ends.
func readSchema(t *testing.T, folder string) *schema.Schema {
	t.Helper()
	db := openSQL(t, folder)
	t.Cleanup(func() { db.Close() })
	of := schema.NewSQLite
	if server != nil {
		of = schema.NewPostgres
	}
	return must.Get(of(db))
}

// TestMigrationFromEachVersion upgrades a database of every version with its content.
func TestMigrationFromEachVersion(t *testing.T) {
	t.Parallel()
	fresh := t.TempDir()
	reopenStore(t, fresh).Close()
	want := readTables(t, fresh)

	_, newest, err := readSchema(t, fresh).Versions(ctx)
	if err != nil || newest < 3 {
		t.Fatal(newest, err)
	}
	for v := int64(1); v <= newest; v++ {
		t.Run(fmt.Sprint("from ", v), func(t *testing.T) {
			folder := t.TempDir()
			upgrading.Lock()
			err := readSchema(t, folder).Upgrade(ctx, v)
			upgrading.Unlock()
			must.Do(err)
			db := openSQL(t, folder)
			for _, insert := range []string{
				`INSERT INTO players (id, name, folded, kind, owner, settings, created) VALUES
					('a', 'Ann', 'ann', 'person', NULL, '{"x":1}', 1), ('b', 'Bob', 'bob', 'person', NULL, '{}', 2),
					('c', 'vvv-M0r_n1n5', 'vvv-m0r_n1n5', 'person', NULL, '{}', 3), ('d', 'B0b', 'b0b', 'person', NULL, '{}', 4)`,
				`INSERT INTO keys (fingerprint, player, label, added, used) VALUES ('SHA256:ann', 'a', 'desk', 3, 4)`,
				`INSERT INTO ratings (player, rules, machine, value, deviation, volatility, settled, games, updated)
					VALUES ('a', 'classic', FALSE, 1612.6, 80, 0.06, TRUE, 30, 5)`,
				`INSERT INTO matches (id, rules, started, took, ended, winner, reason, rated, details) VALUES
					('m1', 'classic', 10, 5, 15, 0, 'sunk', TRUE, '{}'), ('m2', 'classic', 20, 5, 25, 2, 'closed', FALSE, '{}'),
					('m3', 'classic', 30, 5, 35, 1, 'resigned', FALSE, '{}')`,
				`INSERT INTO seats (match, side, player, name, kind, ended, shots, hits, before, after, commitment, salt) VALUES
					('m1', 0, 'a', 'Ann', 'person', 15, 50, 17, 1600, 1612.5, '', ''), ('m1', 1, 'b', 'Bob', 'person', 15, 49, 12, 0, 0, '', ''),
					('m2', 0, 'a', 'Ann', 'person', 25, 5, 2, 0, 0, '', ''), ('m2', 1, NULL, 'x', 'person', 25, 5, 1, 0, 0, '', ''),
					('m3', 0, 'a', 'Ann', 'person', 35, 10, 3, 0, 0, '', ''), ('m3', 1, NULL, 'x', 'person', 35, 9, 4, 0, 0, '', '')`,
			} {
				if v >= 22 { // seats have no commitments
					insert = strings.NewReplacer(", commitment, salt)", ")", ", '', '')", ")").Replace(insert)
				}
				must.Get(db.Exec(insert))
			}
			if v >= 8 && v < 13 { // hot-seat matches counted until version 13
				for _, insert := range []string{
					`INSERT INTO figures (player, rules, games, won, shots, hits, reviewed, accuracy) VALUES ('b', 'classic', 3, 2, 90, 30, 2, 1.25)`,
					`INSERT INTO matches (id, rules, started, took, ended, winner, reason, rated, details, casual) VALUES
						('m4', 'classic', 40, 5, 45, 0, 'sunk', FALSE, '{}', 'hot-seat')`,
					`INSERT INTO seats (match, side, player, name, kind, ended, shots, hits, before, after, commitment, salt, judged, accuracy) VALUES
						('m4', 0, 'b', 'Bob', 'person', 45, 40, 17, 0, 0, '', '', 9, 0.5), ('m4', 1, NULL, 'guest x', 'person', 45, 39, 12, 0, 0, '', '', 9, 0.5)`,
				} {
					must.Get(db.Exec(insert))
				}
			}
			db.Close()

			s := openStoreIn(t, folder)
			if f, err := s.Statistics.Figures(ctx, "b"); v >= 8 && v < 13 && (err != nil || !slices.Equal(f, []store.Figures{{RuleSet: "classic", Games: 2, Won: 1, Shots: 50, Hits: 13, Reviewed: 1, Accuracy: 0.75}})) {
				t.Errorf("the figures without the hot-seat match: %+v, %v", f, err)
			}
			if m, err := s.Matches.RestrictTo("").List(ctx, store.Cursor{}, 9); err != nil || len(m) != 3 {
				t.Errorf("the public matches: %+v, %v", m, err)
			}
			if got := readTables(t, folder); !slices.Equal(got, want) {
				t.Errorf("the schema is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if p, err := s.Accounts.FindByKey(ctx, "SHA256:ann"); err != nil || p.Name != "Ann" || string(p.Settings) != `{"x":1}` {
				t.Errorf("the player: %+v, %v", p, err)
			}
			// Skeletons of names came later: the oldest account has one.
			for _, name := range []string{"wvmomlns", "bo_b"} {
				if taken, err := s.Accounts.IsNameTaken(ctx, name); v < 6 && (err != nil || !taken) {
					t.Errorf("%s is taken: %v, %v", name, taken, err)
				}
			}
			if x, err := s.Ratings.ListByPlayer(ctx, "a"); err != nil || len(x) != 1 || v < 5 && (x[0].Value != 1613 || x[0].IsSettled()) || x[0].Games != 30 {
				t.Errorf("the rating: %+v, %v", x, err)
			}
			// Since version 12, leaderboards leave out ratings that have become provisional.
			for days, listed := range map[int]bool{1: v >= 5, 365: v >= 12} {
				now := time.UnixMicro(5).AddDate(0, 0, days)
				if x, err := s.Ratings.Leaderboard(ctx, store.People, "classic", now, 9); err != nil || (len(x) == 1) != listed {
					t.Errorf("the leaderboard after %d days: %+v, %v", days, x, err)
				}
			}
			if m, err := s.Matches.ListByPlayer(ctx, "a", store.Cursor{}, 9); err != nil || len(m) != 3 || m[0].ID != "m3" || m[2].Seats[0].Shots != 50 {
				t.Errorf("the matches: %+v, %v", m, err)
			}
			// Statistics that are newer than the matches were computed from them.
			if f, err := s.Statistics.Figures(ctx, "a"); v == 1 && (err != nil || !slices.Equal(f, []store.Figures{{RuleSet: "classic", Games: 2, Won: 1, Shots: 60, Hits: 20}})) {
				t.Errorf("the figures: %+v, %v", f, err)
			}
			ann := must.Get(s.Accounts.FindByID(ctx, "a"))
			finishMatch(t, s, newFinishedMatch(newRandom(13), ann, createPerson(t, s, "Eve"), match.First, start))
		})
	}
}

// listFiles returns the contents of all files in a folder.
func listFiles(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	entries, err := os.ReadDir(folder)
	must.Do(err)
	for _, e := range entries {
		if all[e.Name()], err = os.ReadFile(filepath.Join(folder, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// requireRefusal checks that opening a store fails with a clear error and changes no file.
func requireRefusal(t *testing.T, cfg store.Config, want error) {
	t.Helper()
	folder := cfg.Folder
	before := listFiles(t, folder)
	s, err := store.Open(ctx, cfg)
	if err == nil {
		s.Close()
	}
	if !errors.Is(err, want) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "restore a") {
		t.Errorf("opening it: %v, want %v and what to do", err, want)
	}
	after := listFiles(t, folder)
	for name, b := range before {
		if !strings.HasSuffix(name, "-shm") && !bytes.Equal(after[name], b) { // -shm is only an index of -wal
			t.Errorf("%s has changed", name)
		}
		delete(after, name)
	}
	for name := range after {
		if !strings.HasSuffix(name, "-shm") {
			t.Errorf("%s is new", name)
		}
	}
}

// newerSchema makes a schema newer than any that this program knows.
const newerSchema = `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, TRUE)`

// TestNewerSchemaInTheLogIsRefused checks that a database is refused if its newer schema is only in
// the write-ahead log that a killed program left behind.
func TestNewerSchemaInTheLogIsRefused(t *testing.T) {
	skipOnPostgres(t)
	folder, killed := t.TempDir(), t.TempDir()
	reopenStore(t, folder).Close()
	db := openSQL(t, folder)
	defer db.Close()
	must.Get(db.Exec(newerSchema))
	all := listFiles(t, folder)
	if len(all[store.FileName+"-wal"]) == 0 {
		t.Fatal("nothing is in the log")
	}
	for name, b := range all {
		if strings.HasSuffix(name, "-shm") {
			continue
		}
		must.Do(os.WriteFile(filepath.Join(killed, name), b, 0o600))
	}
	requireRefusal(t, store.Config{Folder: killed}, store.ErrNewerSchema)
}

// TestUnusableFilesAreRefused checks that a database which has lost its content, or is not ours, is
// neither opened nor changed, and that the error says what to do.
func TestUnusableFilesAreRefused(t *testing.T) {
	skipOnPostgres(t)
	execute := func(statement string) func(string) error {
		return func(file string) error {
			db, err := sql.Open("sqlite", "file:"+file)
			if err != nil {
				return err
			}
			_, err = db.Exec(statement)
			return errors.Join(err, db.Close())
		}
	}
	instead := func(do func(file string) error) func(string) error {
		return func(file string) error { return errors.Join(os.Remove(file), do(file)) }
	}
	write := func(content string) func(string) error {
		return func(file string) error { return os.WriteFile(file, []byte(content), 0o600) }
	}
	for what, c := range map[string]struct {
		spoil func(file string) error
		want  error
	}{
		"empty":                      {write(""), store.ErrDamaged},
		"without tables":             {instead(execute(`PRAGMA user_version = 1`)), store.ErrDamaged},
		"a torn header":              {func(file string) error { return overwriteBytes(file, 0, 512) }, store.ErrNotOurs},
		"cut":                        {func(file string) error { return os.Truncate(file, 20*4096) }, store.ErrDamaged},
		"torn pages":                 {func(file string) error { return overwriteBytes(file, 5*4096, 6*4096) }, store.ErrDamaged},
		"only the log":               {func(file string) error { return os.Rename(file, file+"-wal") }, store.ErrDamaged},
		"another program's database": {instead(execute(`CREATE TABLE recipes (cake TEXT)`)), store.ErrNotOurs},
		"no database":                {write(strings.Repeat("my diary\n", 1000)), store.ErrNotOurs},
		"next to nothing":            {write("x"), store.ErrNotOurs},
		"newer":                      {execute(newerSchema), store.ErrNewerSchema},
	} {
		t.Run(what, func(t *testing.T) {
			cfg := store.Config{Folder: t.TempDir(), Exclusive: true}
			s := must.Get(store.Open(ctx, cfg))
			must.Do(s.Close())
			must.Do(c.spoil(filepath.Join(cfg.Folder, store.FileName)))
			requireRefusal(t, cfg, c.want)
		})
	}
}

// overwriteBytes fills a part of a file with meaningless bytes.
func overwriteBytes(file string, from, to int64) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(bytes.Repeat([]byte{0xa5}, int(to-from)), from)
	return errors.Join(err, f.Close())
}

// TestNewDatabaseIsComplete checks that a process that is killed while it creates a database leaves
// none.
func TestNewDatabaseIsComplete(t *testing.T) {
	skipOnPostgres(t)
	folder := t.TempDir()
	over, cancel := context.WithCancel(ctx)
	cancel()
	if s, err := store.Open(over, store.Config{Folder: folder}); err == nil {
		s.Close()
		t.Fatal("it was opened")
	}
	if all := listFiles(t, folder); len(all) > 0 {
		t.Errorf("files are left: %d", len(all))
	}
	createPerson(t, openStoreIn(t, folder), "Ann")
}

// TestOddFolder checks folders with unusual names, and that only the owner can read the
// files.
func TestOddFolder(t *testing.T) {
	skipOnPostgres(t)
	folder := filepath.Join(t.TempDir(), "50% off? #1 & more; 'ß'", "sub")
	createPerson(t, openStoreIn(t, folder), "Ann")
	all := listFiles(t, folder)
	if len(all) != 3 || all[store.FileName] == nil {
		t.Errorf("in the folder: %d files", len(all))
	}
	for name := range all {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != fs.FileMode(0o700) {
		t.Errorf("the folder: %v, %v", info.Mode(), err)
	}
}
