package store_test

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
)

// listAuditLog returns the actions in the audit log, oldest first.
func listAuditLog(t *testing.T, s *store.Store) (acts []string) {
	t.Helper()
	all := must.Get(s.Audit.List(ctx, store.Cursor{}, 100))
	for _, a := range slices.Backward(all) {
		acts = append(acts, a.Actor+" "+a.Verb+" "+a.Subject+" "+a.Details)
	}
	return acts
}

func TestBans(t *testing.T) {
	s := openStore(t)
	key := must.Get(s.Bans.Add(ctx, store.Ban{Fingerprint: "SHA256:bad", Reason: "cheating", By: "op"}))
	network, err := s.Bans.Add(ctx, store.Ban{
		Network: netip.MustParsePrefix("2001:db8::7/64"), Reason: "flood", By: "op", Expires: start.Add(time.Hour),
	})
	if err != nil || network.Network.String() != "2001:db8::/64" {
		t.Fatal(network, err)
	}
	got, err := s.Bans.ListActive(ctx, start)
	if err != nil || !slices.Equal(got, []store.Ban{key, network}) {
		t.Errorf("bans: %+v, %v, want %+v", got, err, []store.Ban{key, network})
	}
	for at, want := range map[time.Time]int{
		start.Add(time.Hour - time.Second): 2, start.Add(time.Hour): 1, start.AddDate(100, 0, 0): 1,
	} {
		if got, err := s.Bans.ListActive(ctx, at); err != nil || len(got) != want {
			t.Errorf("at %v: %+v, %v", at, got, err)
		}
	}
	must.Do(s.Bans.Lift(ctx, key.ID, "boss"))
	wantError(t, "lifting it again", s.Bans.Lift(ctx, key.ID, "boss"), store.ErrNotFound)
	for what, b := range map[string]store.Ban{
		"of nobody": {Reason: "x"},
		"of both":   {Fingerprint: "x", Network: netip.MustParsePrefix("192.0.2.0/24")},
	} {
		if _, err := s.Bans.Add(ctx, b); err == nil {
			t.Errorf("a ban %s was stored", what)
		}
	}
	if got, want := listAuditLog(t, s), []string{
		"op ban SHA256:bad cheating",
		"op ban 2001:db8::/64 until 2026-11-21T21:15:00Z: flood",
		"boss unban SHA256:bad ",
	}; !slices.Equal(got, want) {
		t.Errorf("log: %q, want %q", got, want)
	}
}

func TestMutes(t *testing.T) {
	s := openStore(t)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	for _, m := range []store.Mute{
		{Player: ann.ID, Reason: "rude", By: "op", Expires: start.Add(time.Minute)},
		{Player: bob.ID, Reason: "spam", By: "op"},
		{Player: ann.ID, Reason: "still rude", By: "op", Expires: start.Add(time.Hour)},
	} {
		must.Do(s.Mutes.Add(ctx, m))
	}
	got, err := s.Mutes.ListActive(ctx, start.Add(10*time.Minute))
	if err != nil || len(got) != 2 || got[0].Player != bob.ID || got[1].Reason != "still rude" || !got[1].Expires.Equal(start.Add(time.Hour)) {
		t.Errorf("mutes: %+v, %v", got, err)
	}
	if got, err := s.Mutes.ListActive(ctx, start.Add(2*time.Hour)); err != nil || len(got) != 1 {
		t.Errorf("mutes two hours later: %+v, %v", got, err)
	}
	must.Do(s.Mutes.Remove(ctx, bob.ID, "op"))
	wantError(t, "unmuting again", s.Mutes.Remove(ctx, bob.ID, "op"), store.ErrNotFound)
	wantError(t, "muting nobody", s.Mutes.Add(ctx, store.Mute{Player: "nobody"}), store.ErrNotFound)
	if got := listAuditLog(t, s); len(got) != 4 || got[3] != "op unmute Bob " {
		t.Errorf("log: %q", got)
	}
}

