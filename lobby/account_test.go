package lobby_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/code"
)

// receive enters a player whom the store must look up.
func receive(t *testing.T, l *lobby.Lobby, name, key string) account.Player {
	t.Helper()
	return must.Get(l.Accounts.IdentifyClient(t.Context(), name, key))
}

// enterNew enters a player with a new key, who is initially a guest.
func enterNew(t *testing.T, l *lobby.Lobby, name string) *lobby.Member {
	t.Helper()
	v := l.Enter(receive(t, l, name, "SHA256:"+name))
	t.Cleanup(v.Leave)
	return v
}

// register registers an account and signs a member in to it.
func register(t *testing.T, l *lobby.Lobby, m *lobby.Member, name, key, label string) (account.Player, error) {
	p, err := l.Accounts.Register(t.Context(), name, key, label)
	if err == nil {
		m.SignIn(p, key)
	}
	return p, err
}

// linkKey adds a key to the account of a link code and signs a member in to it.
func linkKey(t *testing.T, l *lobby.Lobby, m *lobby.Member, code, key, label string) (account.Player, error) {
	p, err := l.Accounts.LinkKey(t.Context(), code, key, label)
	if err == nil {
		m.SignIn(p, key)
	}
	return p, err
}

func TestRegister(t *testing.T) {
	l := openWith(t, storetest.Open(t))
	v := enterNew(t, l, "ann")
	if p := v.Player(); p.Account != "" || p.Guest {
		t.Errorf("at first %+v", p)
	}
	p, err := register(t, l, v, "Ann", "SHA256:ann", "laptop")
	if err != nil || p.Name != "Ann" || p.Account == "" || p.Guest || v.Player() != p {
		t.Fatalf("registered as %+v, %v, and known as %+v", p, err, v.Player())
	}
	if again := receive(t, l, "whoever", "SHA256:ann"); again != p {
		t.Errorf("the key opens %+v, want %+v", again, p)
	}
	for name, want := range map[string]error{"ANN": account.ErrNameTaken, "admiral": account.ErrNameReserved, "x": account.ErrName} {
		if _, err := register(t, l, enterNew(t, l, "bob"), name, "SHA256:bob", ""); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", name, err, want)
		}
	}
	if _, err := register(t, l, enterNew(t, l, "eve"), "Eve", "", ""); !errors.Is(err, account.ErrNoKey) {
		t.Errorf("without a key: %v", err)
	}
	// Two sessions with the same new key.
	if p2, err := register(t, l, enterNew(t, l, "ann2"), "Anna", "SHA256:ann", ""); err != nil || p2 != p {
		t.Errorf("a key that is known by now: %+v, %v", p2, err)
	}
}

// TestAccountKeepsItsName checks that an account keeps its name even if a guest is using
// it.
func TestAccountKeepsItsName(t *testing.T) {
	s, l := openStored(t)
	guest := l.Enter(account.Player{Name: "Ann"})
	defer guest.Leave()
	a := l.Enter(newAccount(t, s, "ann"))
	if a.Player().Name != "ann" {
		t.Errorf("the account is called %q", a.Player().Name)
	}
	late := l.Enter(account.Player{Name: "ANN"})
	defer late.Leave()
	if late.Player().Name == "ANN" {
		t.Error("a guest is called like an account that is here")
	}
	against(t, l, a.Player(), "easy")
	must.Do(l.Accounts.RenameByOperator(t.Context(), a.Player().Account, "anchor", "operator"))
	a.Leave()
	again := l.Enter(receive(t, l, "ann", "SHA256:ann"))
	defer again.Leave()
	if again.Player().Name != "anchor" {
		t.Errorf("the account, renamed during a match, is called %q", again.Player().Name)
	}
}

func TestLinkCodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := openWith(t, storetest.Open(t))
		ann := enterNew(t, l, "ann")
		if _, _, err := l.Accounts.NewLinkCode(ann.Player()); !errors.Is(err, account.ErrNoKey) {
			t.Errorf("a guest's link code: %v", err)
		}
		p := must.Get(register(t, l, ann, "ann", "SHA256:ann", ""))
		code := func() string {
			t.Helper()
			c, until, err := l.Accounts.NewLinkCode(ann.Player())
			if err != nil || len(c) != code.LinkLength+2 || time.Until(until) != account.LinkCodeLifetime {
				t.Fatalf("code %q until %v: %v", c, until, err)
			}
			return c
		}
		link := func(code, key string, want error) {
			t.Helper()
			v := enterNew(t, l, key)
			got, err := linkKey(t, l, v, code, "SHA256:"+key, "")
			if !errors.Is(err, want) || err == nil && (got != p || v.Player() != p) {
				t.Errorf("%s with %q: %+v, %v", key, code, got, err)
			}
		}
		first := code()
		second := code()
		// A newer code has replaced this one.
		link(first, "a", account.ErrLinkCode)
		link(strings.ToLower(strings.ReplaceAll(second, "-", " ")), "b", nil)
		// The code has been used.
		link(second, "c", account.ErrLinkCode)
		late := code()
		time.Sleep(account.LinkCodeLifetime)
		link(late, "d", account.ErrLinkCode)
		// The account already has this key.
		link(code(), "ann", nil)

		keys, err := l.Accounts.Keys(t.Context(), ann.Player())
		if err != nil || len(keys) != 2 {
			t.Fatalf("keys %v, %v", keys, err)
		}
		time.Sleep(time.Minute)
		receive(t, l, "ann", "SHA256:ann")
		synctest.Wait()
		if keys := must.Get(l.Accounts.Keys(t.Context(), ann.Player())); !keys[0].Used.Equal(time.Now()) {
			t.Errorf("the key was used at %v, want %v", keys[0].Used, time.Now())
		}
		guesser := enterNew(t, l, "guesser")
		if _, err := linkKey(t, l, guesser, "AAA-AAA-AAA", "SHA256:guesser", ""); !errors.Is(err, account.ErrLinkCode) {
			t.Errorf("a guess: %v", err)
		}
	})
}

// TestNewcomersAreGuests checks that the lobby does not show the name that a client sent
// until the player has chosen one.
func TestNewcomersAreGuests(t *testing.T) {
	_, l := openStored(t)
	v := l.Enter(receive(t, l, "jdoe", "SHA256:new"))
	if p := v.Player(); p.Name != "guest" || p.Account != "" {
		t.Errorf("a newcomer is %+v", p)
	}
	w := l.Enter(account.Player{Name: "witness"})
	for _, here := range (<-w.Snapshots()).People {
		if here.Player.Name == "jdoe" {
			t.Error("the lobby shows the name that the client sent")
		}
	}
	if p, err := register(t, l, v, "jane", "SHA256:new", "jdoe"); err != nil || p.Name != "jane" || v.Player() != p {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestAccountsWithoutTheDisk checks that an error of the store becomes a message, and makes
// no one a guest.
func TestAccountsWithoutTheDisk(t *testing.T) {
	s, l := openStored(t)
	v := enterNew(t, l, "ann")
	must.Do(s.Close())
	if _, err := register(t, l, v, "ann", "SHA256:ann", ""); !errors.Is(err, account.ErrStore) {
		t.Errorf("registering: %v", err)
	}
	for _, key := range []string{"SHA256:ann", ""} {
		if p, err := l.Accounts.IdentifyClient(t.Context(), "ann", key); !errors.Is(err, account.ErrLookup) {
			t.Errorf("let in with the key %q as %+v, %v", key, p, err)
		}
	}
}

// TestRenameOnceADay checks that a player chooses another name once a day, may change its look at any
// time, and that operators rename whenever they need.
func TestRenameOnceADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, l := openStored(t)
		ann := newAccount(t, s, "ann")
		rename := func(name string, want error) {
			t.Helper()
			err := l.Accounts.Rename(t.Context(), ann, name)
			if !errors.Is(err, want) {
				t.Errorf("renaming to %s: %v, want %v", name, err, want)
			}
			if err == nil {
				ann.Name = name
			}
		}
		rename("anchor", nil)
		rename("anna", account.ErrRenamedToday)
		rename("Anch0r", nil)
		must.Do(l.Accounts.RenameByOperator(t.Context(), ann.Account, "annika", "operator"))
		ann.Name = "annika"
		rename("Anch0r", account.ErrRenamedToday)
		time.Sleep(account.RenamePause - time.Second)
		rename("anchor", account.ErrRenamedToday)
		time.Sleep(time.Second)
		rename("anchor", nil)
	})
}

// TestOpenFailsWithoutDatabase checks that a lobby does not open without its accounts and running matches.
func TestOpenFailsWithoutDatabase(t *testing.T) {
	s := storetest.Open(t)
	s.Close()
	if l, err := lobby.Open(t.Context(), lobby.Config{Store: s}); err == nil {
		l.Close()
		t.Error("a lobby opens with a closed database")
	}
}
