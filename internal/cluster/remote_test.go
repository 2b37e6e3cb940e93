package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/lobby"
	"broadside/lobby/chat"
	"broadside/match"
)

// host is an active node of a test with a lobby.
type host struct {
	*active
	lobby *lobby.Lobby
}

func newHost(t testing.TB, epoch int64, l *lobby.Lobby) *host {
	t.Helper()
	return newHostOf(t, epoch, l, Config{TLS: testTLS(t, 'k')}, &session.Lobby{Lobby: l})
}

// newHostOf is like newHost, with settings and a function that opens the sessions.
func newHostOf(t testing.TB, epoch int64, l *lobby.Lobby, cfg Config, of Host) *host {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &host{active: &active{address: ln.Addr().String(), role: newActive(fence{epoch: epoch})}, lobby: l}
	h.setValid(true)
	h.server = newServer(cfg, ln, h.role, of)
	t.Cleanup(h.stop)
	return h
}

// stop ends the active node in the way that a node ends when it loses its role.
func (h *host) stop() { h.server.close() }

func newLobby(t testing.TB) *lobby.Lobby {
	l := lobby.New(lobby.Config{Seed: 1, BotPace: -1})
	t.Cleanup(l.Close)
	return l
}

// person is a session at a gateway, with a frontend that reads its updates.
type person struct {
	session.Session
	t       testing.TB
	updates chan session.Update
	cancel  context.CancelFunc
	ended   error
}

func arrive(t testing.TB, g *Gateway, name string) *person {
	return connectAs(t, g, session.Client{Name: name, Fingerprint: "SHA256:" + name})
}

func connectAs(t testing.TB, g *Gateway, c session.Client) *person {
	t.Helper()
	s, err := g.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &person{Session: s, t: t, updates: make(chan session.Update), cancel: cancel}
	go func() {
		defer close(p.updates)
		for {
			u, err := session.Next(ctx, p)
			if err != nil {
				p.ended = err
				return
			}
			select {
			case p.updates <- u:
			case <-ctx.Done():
				return
			}
		}
	}()
	t.Cleanup(p.leave)
	return p
}

func (p *person) leave() {
	p.cancel()
	for range p.updates {
	}
	p.Close()
}

func (p *person) must(a session.Action) {
	p.t.Helper()
	if err := p.Do(p.t.Context(), a); err != nil {
		p.t.Fatalf("%T: %v", a, err)
	}
}

// until reads updates until one fits.
func (p *person) until(what string, fits func(session.Update) bool) session.Update {
	p.t.Helper()
	late := time.After(patience)
	for {
		select {
		case u, open := <-p.updates:
			if !open {
				p.t.Fatalf("the session ended before %s: %v", what, p.ended)
			}
			if fits(u) {
				return u
			}
		case <-late:
			p.t.Fatalf("waited in vain for %s", what)
		}
	}
}

func kind(k session.UpdateKind) func(session.Update) bool {
	return func(u session.Update) bool { return u.Kind == k }
}

// meet pairs two people and places their fleets. The second one shoots first.
func meet(ann, bob *person) {
	ann.t.Helper()
	ann.must(session.Seek{Rules: match.Classic(), Stakes: session.Casual})
	bob.must(session.Seek{Rules: match.Classic(), Stakes: session.Casual})
	for _, p := range []*person{ann, bob} {
		p.until("a seat", kind(session.Seated))
		p.must(session.Place{Layout: match.Classic().RandomLayout(rand.New(rand.NewPCG(1, 2)))})
	}
	for _, p := range []*person{ann, bob} {
		p.until("the battle", func(u session.Update) bool {
			return u.Kind == session.MatchChanged && u.Match.View.Phase == match.Battle
		})
	}
}

// shoot lets one side shoot at a cell, and returns the updates that both sides receive.
func shoot(by, at *person, cell match.Cell) {
	by.t.Helper()
	by.must(session.Fire{Cell: cell})
	for _, p := range []*person{by, at} {
		p.until("the shot at "+cell.String(), func(u session.Update) bool {
			if u.Kind != session.MatchChanged {
				return false
			}
			for _, e := range u.Match.Events {
				if e.Kind == match.ShotAnswered && e.Cell == cell {
					return true
				}
			}
			return false
		})
	}
}

