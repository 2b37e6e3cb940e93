package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/must"
)

func wantError(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestAccounts(t *testing.T) {
	s := openStore(t)
	ann, err := s.Accounts.CreatePerson(ctx, "Ann", store.Key{Fingerprint: "SHA256:ann", Label: "laptop"})
	must.Do(err)
	for what, find := range map[string]func() (store.Player, error){
		"by ID":                func() (store.Player, error) { return s.Accounts.FindByID(ctx, ann.ID) },
		"by name":              func() (store.Player, error) { return s.Accounts.FindByName(ctx, "Ann") },
		"by name in any case":  func() (store.Player, error) { return s.Accounts.FindByName(ctx, "aNN") },
		"by key":               func() (store.Player, error) { return s.Accounts.FindByKey(ctx, "SHA256:ann") },
		"by name, once stored": func() (store.Player, error) { return s.Accounts.FindByName(ctx, ann.Name) },
	} {
		got, err := find()
		if err != nil || got.ID != ann.ID || got.Name != "Ann" || got.Kind != store.Person || !got.Created.Equal(ann.Created) {
			t.Errorf("%s: %+v, %v, want %+v", what, got, err, ann)
		}
	}
	_, err = s.Accounts.FindByID(ctx, "nobody")
	wantError(t, "unknown ID", err, store.ErrNotFound)
	_, err = s.Accounts.FindByName(ctx, "nobody")
	wantError(t, "unknown name", err, store.ErrNotFound)
	_, err = s.Accounts.FindByKey(ctx, "SHA256:nobody")
	wantError(t, "unknown key", err, store.ErrNotFound)

	_, err = s.Accounts.CreatePerson(ctx, "ANN", store.Key{Fingerprint: "SHA256:other"})
	wantError(t, "taken name", err, store.ErrNameTaken)
	_, err = s.Accounts.CreatePerson(ctx, "Bob", store.Key{Fingerprint: "SHA256:ann"})
	wantError(t, "taken key", err, store.ErrKeyTaken)
	_, err = s.Accounts.FindByName(ctx, "Bob")
	wantError(t, "the account that was not made", err, store.ErrNotFound)

	bob := createPerson(t, s, "Bob")
	wantError(t, "renaming to a taken name", s.Accounts.Rename(ctx, bob.ID, "ann", ""), store.ErrNameTaken)
	wantError(t, "renaming nobody", s.Accounts.Rename(ctx, "nobody", "x", ""), store.ErrNotFound)
	if err := s.Accounts.Rename(ctx, bob.ID, "bOb", ""); err != nil {
		t.Errorf("renaming in another case: %v", err)
	}
	must.Do(s.Accounts.Rename(ctx, bob.ID, "Bert", "op"))
	wantError(t, "an operator takes a taken name", s.Accounts.Rename(ctx, ann.ID, "bert", "op"), store.ErrNameTaken)
	if got, want := listAuditLog(t, s), []string{"op rename bOb to Bert"}; !slices.Equal(got, want) {
		t.Errorf("log: %q, want %q: an act that failed is none", got, want)
	}
	if got, err := s.Accounts.FindByName(ctx, "bert"); err != nil || got.ID != bob.ID {
		t.Errorf("by the new name: %+v, %v", got, err)
	}
	wantError(t, "a name that was given up", s.Accounts.Rename(ctx, ann.ID, "Bob", ""), store.ErrNameTaken)
}

func TestSettings(t *testing.T) {
	s := openStore(t)
	ann := createPerson(t, s, "Ann")
	if string(ann.Settings) != "{}" {
		t.Errorf("settings of a new account: %s", ann.Settings)
	}
	want := json.RawMessage(`{"theme":"dark","beep":true}`)
	must.Do(s.Accounts.SaveSettings(ctx, ann.ID, want))
	if got, err := s.Accounts.FindByID(ctx, ann.ID); err != nil || string(got.Settings) != string(want) {
		t.Errorf("settings: %s, %v", got.Settings, err)
	}
	if err := s.Accounts.SaveSettings(ctx, ann.ID, json.RawMessage(`{`)); err == nil {
		t.Error("settings that are no JSON were saved")
	}
	wantError(t, "settings of nobody", s.Accounts.SaveSettings(ctx, "nobody", want), store.ErrNotFound)
}

func TestKeys(t *testing.T) {
	s := openStore(t)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	second := store.Key{Fingerprint: "SHA256:desk", Player: ann.ID, Label: "desk"}
	for range 2 { // the second time changes nothing
		must.Do(s.Keys.Add(ctx, second))
	}
	second.Player = bob.ID
	wantError(t, "another account's key", s.Keys.Add(ctx, second), store.ErrKeyTaken)
	wantError(t, "a key for nobody", s.Keys.Add(ctx, store.Key{Fingerprint: "SHA256:x", Player: "nobody"}), store.ErrNotFound)
	must.Do(s.Keys.MarkUsed(ctx, "SHA256:desk"))
	wantError(t, "use of an unknown key", s.Keys.MarkUsed(ctx, "SHA256:x"), store.ErrNotFound)
	keys, err := s.Keys.ListByPlayer(ctx, ann.ID)
	if err != nil || len(keys) != 2 || keys[1].Label != "desk" || keys[0].Fingerprint != "SHA256:Ann" ||
		keys[1].Used.Before(keys[1].Added) || keys[1].Added.Before(keys[0].Added) {
		t.Errorf("keys: %+v, %v", keys, err)
	}
	wantError(t, "removing another account's key", s.Keys.Remove(ctx, bob.ID, "SHA256:desk"), store.ErrNotFound)
	must.Do(s.Keys.Remove(ctx, ann.ID, "SHA256:Ann"))
	wantError(t, "removing the last key", s.Keys.Remove(ctx, ann.ID, "SHA256:desk"), store.ErrLastKey)
	if got, err := s.Accounts.FindByKey(ctx, "SHA256:desk"); err != nil || got.ID != ann.ID {
		t.Errorf("by the last key: %+v, %v", got, err)
	}
	_, err = s.Accounts.FindByKey(ctx, "SHA256:Ann")
	wantError(t, "a removed key", err, store.ErrNotFound)
}

func TestBotsAndPrograms(t *testing.T) {
	s := openStore(t)
	createPerson(t, s, "Ann")
	hard, err := s.Accounts.EnsureBot(ctx, "hard")
	if err != nil || hard.Kind != store.Bot {
		t.Fatal(hard, err)
	}
	if again, err := s.Accounts.EnsureBot(ctx, "hard"); err != nil || again.ID != hard.ID {
		t.Errorf("the same bot again: %+v, %v", again, err)
	}
	_, err = s.Accounts.EnsureBot(ctx, "ann")
	wantError(t, "a bot with a person's name", err, store.ErrNameTaken)
	_, err = s.Accounts.CreatePerson(ctx, "Hard", store.Key{Fingerprint: "SHA256:x"})
	wantError(t, "a person with a bot's name", err, store.ErrNameTaken)
}

// hostile lists texts that have broken other programs.
var hostile = []string{
	`'; DROP TABLE players; --`, `"`, "`", `\`, `%_*?`, "$1", "?1", ":name", "@x", "",
	"\x1b[2J\x1b]0;title\a", "line\r\nbreak\ttab", "\u202eevil\u202c", "e\u0301", "ﬀ", "İıſK", "🚢⚓", "\ufeff", "\uffff",
	"NULL", "0x41", "1e5", "NaN", "{}", "null", strings.Repeat("x", 100_000),
}

func TestHostileText(t *testing.T) {
	folder := t.TempDir()
	s := openStoreIn(t, folder)
	for i, text := range hostile {
		name := fmt.Sprint(i, text)
		p, err := s.Accounts.CreatePerson(ctx, name, store.Key{Fingerprint: name, Label: text})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got, err := s.Accounts.FindByID(ctx, p.ID); err != nil || got.Name != name {
			t.Errorf("%q came back as %q: %v", name, got.Name, err)
		}
		if got, err := s.Accounts.FindByName(ctx, name); err != nil || got.ID != p.ID {
			t.Errorf("%q is not found by name: %v", name, err)
		}
		if got, err := s.Accounts.FindByKey(ctx, name); err != nil || got.ID != p.ID {
			t.Errorf("%q is not found by key: %v", name, err)
		}
		if keys, err := s.Keys.ListByPlayer(ctx, p.ID); err != nil || keys[0].Label != text {
			t.Errorf("the label %q: %+v, %v", text, keys, err)
		}
		settings, _ := json.Marshal(text)
		if err := s.Accounts.SaveSettings(ctx, p.ID, settings); err != nil {
			t.Errorf("settings %q: %v", settings, err)
		}
		if got, err := s.Accounts.FindByID(ctx, p.ID); err != nil || string(got.Settings) != string(settings) {
			t.Errorf("settings %q came back as %q: %v", settings, got.Settings, err)
		}
	}
	// Characters that no database can hold are removed, including those in queries.
	p, err := s.Accounts.CreatePerson(ctx, "a\x00b\xffc", store.Key{Fingerprint: "\x00z"})
	if err != nil || p.Name != "abc" {
		t.Errorf("zero bytes: %q, %v", p.Name, err)
	}
	if got, err := s.Accounts.FindByName(ctx, "A\x00bC"); err != nil || got.ID != p.ID {
		t.Errorf("zero bytes in a name that is looked for: %v", err)
	}
	_, err = s.Accounts.CreatePerson(ctx, "ABC", store.Key{Fingerprint: "y"})
	wantError(t, "the same name once cleaned", err, store.ErrNameTaken)
}
