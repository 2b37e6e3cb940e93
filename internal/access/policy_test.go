package access_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/access"
	"broadside/internal/store"
	"broadside/internal/test/leaks"
	"broadside/internal/test/sshtest"
	"broadside/internal/test/storetest"
)

func TestMain(m *testing.M) { leaks.Main(m) }

const fingerprint = "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// runInBubble runs a test with a store and a clock that the test controls.
func runInBubble(t *testing.T, test func(t *testing.T, s *store.Store, g *access.Policy)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := store.Open(t.Context(), store.Config{Folder: storetest.NewFolder(t)})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		test(t, s, reopenPolicy(t, s))
	})
}

func reopenPolicy(t *testing.T, s *store.Store) *access.Policy {
	t.Helper()
	g, err := access.Open(t.Context(), access.Config{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestBansEndByTheClock(t *testing.T) {
	runInBubble(t, func(t *testing.T, s *store.Store, g *access.Policy) {
		ctx := t.Context()
		for _, b := range []store.Ban{
			{Fingerprint: fingerprint, Reason: "rude", Expires: time.Now().Add(time.Hour)},
			{Network: netip.MustParsePrefix("192.0.2.0/24"), Expires: time.Now().Add(2 * time.Hour)},
			{Network: netip.MustParsePrefix("2001:db8:1:2::/64")},
		} {
			if _, err := g.Ban(ctx, b); err != nil {
				t.Fatal(err)
			}
		}
		check := func(key, four, six bool) {
			t.Helper()
			for _, g := range []*access.Policy{g, reopenPolicy(t, s)} {
				if err := g.CheckKey(ctx, fingerprint); (err != nil) != key {
					t.Errorf("key: %v", err)
				} else if key && !(strings.Contains(err.Error(), "rude") && strings.Contains(err.Error(), "until 2000-01-01 01:00 UTC")) {
					t.Errorf("the message to a banned player is %q", err)
				}
				for text, banned := range map[string]bool{
					"192.0.2.255": four, "192.0.3.0": false, "2001:db8:1:2:ffff::1": six, "2001:db8:1:3::1": false,
				} {
					a := netip.MustParseAddr(text)
					if err := g.CheckAddress(a); (err != nil) != banned {
						t.Errorf("%v: %v", a, err)
					}
					if err := g.CheckProgram(a); (err != nil) != banned {
						t.Errorf("a program at %v: %v", a, err)
					}
				}
				if err := g.CheckKey(ctx, ""); err != nil {
					t.Errorf("a guest: %v", err)
				}
			}
		}
		check(true, true, true)
		time.Sleep(time.Hour - time.Second)
		check(true, true, true)
		time.Sleep(time.Second)
		check(false, true, true)
		time.Sleep(time.Hour)
		check(false, false, true)
		all := g.Bans()
		if len(all) != 1 {
			t.Fatalf("bans that last: %v", all)
		}
		if err := g.LiftBan(ctx, all[0].ID, "op"); err != nil {
			t.Fatal(err)
		}
		check(false, false, false)
		if err := g.LiftBan(ctx, all[0].ID, "op"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("lifted twice: %v", err)
		}
	})
}

// TestRefresh checks that an operator's change at one server applies at another with the
// same store.
func TestRefresh(t *testing.T) {
	runInBubble(t, func(t *testing.T, s *store.Store, g *access.Policy) {
		ctx, other, addr := t.Context(), reopenPolicy(t, s), netip.MustParseAddr("192.0.2.7")
		refresh := func(want bool) {
			t.Helper()
			if changed, err := other.Refresh(ctx); err != nil || changed != want {
				t.Errorf("changed: %v, %v, want %v", changed, err, want)
			}
		}
		refresh(false)
		b, err := g.Ban(ctx, store.Ban{Network: netip.MustParsePrefix("192.0.2.0/24")})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Ban(ctx, store.Ban{Fingerprint: fingerprint}); err != nil {
			t.Fatal(err)
		}
		refresh(true)
		refresh(false)
		for _, banned := range []error{other.CheckAddress(addr), other.CheckBans(addr, ""), other.CheckBans(netip.Addr{}, fingerprint)} {
			if banned == nil {
				t.Error("a client banned at one server is admitted at the other")
			}
		}
		if err := other.CheckBans(netip.MustParseAddr("192.0.3.7"), "SHA256:x"); err != nil {
			t.Error(err)
		}
		if err := g.LiftBan(ctx, b.ID, "op"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Accounts.CreatePerson(ctx, "ann", store.Key{Fingerprint: "key of ann"}); err != nil {
			t.Fatal(err)
		}
		if err := g.SetLockdown(ctx, true, "op"); err != nil {
			t.Fatal(err)
		}
		refresh(true)
		if err := other.CheckKey(ctx, "key of ann"); err != nil {
			t.Errorf("a player with an account: %v", err)
		}
		if err := other.CheckKey(ctx, "key of bob"); !errors.Is(err, access.ErrLockdown) {
			t.Errorf("a player without an account: %v", err)
		}
		if err := other.CheckAddress(addr); err != nil || !other.IsLocked() {
			t.Errorf("the ban that was lifted: %v; locked: %v", err, other.IsLocked())
		}
		refresh(false)
		if err := g.SetLockdown(ctx, false, "op"); err != nil {
			t.Fatal(err)
		}
		if refresh(true); other.IsLocked() {
			t.Error("the lockdown goes on at the other server")
		}
	})
}

func TestTheLongestBanIsTold(t *testing.T) {
	runInBubble(t, func(t *testing.T, s *store.Store, g *access.Policy) {
		for reason, d := range map[string]time.Duration{"short": time.Hour, "long": 3 * time.Hour, "middle": 2 * time.Hour} {
			if _, err := g.Ban(t.Context(), store.Ban{Fingerprint: fingerprint, Reason: reason, Expires: time.Now().Add(d)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.CheckKey(t.Context(), fingerprint); err == nil || !strings.HasSuffix(err.Error(), ": long") {
			t.Errorf("told: %v", err)
		}
		if _, err := g.Ban(t.Context(), store.Ban{Fingerprint: fingerprint, Reason: "ever"}); err != nil {
			t.Fatal(err)
		}
		if err := g.CheckKey(t.Context(), fingerprint); err == nil || err.Error() != "you are banned from this server: ever" {
			t.Errorf("told: %v", err)
		}
	})
}

func TestLockdown(t *testing.T) {
	runInBubble(t, func(t *testing.T, s *store.Store, g *access.Policy) {
		ctx := t.Context()
		if _, err := s.Accounts.CreatePerson(ctx, "ann", store.Key{Fingerprint: "key of ann"}); err != nil {
			t.Fatal(err)
		}
		check := func(g *access.Policy, want string) {
			t.Helper()
			got := ""
			for _, name := range []string{"ann", "who"} {
				if err := g.CheckKey(ctx, "key of "+name); err == nil {
					got += name + " "
				} else if !errors.Is(err, access.ErrLockdown) {
					t.Errorf("%s: %v", name, err)
				}
			}
			if g.CheckKey(ctx, "") == nil {
				got += "guest "
			}
			if g.CheckProgram(netip.MustParseAddr("192.0.2.1")) == nil {
				got += "program "
			}
			if got != want {
				t.Errorf("in come %q, want %q", got, want)
			}
		}
		set := func(on bool) {
			t.Helper()
			if err := g.SetLockdown(ctx, on, "op"); err != nil {
				t.Fatal(err)
			}
		}
		check(g, "ann who guest program ")
		set(true)
		check(g, "ann ")
		check(reopenPolicy(t, s), "ann ")
		set(false)
		check(g, "ann who guest program ")
		check(reopenPolicy(t, s), "ann who guest program ")
	})
}

func TestAdmins(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys")
	a := access.NewOperators(file, nil)
	var lines, fingerprints []string
	for range 3 {
		key := sshtest.NewSigner(t).PublicKey()
		lines = append(lines, strings.TrimSpace(string(gossh.MarshalAuthorizedKey(key))))
		fingerprints = append(fingerprints, gossh.FingerprintSHA256(key))
	}
	for _, c := range []struct {
		text string // of the file; none is written if empty
		want [3]string
	}{
		{"", [3]string{}},
		{"# nobody\n", [3]string{}},
		{lines[0] + " ann@home\n", [3]string{"ann@home"}},
		{"\n" + lines[1] + "\r\n  " + lines[2] + " cyd", [3]string{"", fingerprints[1], "cyd"}},
		{"# ours\r" + lines[0] + " ann\r\r" + lines[1] + " bob\r", [3]string{"ann", "bob"}},
		{"rubbish\nssh-ed25519 AAAA no key\n" + lines[0] + " ann", [3]string{"ann"}},
		{`from="192.0.2.1" ` + lines[0] + " ann\n" + lines[1] + " bob", [3]string{"", "bob"}},
		{"#" + lines[0], [3]string{}},
	} {
		if c.text != "" {
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for i, f := range fingerprints {
			if name, ok := a.Name(f); name != c.want[i] || ok != (name != "") {
				t.Errorf("%q: key %d is of %q, %t, want %q", c.text, i, name, ok, c.want[i])
			}
		}
		if _, ok := a.Name(""); ok {
			t.Error("a guest is an operator")
		}
	}
}

// TestFaultsOfAdminsAreLoggedOnce checks that a fault of the file is logged once, however
// often clients are looked up.
func TestFaultsOfAdminsAreLoggedOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes")
	}
	file := filepath.Join(t.TempDir(), "keys")
	key := sshtest.NewSigner(t).PublicKey()
	if err := os.WriteFile(file, gossh.MarshalAuthorizedKey(key), 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	a := access.NewOperators(file, slog.New(slog.NewTextHandler(&log, nil)))
	lookUp := func(mode os.FileMode, want bool) {
		t.Helper()
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if _, ok := a.Name(gossh.FingerprintSHA256(key)); ok != want {
				t.Fatalf("mode %04o: an operator: %t", mode, ok)
			}
		}
	}
	lookUp(0o600, true)
	lookUp(0o666, false)
	lookUp(0o600, true)
	lookUp(0o622, false)
	if n := strings.Count(log.String(), "level=ERROR"); n != 2 || strings.Count(log.String(), "\n") != 2 || !strings.Contains(log.String(), "mode 0666") {
		t.Errorf("the log is\n%s", log.String())
	}
}

func TestOperatorIsNotKeptOut(t *testing.T) {
	s, err := store.Open(t.Context(), store.Config{Folder: storetest.NewFolder(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	key := sshtest.NewSigner(t).PublicKey()
	file := filepath.Join(t.TempDir(), "keys")
	g, err := access.Open(t.Context(), access.Config{Store: s, Operators: access.NewOperators(file, nil)})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.SetLockdown(t.Context(), true, "op"); err != nil {
		t.Fatal(err)
	}
	if err := g.CheckKey(t.Context(), gossh.FingerprintSHA256(key)); !errors.Is(err, access.ErrLockdown) {
		t.Errorf("before: %v", err)
	}
	if err := os.WriteFile(file, gossh.MarshalAuthorizedKey(key), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := g.CheckKey(t.Context(), gossh.FingerprintSHA256(key)); err != nil {
		t.Errorf("an operator: %v", err)
	}
}
