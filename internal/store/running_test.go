package store_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strconv"
	"sync"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/match"
	"broadside/match/audit"
)

func TestRunningMatch(t *testing.T) {
	folder := t.TempDir()
	s := openStoreIn(t, folder)
	ann := createPerson(t, s, "Ann")
	hard := must.Get(s.Accounts.EnsureBot(ctx, "hard"))
	m := newFinishedMatch(newRandom(10), ann, hard, match.First, start)
	want := store.RunningMatch{
		ID: m.ID, Rules: m.Rules, Started: m.Started, Seats: m.Seats,
		Events: m.Events[:1], Details: json.RawMessage(`{"pace":700}`),
	}
	must.Do(s.Running.Add(ctx, want))
	if err := s.Running.Add(ctx, store.RunningMatch{ID: m.ID, Rules: match.Hasbro()}); err != nil {
		t.Errorf("beginning it again: %v", err)
	}
	must.Do(s.Running.AppendEvents(ctx, m.ID, 1, m.Events[1:3]))
	for i := 3; i < 33; i += 2 { // a shot and its answer
		must.Do(s.Running.AppendEvents(ctx, m.ID, i, m.Events[i:i+2]))
	}
	want.Events = m.Events[:33]
	// Repeated events are stored once.
	must.Do(s.Running.AppendEvents(ctx, m.ID, 1, m.Events[1:3]))

	again := openStoreIn(t, folder)
	got, err := again.Running.List(ctx)
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	got[0].Started = got[0].Started.UTC()
	if !reflect.DeepEqual(got[0], want) {
		t.Errorf("after a restart: %+v, want %+v", got[0], want)
	}
	if _, err := match.Replay(got[0].Rules, audit.Flag, got[0].Events); err != nil {
		t.Errorf("the game cannot go on: %v", err)
	}

	finishMatch(t, s, m)
	if left, err := s.Running.List(ctx); err != nil || len(left) != 0 {
		t.Errorf("still running: %+v, %v", left, err)
	}
	// A late write is ignored, and so are the matches of other worlds.
	cfg := storeConfig(t, folder)
	cfg.World = "other"
	other := must.Get(store.Open(ctx, cfg))
	defer other.Close()
	here := want
	here.ID = "here"
	must.Do(errors.Join(s.Running.Add(ctx, want), s.Running.AppendEvents(ctx, m.ID, 33, m.Events[33:35]), s.Running.Add(ctx, here)))
	for name, s := range map[string]*store.Store{"here": s, "": other} {
		if left, err := s.Running.List(ctx); err != nil || len(left) > 0 != (name != "") || len(left) > 0 && left[0].ID != name {
			t.Errorf("in the world with %q: %+v, %v", name, left, err)
		}
	}
}