func TestRemoteMatch(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1, newLobby(t))
	one, two := newGateway(t, h.active), newGateway(t, h.active)
	ann, bob := arrive(t, one, "ann"), arrive(t, two, "bob")
	if me := ann.State().Me; me.Name != "ann" || ann.Client().Name != "ann" || ann.State().HasStore {
		t.Errorf("ann is %+v", me)
	}
	ann.until("a lobby with both", func(u session.Update) bool { return len(ann.State().Lobby.People) == 2 })
	meet(ann, bob)
	m := ann.State().Match
	if m == nil || m.Opponent.Name != "bob" || m.Side != match.First || !ann.State().HasChat {
		t.Fatalf("ann's match is %+v", m)
	}
	for i := range 5 {
		shoot(bob, ann, match.At(i, 0))
		shoot(ann, bob, match.At(i, 1))
	}
	if ann.State().Match != m {
		t.Error("the match of the state is another value")
	}
	ann.must(session.Say{Room: session.InMatch, Text: "ahoy"})
	bob.until("a line", func(u session.Update) bool {
		return u.Kind == session.ChatChanged && u.Room == session.InMatch && len(u.Lines) == 1 && u.Lines[0].Text == "ahoy"
	})
	eve := arrive(t, one, "eve")
	eve.must(session.Watch{ID: m.ID})
	eve.until("the match", func(u session.Update) bool {
		return u.Kind == session.WatchChanged && u.Match.View.Charts[0].Fired == 5
	})
	bob.must(session.Resign{})
	over := func(u session.Update) bool { return u.Kind == session.MatchChanged && u.Match.View.Phase == match.Over }
	ann.until("the end", over)
	bob.until("the end", over)
	eve.until("the end", kind(session.WatchEnded))
	ann.must(session.Rematch{})
	bob.until("the wish", func(u session.Update) bool { return u.Kind == session.SeatChanged && bob.State().Seat.RematchOffered })
	bob.must(session.Rematch{})
	ann.until("the rematch", kind(session.Seated))
	bob.until("the rematch", kind(session.Seated))
	if now := ann.State().Match; now == m || now.ID == m.ID || now.Side != match.Second {
		t.Errorf("the rematch is %+v", now)
	}
}

func TestRemoteErrorsAndQueries(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1, newLobby(t))
	ann := arrive(t, newGateway(t, h.active), "ann")
	err := ann.Do(t.Context(), session.Fire{})
	if !errors.Is(err, session.ErrNoMatch) || i18n.MustParse("de").Error(err) != i18n.MustParse("de").Error(session.ErrNoMatch) {
		t.Errorf("a shot without a match: %v", err)
	}
	ann.must(session.PlayBot{Bot: "easy", Rules: match.Classic(), Stakes: session.Casual})
	if m := ann.State().Match; m == nil || m.Opponent.Name != "easy" {
		t.Errorf("right after the action, the match is %+v", m)
	}
	all, err := session.Ask(t.Context(), ann, session.Matches{})
	if err != nil || len(all) != 1 || all[0].ID != ann.State().Match.ID {
		t.Errorf("the matches are %+v, %v", all, err)
	}
	if err := <-ann.SaveSettings(session.Settings{Rules: match.Classic(), DoNotDisturb: true}); err != nil {
		t.Error(err)
	}
	ann.until("not to be disturbed", func(session.Update) bool {
		here := ann.State().Lobby.People
		return len(here) == 1 && here[0].DoNotDisturb
	})
}

// follows makes gateways follow an active node.
func follows(h *host, all ...*Gateway) {
	for _, g := range all {
		follow(g, h.address, h.role.current().epoch)
	}
}

// TestRemoteReattach cuts the connection of a gateway in a match again and again. No update
// is lost or delivered twice.
func TestRemoteReattach(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1, newLobby(t))
	p := newProxy(t, "tcp", h.address)
	one, two := newGateway(t, nil), newGateway(t, h.active)
	follow(one, p.ln.Addr().String(), 1)
	ann, bob := arrive(t, one, "ann"), arrive(t, two, "bob")
	meet(ann, bob)
	m := ann.State().Match
	shots := 0
	seen := make(chan struct{})
	go func() { // reads all of ann's updates
		defer close(seen)
		for u := range ann.updates {
			switch u.Kind {
			case session.MatchLost, session.Seated:
				t.Errorf("an update of kind %d: %v", u.Kind, u.Err)
				return
			case session.MatchChanged:
				if u.Match.Missed {
					t.Error("events are missing")
				}
				for _, e := range u.Match.Events {
					if e.Kind == match.ShotAnswered {
						shots++
					}
				}
				if shots == 40 {
					return
				}
			}
		}
	}()
	for i := range 20 {
		cell := match.At(i%10, i/10)
		bob.must(session.Fire{Cell: cell})
		if i%2 == 0 {
			p.stall(i%4 == 0, i%4 == 2)
			time.Sleep(time.Millisecond)
			p.cut()
			p.stall(false, false)
		}
		bob.until("ann's turn", func(u session.Update) bool {
			return u.Kind == session.MatchChanged && u.Match.View.Turn == match.First && u.Match.View.Charts[1].Fired == i+1
		})
		for err := error(errWaiting); err != nil; time.Sleep(time.Millisecond) {
			if err = ann.Do(t.Context(), session.Fire{Cell: cell}); err != nil && !errors.Is(err, errWaiting) {
				t.Fatal(err)
			}
		}
		bob.until("his turn", func(u session.Update) bool {
			return u.Kind == session.MatchChanged && u.Match.View.Turn == match.Second && u.Match.View.Charts[0].Fired == i+1
		})
	}
	<-seen
	if shots != 40 || ann.State().Match != m {
		t.Errorf("ann was told of %d shots", shots)
	}
}

