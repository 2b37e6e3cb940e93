package store_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"broadside/internal/store"
	"broadside/internal/store/schema"
)

// backedUp returns a store in a folder, and a backup of it elsewhere that has Ann, but
// not Bob.
func backedUp(t *testing.T) (s *store.Store, folder, elsewhere, backup string) {
	t.Helper()
	aboutFiles(t)
	folder, elsewhere = t.TempDir(), t.TempDir()
	s = openIn(t, folder)
	person(t, s, "Ann")
	backup = filepath.Join(elsewhere, "backup")
	if err := store.Backup(ctx, folder, backup); err != nil {
		t.Fatal(err)
	}
	person(t, s, "Bob")
	return s, folder, elsewhere, backup
}

func TestRestore(t *testing.T) {
	s, folder, elsewhere, backup := backedUp(t)

	_, err := store.Restore(ctx, backup, folder)
	wantError(t, "a server is at work", err, store.ErrInUse)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	aside, err := store.Restore(ctx, backup, folder)
	if err != nil || !strings.HasPrefix(aside, filepath.Join(folder, store.FileName)+".before-") {
		t.Fatalf("restored: %q, %v", aside, err)
	}
	if h, err := store.Check(ctx, aside); err != nil || h.Players != 2 {
		t.Errorf("what was there is %+v, %v", h, err)
	}
	s = openIn(t, folder)
	if _, err := s.Accounts.ByName(ctx, "Ann"); err != nil {
		t.Error(err)
	}
	_, err = s.Accounts.ByName(ctx, "Bob")
	wantError(t, "a player newer than the backup", err, store.ErrNotFound)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(folder, store.FileName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}

	fresh := filepath.Join(elsewhere, "new", "folder")
	if aside, err := store.Restore(ctx, backup, fresh); err != nil || aside != "" {
		t.Errorf("into a new folder: %q, %v", aside, err)
	}
	onlyDatabase(t, fresh)

	broken := filepath.Join(elsewhere, "broken")
	data, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	for i := 2 * 4096; i < len(data); i++ {
		data[i] = 0xa5
	}
	if err := os.WriteFile(broken, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Restore(ctx, broken, fresh); err == nil {
		t.Error("a broken backup was restored")
	}
	if err := os.WriteFile(broken, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = store.Restore(ctx, broken, fresh)
	wantError(t, "no database", err, store.ErrNotOurs)
	onlyDatabase(t, fresh)
	if h, err := store.Check(ctx, fresh); err != nil || h.Players != 1 {
		t.Errorf("after restores that failed: %+v, %v", h, err)
	}
}

// TestRestoreOverWhatIsBroken checks that files left by a killed server do not get into the
// restored database.
func TestRestoreOverWhatIsBroken(t *testing.T) {
	s, folder, elsewhere, backup := backedUp(t)
	left := map[string][]byte{}
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(filepath.Join(folder, store.FileName+suffix))
		if err != nil || len(b) == 0 {
			t.Fatalf("%q: %d bytes, %v", suffix, len(b), err)
		}
		left[suffix] = b
	}
	for name, database := range map[string][]byte{"broken": []byte(strings.Repeat("no database ", 1000)), "gone": nil} {
		data := filepath.Join(elsewhere, name)
		if err := os.Mkdir(data, 0o700); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(data, store.FileName)
		if err := os.WriteFile(file+"-wal", left["-wal"], 0o600); err != nil {
			t.Fatal(err)
		}
		if database != nil {
			if err := os.WriteFile(file, database, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		aside, err := store.Restore(ctx, backup, data)
		if err != nil || (aside != "") != (database != nil) {
			t.Fatalf("%s: %q, %v", name, aside, err)
		}
		// Its log is kept with it.
		if kept, err := filepath.Glob(file + ".before-*-wal"); err != nil || len(kept) != 1 {
			t.Errorf("%s: kept are %v, %v", name, kept, err)
		}
		r := openIn(t, data)
		if _, err := r.Accounts.ByName(ctx, "Ann"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		_, err = r.Accounts.ByName(ctx, "Bob")
		wantError(t, name+": a player newer than the backup", err, store.ErrNotFound)
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if h, err := store.Check(ctx, data); err != nil || h.Players != 1 || len(h.Damage) > 0 {
			t.Errorf("%s: %+v, %v", name, h, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestRestoreOfAChangedBackup checks that a backup with triggers, views or other tables than those of
// Broadside is refused, and a backup of an earlier version is not.
func TestRestoreOfAChangedBackup(t *testing.T) {
	for change, says := range map[string]string{
		"":                                     "",
		"UPDATE players SET name = 'Bob'":      "",
		"CREATE VIEW scores AS SELECT 1":       "the view scores",
		"CREATE TABLE more (a TEXT)":           "the table more",
		"CREATE INDEX more ON players (kind)":  "the index more",
		"DROP INDEX skeletons_player":          "the index skeletons_player is missing",
		"ALTER TABLE players ADD COLUMN a INT": "the table players",
		"CREATE TRIGGER goose_db_version AFTER INSERT ON keys BEGIN DELETE FROM bans; END": "the trigger goose_db_version",
	} {
		_, _, _, backup := backedUp(t)
		db, err := sql.Open("sqlite", "file:"+backup)
		if err != nil {
			t.Fatal(err)
		}
		_, err = db.Exec(change)
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		aside, err := store.Restore(ctx, backup, t.TempDir())
		if changed := errors.Is(err, store.ErrForeignSchema); aside != "" || changed != (says != "") || changed && !strings.Contains(err.Error(), says) || !changed && err != nil {
			t.Errorf("Restore after %q: error %v, want one about %q", change, err, says)
		}
	}
}

// TestRestoreOfEarlierVersions checks that backups with the schema of any earlier version are restored.
func TestRestoreOfEarlierVersions(t *testing.T) {
	aboutFiles(t)
	for version := int64(1); ; version++ {
		backup := filepath.Join(t.TempDir(), "backup")
		db, err := sql.Open("sqlite", "file:"+backup)
		if err != nil {
			t.Fatal(err)
		}
		sch, err := schema.OfSQLite(db)
		if err == nil {
			err = sch.Upgrade(ctx, version)
		}
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		h, err := store.Check(ctx, backup)
		// Check cannot read the first schemas, which were never released.
		if err != nil && version < 5 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.Restore(ctx, backup, t.TempDir()); err != nil {
			t.Errorf("the schema %d: %v", h.Schema, err)
		}
		if version >= h.Newest {
			return
		}
	}
}
