package store_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/match"
)

// TestBackupWhileWriting checks that a backup made while matches are stored is a
// complete database, with ratings that follow from its matches.
func TestBackupWhileWriting(t *testing.T) {
	skipOnPostgres(t)
	folder, elsewhere := t.TempDir(), t.TempDir()
	s := openStoreIn(t, folder)
	a, b := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	rng := newRandom(12)
	before := newFinishedMatch(rng, a, b, match.First, start)
	finishMatch(t, s, before)

	done := make(chan struct{})
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Go(func() {
			rng := newRandom(uint64(20 + w))
			for {
				select {
				case <-done:
					return
				default:
				}
				if _, err := s.Matches.Finish(ctx, newFinishedMatch(rng, a, b, match.Side(rng.IntN(2)), start)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := range 2 {
		restored := filepath.Join(elsewhere, string(rune('a'+i)))
		must.Do(os.Mkdir(restored, 0o700))
		file := filepath.Join(restored, store.FileName)
		must.Do(store.Backup(ctx, folder, file))
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the backup can be read by others: %v, %v", info.Mode(), err)
		}
		wantError(t, "a file that is there", store.Backup(ctx, folder, file), fs.ErrExist)
		checkMatches(t, restored, []string{before.ID})
		checkRatings(t, restored)
		requireOnlyDatabase(t, restored)
	}
	close(done)
	wg.Wait()
}

// requireOnlyDatabase checks that a folder has only a closed database and the lock file.
func requireOnlyDatabase(t *testing.T, folder string) {
	t.Helper()
	entries := must.Get(os.ReadDir(folder))
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return e.Name() == "broadside.lock" })
	if len(entries) != 1 || entries[0].Name() != store.FileName {
		t.Errorf("in the folder: %v", entries)
	}
}

func TestBackupThatFails(t *testing.T) {
	skipOnPostgres(t)
	folder, elsewhere := t.TempDir(), t.TempDir()
	if err := store.Backup(ctx, folder, filepath.Join(elsewhere, "b")); err == nil {
		t.Error("a backup of nothing")
	}
	openStoreIn(t, folder)
	if err := store.Backup(ctx, folder, filepath.Join(elsewhere, "no", "such", "folder")); err == nil {
		t.Error("a backup to a folder that is not there")
	}
	file := filepath.Join(elsewhere, "precious")
	must.Do(os.WriteFile(file, []byte("precious"), 0o600))
	wantError(t, "over a file", store.Backup(ctx, folder, file), fs.ErrExist)
	if got, err := os.ReadFile(file); err != nil || string(got) != "precious" {
		t.Errorf("the file is now %q, %v", got, err)
	}
	must.Do(os.Symlink("nowhere", filepath.Join(elsewhere, "link")))
	wantError(t, "over a link", store.Backup(ctx, folder, filepath.Join(elsewhere, "link")), fs.ErrExist)
	if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) != 2 {
		t.Errorf("something is left: %v, %v", entries, err)
	}
}
