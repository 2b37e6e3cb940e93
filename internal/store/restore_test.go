package store_test

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"broadside/internal/store"
	"broadside/internal/store/schema"
	"broadside/internal/test/must"
)

// newBackup returns a store in a folder, and a backup of it elsewhere that has Ann, but
// not Bob.
func newBackup(t *testing.T) (s *store.Store, folder, elsewhere, backup string) {
	t.Helper()
	skipOnPostgres(t)
	folder, elsewhere = t.TempDir(), t.TempDir()
	s, err := store.Open(ctx, store.Config{Folder: folder, Exclusive: true})
	must.Do(err)
	t.Cleanup(func() { s.Close() })
	createPerson(t, s, "Ann")
	backup = filepath.Join(elsewhere, "backup")
	must.Do(store.Backup(ctx, folder, backup))
	createPerson(t, s, "Bob")
	return s, folder, elsewhere, backup
}

func TestRestore(t *testing.T) {
	s, folder, elsewhere, backup := newBackup(t)
	wantError(t, "a server is at work", store.Restore(ctx, backup, folder), store.ErrInUse)
	must.Do(s.Close())
	must.Do(store.Restore(ctx, backup, folder))
	requireOnlyAnn(t, folder)
	if info, err := os.Stat(filepath.Join(folder, store.FileName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	fresh := filepath.Join(elsewhere, "new", "folder")
	if err := store.Restore(ctx, backup, fresh); err != nil {
		t.Errorf("into a new folder: %v", err)
	}
	requireOnlyDatabase(t, fresh)

	data := must.Get(os.ReadFile(backup))
	torn := append(bytes.Clone(data[:2*4096]), bytes.Repeat([]byte{0xa5}, len(data)-2*4096)...)
	for what, broken := range map[string]struct {
		content []byte
		want    error
	}{
		"empty": {nil, store.ErrDamaged}, "torn": {torn, store.ErrDamaged}, "cut": {data[:len(data)/2/4096*4096], store.ErrDamaged},
		"no database": {[]byte("no database"), store.ErrNotOurs},
	} {
		file := filepath.Join(elsewhere, what)
		must.Do(os.WriteFile(file, broken.content, 0o600))
		wantError(t, what, store.Restore(ctx, file, fresh), broken.want)
		requireOnlyDatabase(t, fresh)
	}
	requireOnlyAnn(t, fresh)
}

// requireOnlyAnn checks that a folder has a sound database in which Ann is, and not Bob.
func requireOnlyAnn(t *testing.T, folder string) {
	t.Helper()
	s := reopenStore(t, folder)
	defer s.Close()
	if _, err := s.Accounts.FindByName(ctx, "Ann"); err != nil {
		t.Error(err)
	}
	_, err := s.Accounts.FindByName(ctx, "Bob")
	wantError(t, "a player newer than the backup", err, store.ErrNotFound)
	if h, err := store.Check(ctx, folder); err != nil || h.Players != 1 || len(h.Damage) > 0 {
		t.Errorf("%+v, %v", h, err)
	}
}

// TestRestoreOverWhatIsBroken checks that files left by a killed server do not get into the
// restored database.
func TestRestoreOverWhatIsBroken(t *testing.T) {
	_, folder, elsewhere, backup := newBackup(t)
	wal, err := os.ReadFile(filepath.Join(folder, store.FileName+"-wal"))
	if err != nil || len(wal) == 0 {
		t.Fatalf("%d bytes, %v", len(wal), err)
	}
	for name, database := range map[string]string{"broken": strings.Repeat("no database ", 1000), "gone": ""} {
		data := filepath.Join(elsewhere, name)
		must.Do(os.Mkdir(data, 0o700))
		file := filepath.Join(data, store.FileName)
		must.Do(os.WriteFile(file+"-wal", wal, 0o600))
		if database != "" {
			must.Do(os.WriteFile(file, []byte(database), 0o600))
		}
		if err := store.Restore(ctx, backup, data); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		requireOnlyAnn(t, data)
	}
}

// TestRestoreOfAChangedBackup checks that a backup with triggers, views or other tables than those of
// Broadside is refused, and a backup of an earlier version is not.
func TestRestoreOfAChangedBackup(t *testing.T) {
	skipOnPostgres(t)
	earlier := filepath.Join(t.TempDir(), "backup")
	db := must.Get(sql.Open("sqlite", "file:"+earlier))
	must.Do(must.Get(schema.NewSQLite(db)).Upgrade(ctx, beforeJournal))
	must.Do(db.Close())
	must.Do(store.Restore(ctx, earlier, t.TempDir()))
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
		_, _, _, backup := newBackup(t)
		db, err := sql.Open("sqlite", "file:"+backup)
		must.Do(err)
		_, err = db.Exec(change)
		must.Do(errors.Join(err, db.Close()))
		err = store.Restore(ctx, backup, t.TempDir())
		if changed := errors.Is(err, store.ErrForeignSchema); changed != (says != "") || changed && !strings.Contains(err.Error(), says) || !changed && err != nil {
			t.Errorf("Restore after %q: error %v, want one about %q", change, err, says)
		}
	}
}
