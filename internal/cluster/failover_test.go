package cluster

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"broadside/internal/session"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/match"
)

// newStore opens a store that outlasts lobbies.
func newStore(t testing.TB) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{Folder: t.TempDir(), Exclusive: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// fail ends an active node and its lobby as a failure does, and returns the next.
func (h *host) fail(t *testing.T, s *store.Store) *host {
	h.stop()
	h.lobby.Close()
	l := lobby.New(lobby.Config{Seed: 2, BotPace: -1, Store: s})
	t.Cleanup(l.Close)
	return newHost(t, h.role.current().epoch+1, l)
}

// TestFailoverInAMatch moves a match between people at two gateways, one of them a
// guest, to another active node.
func TestFailoverInAMatch(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	l := lobby.New(lobby.Config{Seed: 1, BotPace: -1, Store: s})
	h := newHost(t, 1, l)
	one, two := newGateway(t, h.active), newGateway(t, h.active)
	ann, bob := arrive(t, one, "ann"), arrive(t, two, "bob")
	ann.must(session.Register{Name: "ann"})
	eve, dan := arrive(t, one, "eve"), arrive(t, two, "dan")
	meet(ann, bob)
	m, guest := ann.State().Match, bob.State().Me
	shoot(bob, ann, match.At(0, 0))
	eve.must(session.Watch{ID: m.ID})
	eve.until("the match", kind(session.WatchChanged))
	dan.must(session.OpenPrivate{Rules: match.Naval(), Stakes: session.Casual})
	room := dan.State().Offer

	next := h.fail(t, s)
	until(t, "for people to wait", func() bool { return !ann.Session.(*remote).isAttached() })
	if err := ann.Do(t.Context(), session.Fire{Cell: match.At(1, 1)}); !errors.Is(err, errWaiting) {
		t.Errorf("a shot without an active node: %v", err)
	}
	ann.until("to wait", func(u session.Update) bool { return u.Kind == session.WaitingChanged && ann.State().Waiting })
	follows(next, one, two)
	ann.until("the next node", func(u session.Update) bool {
		if u.Kind == session.Seated || u.Kind == session.MatchLost {
			t.Errorf("an update of kind %d: %v", u.Kind, u.Err)
		}
		return u.Kind == session.WaitingChanged && !ann.State().Waiting
	})
	for _, p := range []*person{bob, dan, eve} {
		until(t, "for the next node", p.Session.(*remote).isAttached)
	}
	if ann.State().Match != m || bob.State().Me != guest {
		t.Errorf("after the failover, the match is %+v and the guest %+v", ann.State().Match, bob.State().Me)
	}
	shoot(ann, bob, match.At(0, 0))
	eve.until("the next shot", func(u session.Update) bool {
		return u.Kind == session.WatchChanged && u.Match.View.Charts[0].Fired == 1
	})
	if seek := dan.State().Offer; seek == nil || seek.Code != room.Code {
		t.Errorf("the room is %+v, not %+v", seek, room)
	}
	eve.must(session.JoinPrivate{Code: room.Code})
	dan.until("a guest in his room", kind(session.Seated))
}

// TestRepeatedActions resends actions that the former active node carried out.
func TestRepeatedActions(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	h := newHost(t, 1, lobby.New(lobby.Config{Seed: 1, BotPace: -1, Store: s}))
	p := newProxy(t, "tcp", h.address)
	one := newGateway(t, nil)
	follow(one, p.ln.Addr().String(), 1)
	ann := arrive(t, one, "ann")
	ann.must(session.PlayBot{Bot: "easy", Rules: match.Classic(), Stakes: session.Casual})
	ann.must(session.Place{Layout: match.Classic().RandomLayout(rand.New(rand.NewPCG(1, 2)))})
	ann.until("the battle", func(u session.Update) bool {
		return u.Kind == session.MatchChanged && u.Match.View.Phase == match.Battle
	})
	p.stall(false, true) // neither the reply nor the update arrives
	fired := make(chan error)
	go func() { fired <- ann.Do(context.Background(), session.Fire{Cell: match.At(0, 0)}) }()
	until(t, "for the shot", func() bool {
		all, err := s.Running.List(context.Background())
		if err != nil || len(all) != 1 {
			return false
		}
		for _, e := range all[0].Events {
			if e.Kind == match.ShotAnswered {
				return true
			}
		}
		return false
	})
	next := h.fail(t, s)
	p.cut()
	follows(next, one)
	if err := <-fired; err != nil && !errors.Is(err, errWaiting) { // on a busy machine, it takes longer than a person waits
		t.Error(err)
	}
	shots := 0
	ann.until("the answer", func(u session.Update) bool {
		if u.Kind != session.MatchChanged {
			return false
		}
		if u.Match.Refused != nil || u.Match.Missed {
			t.Errorf("an update %+v", u.Match)
		}
		for _, e := range u.Match.Events {
			if e.Kind == match.ShotFired && e.Side == ann.State().Match.Side {
				shots++
			}
		}
		return u.Match.View.Charts[ann.State().Match.Side].Fired >= 1
	})
	if err := ann.Do(t.Context(), session.Fire{Cell: match.At(1, 1)}); err != nil {
		t.Error(err)
	}
	ann.until("the second answer", func(u session.Update) bool {
		return u.Kind == session.MatchChanged && u.Match.View.Charts[ann.State().Match.Side].Fired == 2
	})
	if shots != 1 {
		t.Errorf("told of %d own shots", shots)
	}
}

// TestEndThatWasNotShown ends a match on the active node before it fails. Its player
// is shown the end, once.
func TestEndThatWasNotShown(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	h := newHost(t, 1, lobby.New(lobby.Config{Seed: 1, BotPace: -1, Store: s}))
	p := newProxy(t, "tcp", h.address)
	one, two := newGateway(t, nil), newGateway(t, h.active)
	follow(one, p.ln.Addr().String(), 1)
	ann, bob := arrive(t, one, "ann"), arrive(t, two, "bob")
	meet(ann, bob)
	shoot(bob, ann, match.At(0, 0))
	id := ann.State().Match.ID
	p.stall(false, true)
	bob.must(session.Resign{})
	bob.until("the end", func(u session.Update) bool { return u.Kind == session.MatchChanged && u.Match.View.Phase == match.Over })
	until(t, "for the record", func() bool { _, err := s.Matches.ByID(context.Background(), id); return err == nil })
	next := h.fail(t, s)
	p.cut()
	follows(next, one, two)
	ends := 0
	ann.until("the end", func(u session.Update) bool {
		if u.Kind == session.MatchLost {
			t.Errorf("lost: %v", u.Err)
		}
		if u.Kind != session.MatchChanged || u.Match.View.Phase != match.Over {
			return false
		}
		ends++
		if n := len(u.Match.Events); u.Match.Missed || n == 0 || u.Match.Events[n-1].Kind != match.GameEnded || u.Match.View.Winner != match.First {
			t.Errorf("the end is %+v", u.Match)
		}
		return true
	})
	if state := ann.State(); !state.Outcome.Stored || !state.Seat.OpponentLeft || state.Match == nil {
		t.Errorf("after the end, the state is %+v", state)
	}
	for _, x := range []*person{ann, bob} {
		until(t, "for the next node", x.Session.(*remote).isAttached)
		x.must(session.LeaveMatch{})
		if m := x.State().Match; m != nil {
			t.Errorf("after leaving, the match is %+v", m)
		}
		x.must(session.PlayBot{Bot: "easy", Rules: match.Classic(), Stakes: session.Casual})
		x.until("a seat", func(u session.Update) bool {
			if u.Kind == session.MatchChanged && u.Match.View.Phase == match.Over {
				ends++
			}
			return u.Kind == session.Seated
		})
	}
	if ends != 1 {
		t.Errorf("the end was shown %d times", ends)
	}
}

// TestProgramContinues moves a program that waits to another active node. It keeps its
// identity and its offer, and its next action waits until the node is there.
func TestProgramContinues(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	h := newHost(t, 1, lobby.New(lobby.Config{Seed: 1, BotPace: -1, Store: s}))
	g := newGateway(t, h.active)
	ann := connectAs(t, g, session.Client{Program: &session.Player{Name: "ann", Kind: session.Program}})
	ann.must(session.Seek{Rules: match.Naval(), Stakes: session.Casual})
	before := ann.State()
	if before.Offer == nil || before.Me.ID == "" {
		t.Fatalf("the state of a program that waits is %+v", before)
	}
	next := h.fail(t, s)
	done := make(chan error, 1)
	go func() { done <- ann.Do(context.Background(), session.Fill{Bot: "easy"}) }()
	follows(next, g)
	if err := <-done; err != nil { // it has waited
		t.Error(err)
	}
	ann.until("a seat", kind(session.Seated))
	if me := ann.State().Me; me != before.Me {
		t.Errorf("%+v is now %+v", before.Me, me)
	}
}

// TestProgramIsKnownEarly checks that a program has its ID before its first action. If a
// match begins and another node becomes active before the gateway learns of the match, that
// node finds the match by this ID.
func TestProgramIsKnownEarly(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	a := node(t, dsn, "a:1")
	_, l := openLobby(t, dsn, activeOf(t, a))
	h := newHost(t, 1, l)
	p := newProxy(t, "tcp", h.address)
	one, two := newGateway(t, nil), newGateway(t, h.active)
	follow(one, p.ln.Addr().String(), 1)
	ann := connectAs(t, one, session.Client{Program: &session.Player{Kind: session.Program}})
	until(t, "for an ID", func() bool { return ann.State().Me.ID != "" })
	me := ann.State().Me
	bob := connectAs(t, two, session.Client{Program: &session.Player{Kind: session.Program}})
	bob.must(session.Seek{Rules: match.Naval(), Stakes: session.Casual, As: &session.Player{Name: "bob"}})
	p.stall(false, true) // neither the reply nor the update arrives
	sought := make(chan error)
	go func() {
		sought <- ann.Do(context.Background(), session.Seek{Rules: match.Naval(), Stakes: session.Casual})
	}()
	bob.until("the match", kind(session.Seated))
	m := bob.State().Match
	until(t, "for the match to be stored", func() bool { return query(t, dsn, "SELECT COUNT(*) FROM journal WHERE seq = 0") == "1" })
	h.stop()
	a.Release()
	_, l = openLobby(t, dsn, activeOf(t, node(t, dsn, "b:1")))
	p.cut()
	follows(newHost(t, 2, l), one, two)
	if err := <-sought; err != nil {
		t.Error(err)
	}
	if now := ann.State(); now.Match == nil || now.Match.ID != m.ID || now.Me != me || m.Opponent.Name != me.Name {
		t.Errorf("%+v is now %+v, in the match %+v", me, now.Me, now.Match)
	}
	if me := bob.State().Me; me.ID == "" || me.Name != "bob" {
		t.Errorf("the gateway knows %+v", me)
	}
}