func TestIgnoring(t *testing.T) {
	s := openStore(t)
	ann, bob, eve := createPerson(t, s, "Ann"), createPerson(t, s, "Bob"), createPerson(t, s, "Eve")
	for _, other := range []string{eve.ID, bob.ID, eve.ID} {
		must.Do(s.Ignored.Add(ctx, ann.ID, other))
	}
	if got, err := s.Ignored.List(ctx, ann.ID); err != nil || len(got) != 2 || got[0].ID != bob.ID || got[1].ID != eve.ID {
		t.Errorf("ignored: %+v, %v", got, err)
	}
	if got, err := s.Ignored.List(ctx, bob.ID); err != nil || len(got) != 0 {
		t.Errorf("ignored by the other side: %+v, %v", got, err)
	}
	must.Do(s.Ignored.Remove(ctx, ann.ID, bob.ID))
	wantError(t, "heeding again", s.Ignored.Remove(ctx, ann.ID, bob.ID), store.ErrNotFound)
	wantError(t, "ignoring nobody", s.Ignored.Add(ctx, ann.ID, "nobody"), store.ErrNotFound)
	if len(listAuditLog(t, s)) != 0 {
		t.Error("it is no act of an operator")
	}
}

func TestLogPages(t *testing.T) {
	s := openStore(t)
	for i := range 10 {
		a := store.Act{At: start.Add(time.Duration(i/3) * time.Second), Actor: "op", Verb: "kick", Subject: "Ann\x1b[2J"}
		must.Do(s.Audit.Add(ctx, a))
	}
	must.Do(s.Audit.Add(ctx, store.Act{Actor: "op", Verb: "list"}))
	var seen []store.Act
	for after := (store.Cursor{}); ; after = (store.Cursor{At: seen[len(seen)-1].At, ID: seen[len(seen)-1].ID}) {
		page, err := s.Audit.List(ctx, after, 4)
		if err != nil || len(page) > 4 {
			t.Fatal(page, err)
		}
		if len(page) == 0 {
			break
		}
		seen = append(seen, page...)
	}
	if len(seen) != 11 || seen[0].Verb != "list" || time.Since(seen[0].At) > time.Hour || seen[1].Subject != "Ann\x1b[2J" {
		t.Errorf("%d acts: %+v", len(seen), seen)
	}
	for i := 1; i < len(seen); i++ {
		if a, b := seen[i-1], seen[i]; b.At.After(a.At) || b.At.Equal(a.At) && b.ID >= a.ID {
			t.Errorf("out of order, or twice: %+v after %+v", b, a)
		}
	}
}

func TestState(t *testing.T) {
	folder := t.TempDir()
	s := openStoreIn(t, folder)
	if v, err := s.State.Get(ctx, "lockdown"); err != nil || v != "" {
		t.Errorf("at first: %q, %v", v, err)
	}
	for _, v := range []string{"on", "off"} {
		must.Do(s.State.Set(ctx, "lockdown", v, "op"))
	}
	must.Do(s.State.Set(ctx, "daily-secret", "xyz", ""))
	for _, c := range []struct{ name, old, value, want string }{
		{"daily-secret", "", "abc", "xyz"},
		{"daily-secret", "ab", "abc", "xyz"},
		{"daily-secret", "xyz", "abc", "abc"},
		{"new", "", "abc", "abc"},
		{"new", "", "xyz", "abc"},
	} {
		if v, err := s.State.SetIfUnchanged(ctx, c.name, c.old, c.value); err != nil || v != c.want {
			t.Errorf("%s from %q to %q: %q, %v", c.name, c.old, c.value, v, err)
		}
		if v, err := s.State.Get(ctx, c.name); err != nil || v != c.want {
			t.Errorf("%s after that: %q, %v", c.name, v, err)
		}
	}
	if v, err := openStoreIn(t, folder).State.Get(ctx, "lockdown"); err != nil || v != "off" {
		t.Errorf("after a restart: %q, %v", v, err)
	}
	if got, want := listAuditLog(t, s), []string{"op set lockdown on", "op set lockdown off"}; !slices.Equal(got, want) {
		t.Errorf("log: %q, want %q", got, want)
	}
}