// TestJournalGroups appends events of many matches at once.
func TestJournalGroups(t *testing.T) {
	s := openStore(t)
	m := newFinishedMatch(newRandom(12), store.Player{Name: "a"}, store.Player{Name: "b"}, match.First, start)
	var work sync.WaitGroup
	for i := range 250 { // several groups
		work.Go(func() {
			r := store.RunningMatch{ID: "m" + strconv.Itoa(i), Rules: m.Rules, Started: start, Seats: m.Seats}
			must.Do(s.Running.Add(ctx, r))
			for n := range 8 {
				must.Do(s.Running.AppendEvents(ctx, r.ID, n, m.Events[n:n+1]))
			}
		})
	}
	work.Wait()
	all, err := s.Running.List(ctx)
	if err != nil || len(all) != 250 {
		t.Fatalf("%d matches, %v", len(all), err)
	}
	for _, r := range all {
		if !reflect.DeepEqual(r.Events, m.Events[:8]) {
			t.Errorf("%s has the events %+v", r.ID, r.Events)
		}
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.Running.AppendEvents(canceled, "m0", 8, m.Events[8:9]); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// brokenFence fails while it is broken, before a transaction can write anything.
type brokenFence struct{ broken bool }

func (f *brokenFence) Check(context.Context, *sql.Tx) error {
	if f.broken {
		return io.ErrUnexpectedEOF
	}
	return nil
}

func (f *brokenFence) Done() <-chan struct{} { return nil }

// TestJournalAfterFailure checks that events can be appended again once the database works again.
func TestJournalAfterFailure(t *testing.T) {
	folder := t.TempDir()
	must.Do(reopenStore(t, folder).Close()) // a store with a fence does not create its tables
	cfg, fence := storeConfig(t, folder), &brokenFence{broken: true}
	cfg.Fence = fence
	s := must.Get(store.Open(ctx, cfg))
	defer s.Close()
	m := newFinishedMatch(newRandom(13), store.Player{Name: "a"}, store.Player{Name: "b"}, match.First, start)
	r := store.RunningMatch{ID: m.ID, Rules: m.Rules, Started: start, Seats: m.Seats}
	wantError(t, "without the database", s.Running.Add(ctx, r), io.ErrUnexpectedEOF)
	fence.broken = false
	must.Do(s.Running.Add(ctx, r))
	if all, err := s.Running.List(ctx); err != nil || len(all) != 1 {
		t.Errorf("%d matches, %v", len(all), err)
	}
}

func TestForget(t *testing.T) {
	s := openStore(t)
	m := newFinishedMatch(newRandom(11), store.Player{Name: "a"}, store.Player{Name: "b"}, match.First, start)
	for i := range 2 {
		r := store.RunningMatch{ID: "m" + strconv.Itoa(i), Rules: m.Rules, Started: start.Add(time.Duration(i)), Seats: m.Seats, Events: m.Events}
		must.Do(s.Running.Add(ctx, r))
	}
	for range 2 {
		must.Do(s.Running.Remove(ctx, "m0"))
	}
	got, err := s.Running.List(ctx)
	if err != nil || len(got) != 1 || got[0].ID != "m1" || len(got[0].Events) != len(m.Events) || string(got[0].Details) != "{}" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestModels(t *testing.T) {
	s := openStore(t)
	ann := createPerson(t, s, "Ann")
	bot, err := s.Accounts.EnsureBot(ctx, "sad")
	must.Do(err)
	_, err = s.Models.Get(ctx, bot.ID, ann.ID, "classic")
	wantError(t, "nothing is known yet", err, store.ErrNotFound)
	count := func(old json.RawMessage) (json.RawMessage, error) {
		if old == nil {
			return json.RawMessage("1"), nil
		}
		n, err := strconv.Atoi(string(old))
		return json.RawMessage(strconv.Itoa(n + 1)), err
	}
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			must.Do(s.Models.Update(ctx, bot.ID, ann.ID, "classic", count))
		})
	}
	wg.Wait()
	if got, err := s.Models.Get(ctx, bot.ID, ann.ID, "classic"); err != nil || string(got) != "40" {
		t.Errorf("after 40 games: %s, %v", got, err)
	}
	_, err = s.Models.Get(ctx, bot.ID, ann.ID, "hasbro")
	wantError(t, "another rule set", err, store.ErrNotFound)

	failure := errors.New("no")
	for what, learn := range map[string]func(json.RawMessage) (json.RawMessage, error){
		"an error":     func(json.RawMessage) (json.RawMessage, error) { return json.RawMessage("7"), failure },
		"no JSON":      func(json.RawMessage) (json.RawMessage, error) { return json.RawMessage("{"), nil },
		"nothing":      func(json.RawMessage) (json.RawMessage, error) { return nil, nil },
		"a wild panic": func(json.RawMessage) (json.RawMessage, error) { panic("learning failed") },
	} {
		if err := s.Models.Update(ctx, bot.ID, ann.ID, "classic", learn); err == nil {
			t.Errorf("%s was stored", what)
		}
		if got, err := s.Models.Get(ctx, bot.ID, ann.ID, "classic"); err != nil || string(got) != "40" {
			t.Errorf("after %s: %s, %v", what, got, err)
		}
	}
	wantError(t, "of nobody", s.Models.Update(ctx, bot.ID, "nobody", "classic", count), store.ErrNotFound)
}

