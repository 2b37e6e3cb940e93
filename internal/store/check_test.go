package store_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/match"
)

func TestCheck(t *testing.T) {
	skipOnPostgres(t)
	folder := t.TempDir()
	_, err := store.Check(ctx, folder)
	wantError(t, "an empty folder", err, fs.ErrNotExist)
	s := openStoreIn(t, folder)
	a, b := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	m := newFinishedMatch(newRandom(12), a, b, match.First, start)
	finishMatch(t, s, m)
	sound := func(when string) {
		t.Helper()
		h, err := store.Check(ctx, folder)
		if err != nil || len(h.Damage) > 0 || h.Schema == 0 || h.Schema != h.Newest || h.Players != 2 || h.Matches != 1 || h.LastMatchEnd.Before(start) || h.LastMatchEnd.After(start.Add(24*time.Hour)) {
			t.Errorf("%s: %+v, %v", when, h, err)
		}
	}
	sound("while it is open")
	must.Do(s.Close())
	sound("when it is closed")
	requireOnlyDatabase(t, folder)

	file := filepath.Join(folder, store.FileName)
	data := must.Get(os.ReadFile(file))
	copy(data[3*4096:], bytes.Repeat([]byte{0xa5}, 8*4096))
	must.Do(os.WriteFile(file, data, 0o600))
	if h, err := store.Check(ctx, file); err == nil && len(h.Damage) == 0 {
		t.Errorf("damage is not found: %+v", h)
	}
	must.Do(os.WriteFile(file, []byte("something else"), 0o600))
	_, err = store.Check(ctx, file)
	wantError(t, "another file", err, store.ErrNotOurs)
}
