package server

import (
	"context"
	"database/sql"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/sshd"
)

// slowDisk delays a store's changes while it is locked.
type slowDisk struct{ sync.Mutex }

func (d *slowDisk) Check(context.Context, *sql.Tx) error {
	d.Lock()
	defer d.Unlock()
	return nil
}

func (d *slowDisk) Done() <-chan struct{} { return nil }

// TestLanguageJustChosen asks for the language of a user whose settings are not stored yet.
func TestLanguageJustChosen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := new(slowDisk)
		db := storetest.OpenDisk(t, store.Config{Fence: disk}).Store
		log := slog.New(slog.DiscardHandler)
		current := lobbytest.Open(lobby.Config{Store: db, Log: log})
		t.Cleanup(current.Close)
		v := &service{store: db, lobby: current, log: log}
		user := sshd.User{Fingerprint: "SHA256:ann", Env: []string{"LANG=en_GB.UTF-8"}}
		ann, err := current.Accounts.Register(t.Context(), "ann", user.Fingerprint, "")
		if err != nil {
			t.Fatal(err)
		}
		if l := v.userLanguage(t.Context(), user); l != i18n.English {
			t.Errorf("before the choice: %v", l.Name())
		}
		disk.Lock()
		settings := current.Accounts.Settings(t.Context(), ann)
		settings.Language = "de"
		saved := current.Accounts.SaveSettings(ann, settings)
		if l := v.userLanguage(t.Context(), user); l.Name() != "Deutsch" {
			t.Errorf("before it is stored: %v", l.Name())
		}
		disk.Unlock()
		if err := <-saved; err != nil {
			t.Fatal(err)
		}
		if l := v.userLanguage(t.Context(), user); l.Name() != "Deutsch" {
			t.Errorf("after it is stored: %v", l.Name())
		}
	})
}