func TestTokens(t *testing.T) {
	folder := t.TempDir()
	s := openStoreIn(t, folder)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	must.Get(s.Accounts.EnsureBot(ctx, "hard"))
	bot, first, err := s.Programs.Register(ctx, ann.ID, "annbot", 2)
	must.Do(err)
	if got, err := s.Accounts.FindByID(ctx, bot.ID); err != nil || got.Owner != ann.ID || got.Kind != store.Program || got.Name != "annbot" {
		t.Errorf("the program: %+v, %v", got, err)
	}
	again, secret, err := s.Programs.Register(ctx, ann.ID, "AnnBot", 2)
	if err != nil || again.ID != bot.ID || secret == first {
		t.Fatalf("a new token: %+v, %v", again, err)
	}
	if p, err := s.Programs.FindByToken(ctx, secret); err != nil || p.ID != bot.ID || p.Owner != ann.ID {
		t.Errorf("by the token: %+v, %v", p, err)
	}
	for _, wrong := range []string{"", first, secret + "x", secret[:len(secret)-1], bot.ID} {
		_, err := s.Programs.FindByToken(ctx, wrong)
		wantError(t, "a wrong token", err, store.ErrNotFound)
		wantError(t, "the use of a wrong token", s.Programs.MarkTokenUsed(ctx, wrong), store.ErrNotFound)
	}
	if _, _, err := s.Programs.Register(ctx, ann.ID, "annbot2", 2); err != nil {
		t.Fatal(err)
	}
	must.Do(s.Programs.MarkTokenUsed(ctx, secret))
	for _, c := range []struct {
		owner, name string
		want        error
	}{
		{ann.ID, "annbot3", store.ErrTooMany}, {bob.ID, "annbot", store.ErrNameTaken}, {bob.ID, "hard", store.ErrNameTaken},
		{bob.ID, "ann", store.ErrNameTaken}, {"nobody", "other", store.ErrNotFound}, {bot.ID, "other", store.ErrNotFound},
	} {
		_, _, err := s.Programs.Register(ctx, c.owner, c.name, 2)
		wantError(t, c.owner+" registers "+c.name, err, c.want)
	}
	all, err := s.Programs.ListByOwner(ctx, ann.ID)
	if err != nil || len(all) != 2 || all[0].Name != "annbot" || all[0].Used.IsZero() || all[0].Added.IsZero() || !all[1].Used.IsZero() {
		t.Errorf("programs: %+v, %v", all, err)
	}
	var with int
	db := openSQL(t, folder)
	defer db.Close()
	if err := db.QueryRow(`SELECT COUNT(*) FROM tokens WHERE hash LIKE '%' || $1 || '%' OR id LIKE '%' || $1 || '%'`, secret[3:]).Scan(&with); err != nil || with != 0 {
		t.Errorf("the secret is in the file: %v", err)
	}
	_, err = s.Programs.RevokeToken(ctx, bob.ID, "annbot")
	wantError(t, "revoking another account's", err, store.ErrNotFound)
	if p, err := s.Programs.RevokeToken(ctx, ann.ID, "ANNBOT"); err != nil || p.ID != bot.ID {
		t.Error(p, err)
	}
	_, err = s.Programs.FindByToken(ctx, secret)
	wantError(t, "a revoked token", err, store.ErrNotFound)
	_, err = s.Programs.RevokeToken(ctx, ann.ID, "annbot")
	wantError(t, "revoking it again", err, store.ErrNotFound)
	all, err = s.Programs.ListByOwner(ctx, ann.ID)
	if err != nil || len(all) != 2 || !all[0].Added.IsZero() {
		t.Errorf("after revoking: %+v, %v", all, err)
	}
}
