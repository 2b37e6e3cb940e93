package election

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

// openLobby opens the lobby of a period during which a node is active.
func openLobby(t testing.TB, dsn string, a *Active) (*store.Store, *lobby.Lobby) {
	t.Helper()
	s := openStore(t, dsn, a, slog.New(slog.DiscardHandler))
	l, err := lobby.Open(t.Context(), lobby.Config{Seed: 1, BotPace: -1, Store: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return s, l
}

// registered returns a program with its own owner, which may play for a rating.
func registered(t testing.TB, s *store.Store, name string) account.Player {
	t.Helper()
	owner, err := s.Accounts.CreatePerson(t.Context(), name+"'s", store.Key{Fingerprint: "SHA256:" + name})
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := s.Programs.Register(t.Context(), owner.ID, name, 1)
	if err != nil {
		t.Fatal(err)
	}
	player := account.OfProgram(p)
	player.Fixed, player.Returns = true, true
	return player
}

// seat is a seat whose player reads its mailbox.
type seat struct {
	*lobby.Seat
	box *live.Mailbox
}

func take(t testing.TB, s *lobby.Seat) *seat {
	t.Helper()
	if s == nil {
		t.Fatal("there is no such seat")
	}
	return &seat{s, s.Seat.Attach(nil)}
}

// paired returns the seats of two players: the second one accepts the first one's offer.
func paired(t testing.TB, l *lobby.Lobby, players ...account.Player) (seats [2]*seat) {
	t.Helper()
	var offers []*lobby.Offer
	for _, p := range players {
		offer, err := l.Offers.Seek(p, match.Classic(), lobby.Rated)
		if err != nil {
			t.Fatal(err)
		}
		offers = append(offers, offer)
	}
	for side := range seats {
		select {
		case s := <-offers[side].Seated():
			seats[side] = take(t, s)
		case <-time.After(patience):
			t.Fatal("no seat")
		}
	}
	return seats
}

// await reads updates until one satisfies ok.
func (s *seat) await(t testing.TB, ok func(*live.Update) bool) live.Update {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var u live.Update
	for {
		if err := s.box.Recv(ctx, &u); err != nil {
			t.Fatalf("%v; the last update was %+v", err, u.View)
		}
		if ok(&u) {
			return u
		}
	}
}

// turn waits for the turn of a side that has fired n shots.
func turn(side match.Side, n int) func(*live.Update) bool {
	return func(u *live.Update) bool {
		return u.View.Phase == match.Battle && u.View.Turn == side && !u.View.Pending && u.View.Charts[side].Fired == n
	}
}

// salvo makes both sides fire at cell after cell until they have fired n shots. The
// second side begins.
func salvo(t testing.TB, seats [2]*seat, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		for _, s := range []*seat{seats[1], seats[0]} {
			s.await(t, turn(s.Seat.Side(), n))
			s.Seat.Fire(match.At(n%10, n/10))
		}
	}
}

func fleet() match.Layout { return match.Classic().RandomLayout(rand.New(rand.NewPCG(7, 7))) }

// TestMatchesOutlastTheActiveNode cuts the active node off while programs and people
// play, and continues their matches at the next one.
func TestMatchesOutlastTheActiveNode(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	p, through := proxyToDatabase(t, dsn)
	first := activeOf(t, node(t, through, "a:1"))
	s, l := openLobby(t, dsn, first)

	rated := paired(t, l, registered(t, s, "kraken"), registered(t, s, "squid"))
	for _, s := range rated {
		s.Seat.Place(fleet())
	}
	salvo(t, rated, 0, 5)
	want := rated[1].await(t, turn(match.Second, 5))
	kept := paired(t, l, registered(t, s, "crab"), registered(t, s, "shrimp"))
	kept[0].Seat.Keep()
	kept[0].await(t, func(u *live.Update) bool { return u.View.Ready[0] })
	pats := [2]account.Player{l.Identify(account.Player{Name: "pat"}), l.Identify(account.Player{Name: "pat"})}
	guests := paired(t, l, pats[0], pats[1])
	lone := registered(t, s, "lone")
	bot, err := l.Matches.PlayBot(lone, "easy", match.Classic(), lobby.Rated)
	if err != nil {
		t.Fatal(err)
	}
	bots := take(t, bot)
	bots.Seat.Place(fleet())
	bots.await(t, turn(bots.Seat.Side(), 0))
	max := l.Identify(account.Player{Name: "max"})

	if _, err := l.Matches.Resume(max, guests[0].State().Code); err != nil {
		t.Fatal(err)
	}
	guests[0].Refuse()
	until(t, "for the new resume code to be stored", func() bool {
		return query(t, dsn, "SELECT COUNT(*) FROM journal WHERE convert_from(body, 'UTF8') LIKE '%"+guests[0].State().Code+"%'") == "1"
	})

	p.stall(true, true)
	began := time.Now()
	second := activeOf(t, nodeWith(t, Config{DSN: dsn, Address: "b:1", slack: slack}))
	elected := time.Since(began)
	next, again := openLobby(t, dsn, second)
	t.Logf("another node is active after %v, and the lobby is open after %v", elected, time.Since(began)-elected)

	take(t, again.Matches.Unfinished(kept[0].Opponent))
	u := take(t, again.Matches.Unfinished(kept[1].Opponent)).await(t, func(*live.Update) bool { return true })
	if u.View.Ready != [2]bool{true, false} || u.View.Kept != u.View.Ready {
		t.Errorf("ready are %v, kept %v", u.View.Ready, u.View.Kept)
	}
	bots = take(t, again.Matches.Unfinished(lone))
	bots.await(t, turn(bots.Seat.Side(), 0))
	bots.Seat.Fire(match.At(0, 0))
	bots.await(t, turn(bots.Seat.Side(), 1))

	// The former active node continues, unaware of the change. Its changes are visible to
	// nobody.
	rated[1].Seat.Fire(match.At(9, 9))
	silence, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	for rated[0].box.Recv(silence, &u) == nil {
		if u.View.Charts[match.Second].Fired > 5 {
			t.Error("the former active node has shown a shot that it could not store")
		}
	}

	one := take(t, again.Matches.Unfinished(rated[0].Opponent)) // the second side
	got := one.await(t, func(*live.Update) bool { return true })
	if !reflect.DeepEqual(got.View.Charts, want.View.Charts) || got.View.Turn != match.Second || got.View.Pending {
		t.Errorf("the match continues as\n%+v, want\n%+v", got.View, want.View)
	}
	if got.Away != [2]bool{true, false} || !got.AwayUntil[match.First].IsZero() {
		t.Errorf("away: %v, until %v", got.Away, got.AwayUntil)
	}
	one.Seat.Fire(match.At(5, 0))
	got = one.await(t, func(u *live.Update) bool { return u.View.Turn == match.First })
	if away := time.Until(got.AwayUntil[match.First]); away <= 0 || away > lobby.ReturnTime {
		t.Errorf("the other program may stay away for %v", away)
	}
	two := take(t, again.Matches.Unfinished(rated[1].Opponent))
	p.stall(false, false)
	<-first.Done()
	l.Close() // it does not wait
	id := one.Seat.Match().ID()
	over := func(u *live.Update) bool { return u.View.Phase == match.Over }
	for n := 5; ; n++ {
		u := two.await(t, func(u *live.Update) bool { return over(u) || turn(match.First, n)(u) })
		if over(&u) {
			break
		}
		two.Seat.Fire(match.At(n%10, n/10))
		if u = one.await(t, func(u *live.Update) bool { return over(u) || turn(match.Second, n+1)(u) }); !over(&u) {
			one.Seat.Fire(match.At((n+1)%10, (n+1)/10))
		}
	}
	if o := one.Outcome(); !o.Rated || !o.Stored {
		t.Errorf("outcome %+v", o)
	}
	m, err := next.Matches.ByID(t.Context(), id)
	if err != nil || !m.Rated || m.Winner != match.Second {
		t.Errorf("the record is %+v, %v", m.Summary, err)
	}
	shots := map[string]int{}
	for _, e := range m.Events {
		if e.Kind == match.ShotFired {
			shots[fmt.Sprint(e.Side, e.Cell)]++
		}
	}
	for shot, n := range shots {
		if n != 1 {
			t.Errorf("the shot %s is stored %d times", shot, n)
		}
	}
	if n := query(t, dsn, "SELECT COUNT(*) FROM journal WHERE match = '"+id+"'"); n != "0" {
		t.Errorf("the journal has %s rows of a match that is stored", n)
	}

	for side, p := range pats {
		o, err := again.Matches.Resume(p, guests[side].State().Code)
		if err != nil {
			t.Fatal(err)
		}
		if s := take(t, <-o.Seated()); s.Opponent.Name != "pat" {
			t.Errorf("the guest %+v is back against %+v", p, s.Opponent)
		}
	}
}

// TestDatabaseStopsDuringAMatch stops PostgreSQL while two people play.
func TestDatabaseStopsDuringAMatch(t *testing.T) {
	dsn := newDatabase(t)
	e := node(t, dsn, "a:1")
	a := activeOf(t, e)
	s, l := openLobby(t, dsn, a)
	var people []account.Player
	for _, name := range []string{"ann", "bob", "eve"} {
		if _, err := s.Accounts.CreatePerson(t.Context(), name, store.Key{Fingerprint: "SHA256:" + name}); err != nil {
			t.Fatal(err)
		}
		p, err := l.Accounts.Receive(t.Context(), name, "SHA256:"+name)
		if err != nil {
			t.Fatal(err)
		}
		l.Enter(p).AddKey("SHA256:" + name)
		people = append(people, p)
	}
	seats := paired(t, l, people[0], people[1])
	for _, s := range seats {
		s.Seat.Place(fleet())
	}
	salvo(t, seats, 0, 3)
	seats[1].await(t, turn(match.Second, 3))

	if err := database.Kill(); err != nil {
		t.Fatal(err)
	}
	seats[1].Seat.Fire(match.At(3, 0))
	if p, err := l.Accounts.Receive(t.Context(), "whoever", "SHA256:ann"); err != nil || p != people[0] {
		t.Errorf("a player of a running match comes as %+v, %v", p, err)
	}
	if l.Matches.Unfinished(people[0]) == nil {
		t.Error("the match is gone")
	}
	for name, key := range map[string]string{"eve": "SHA256:eve", "newcomer": "SHA256:new", "zoe": ""} {
		if p, err := l.Accounts.Receive(t.Context(), name, key); !errors.Is(err, account.ErrUnknown) {
			t.Errorf("%s comes as %+v, %v", name, p, err)
		}
	}
	if p, err := l.Accounts.Receive(t.Context(), "guest", ""); err != nil || p != (account.Player{Name: "guest"}) {
		t.Errorf("a guest, who has nothing to look up, comes as %+v, %v", p, err)
	}
	time.Sleep(time.Second)
	if err := database.Recover(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	seats[0].await(t, turn(match.First, 3))
	t.Logf("the shot is there %v after PostgreSQL", time.Since(began))
	until(t, "for the role to be resumed", a.Valid)
	if state(e).Active != a {
		t.Error("the node lost its role")
	}
	seats[0].Seat.Fire(match.At(3, 0))
	salvo(t, seats, 4, 6)
	id := seats[0].Seat.Match().ID()
	seats[1].Seat.Resign()
	seats[0].await(t, func(u *live.Update) bool { return u.View.Phase == match.Over })
	until(t, "for the match to be stored", func() bool { return seats[0].Outcome().Stored })
	m, err := s.Matches.ByID(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	fired := 0
	for _, e := range m.Events {
		if e.Kind == match.ShotFired {
			fired++
		}
	}
	if fired != 12 {
		t.Errorf("%d shots are stored, want 12", fired)
	}
}