// TestEndedRemote lets an operator end a session.
func TestEndedRemote(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1, newLobby(t))
	ann := arrive(t, newGateway(t, h.active), "ann")
	if n := h.server.host.(*session.Lobby).End(func(c session.Connected) bool { return c.Name() == "ann" }, i18n.NewMessage("an-operator-has-ended-your")); n != 1 {
		t.Errorf("%d sessions", n)
	}
	for range ann.updates { // they end
	}
	if got := i18n.MustParse("de").Error(ann.ended); got != i18n.MustParse("de").Text("an-operator-has-ended-your") {
		t.Errorf("ended with %v", ann.ended)
	}
	if err := ann.Do(t.Context(), session.Unwatch{}); err == nil || err.Error() != ann.ended.Error() {
		t.Errorf("an action afterwards: %v", err)
	}
}

// TestChatsTravel checks that the lines of a long chat arrive, and that sessions of a
// gateway share them.
func TestChatsTravel(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1, newLobby(t))
	g := newGateway(t, h.active)
	ann, bob := arrive(t, g, "ann"), arrive(t, g, "bob")
	var lines [2][]session.Line
	for i := range chat.Burst {
		by := []*person{ann, bob}[i%2]
		by.must(session.Say{Text: fmt.Sprint("line ", i)})
		for j, p := range []*person{ann, bob} {
			p.until("the line", func(u session.Update) bool {
				if u.Kind != session.ChatChanged || len(u.Lines) != i+1 {
					return false
				}
				lines[j] = u.Lines
				return u.Lines[0].Text == "line 0" && u.Lines[i].Text == fmt.Sprint("line ", i)
			})
		}
	}
	if &lines[0][0] != &lines[1][0] {
		t.Error("the lines are there twice")
	}
	ann.must(session.Mute{Player: bob.State().Me, Hearing: session.MutedNow})
	ann.until("fewer lines", func(u session.Update) bool {
		return u.Kind == session.ChatChanged && len(u.Lines) == 3 && u.Lines[1].Text == "line 2"
	})
}

// TestSlowRemote does not read from a session during a match. Updates do not pile up, and
// the newest state arrives.
func TestSlowRemote(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1, newLobby(t))
	g := newGateway(t, h.active)
	ann, bob := arrive(t, g, "ann"), arrive(t, g, "bob")
	meet(ann, bob)
	slow, err := g.Open(t.Context(), session.Client{Name: "slow"})
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	if err := slow.Do(t.Context(), session.Watch{ID: ann.State().Match.ID}); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		shoot(bob, ann, match.At(i%10, i/10))
		shoot(ann, bob, match.At(i%10, i/10))
		if n := waiting(slow.(*remote)); n > maxCredit+1 {
			t.Fatalf("%d updates wait", n)
		}
	}
	for {
		u, err := session.Next(t.Context(), slow)
		if err != nil {
			t.Fatal(err)
		}
		if u.Kind == session.WatchChanged && u.Match.View.Charts[0].Fired == 40 {
			break
		}
	}
}

// FuzzSession sends arbitrary hellos and actions of a gateway to the active node.
func FuzzSession(f *testing.F) {
	f.Add([]byte(`{"Name":"ann","Previous":{"Me":{"ID":"1","Name":"ann"},"Match":{"ID":"m1","Side":1},"Seen":[7,0],"Watching":"m2","Offer":{"Rules":{"name":"classic"},"Code":"K3F"},"OfferedBy":"e30="}}`), []byte("Fire {}"))
	f.Add([]byte(`{"Unlisted":true,"Previous":{"Match":{"ID":"m1","Side":9},"Over":true}}`), []byte("Matches {}"))
	f.Add([]byte(`{}`), []byte{2})
	l := lobby.New(lobby.Config{Seed: 1})
	f.Cleanup(l.Close)
	f.Fuzz(func(t *testing.T, hello, action []byte) {
		h := &host{active: &active{role: newActive(fence{epoch: 1})}, lobby: l}
		h.setValid(true)
		h.server = newServer(Config{TLS: testTLS(t, 'k')}, &pipeListener{make(chan net.Conn), make(chan struct{})}, h.role, &session.Lobby{Lobby: l})
		defer h.stop()
		c := newConn(nil, h.role)
		c.serial = 1
		for _, f := range []frame{{kind: kindOpen, session: 1, payload: hello}, {kind: kindAct, session: 1, number: 1, payload: action}, {kind: kindClose, session: 1}} {
			if err := h.server.receive(c, f); err != nil {
				t.Fatal(err)
			}
			c.next()
		}
	})
}
