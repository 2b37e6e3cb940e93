package relay_test

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/memnet"
	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/relay"
)

// pacedWorld is a server that restarts, where ann and the program squid play a correspondence match.
type pacedWorld struct {
	*internalRelay
	t     *testing.T
	store *store.Store
	ann   account.Player
	token string
	stop  func()
	match string
}

// newPacedWorld starts a server, where ann has accepted squid's offer and placed a fleet.
func newPacedWorld(t *testing.T) *pacedWorld {
	s, tokens := openStoreWithPrograms(t, "squid")
	ann := must.Get(s.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"}))
	w := &pacedWorld{t: t, store: s, ann: account.PersonPlayer(ann), token: tokens["squid"]}
	w.start()
	c := w.dialProgram()
	c.skipTo("% waiting")
	c.nc.Close()
	w.visit(func(s *session.Session) {
		offers := must.Get(s.CorrespondenceOffers(t.Context()))
		must.Do(s.AcceptCorrespondence(t.Context(), offers[0].ID))
		w.match = s.State().Match.ID
		must.Do(s.Place(match.First, fleet))
	})
	return w
}

func (w *pacedWorld) start() {
	l, n := lobbytest.Open(lobby.Config{Seed: 1, Store: w.store}), memnet.New()
	server := relay.New(relay.Config{HelloDelay: time.Minute, Host: &session.Host{Lobby: l}})
	w.internalRelay = &internalRelay{n, l, server}
	var serving sync.WaitGroup
	serving.Go(func() { server.Serve(n) })
	w.stop = func() {
		n.Close()
		must.Do(server.Shutdown(w.t.Context()))
		serving.Wait()
		l.Close()
	}
}

// visit lets ann act in a session, and waits until that is stored.
func (w *pacedWorld) visit(act func(*session.Session)) {
	s := session.New(session.Config{Lobby: w.lobby, Player: w.ann})
	defer s.Close()
	act(s)
	time.Sleep(time.Second)
}

// fire lets ann fire at a cell.
func (w *pacedWorld) fire(cell match.Cell) {
	w.visit(func(s *session.Session) {
		must.Do(s.OpenCorrespondence(w.t.Context(), w.match))
		must.Do(s.Fire(match.First, 0, cell))
	})
}

// dialProgram connects squid, which keeps its fleet.
func (w *pacedWorld) dialProgram() *testClient {
	c := w.dial(w.t, "")
	c.send("% token " + w.token + "\n% pace 1d\n% ready")
	return c
}

// continueProgram connects squid after it has sent a number of messages, and lets it send more after a line.
func (w *pacedWorld) continueProgram(sent int, after, messages string) *testClient {
	c := w.dialProgram()
	c.skipTo(fmt.Sprintf("%% seat %s %d", w.match, sent))
	c.skipTo(after)
	if messages != "" {
		c.send(messages)
	}
	time.Sleep(time.Second)
	return c
}

// TestProgramPlaysOverDays checks that a person and a program can play to the end, over three restarts. They
// are never connected at the same time, and the program keeps its fleet and returns late on each day.
func TestProgramPlaysOverDays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newPacedWorld(t)
		w.continueProgram(0, "(5,[]).", "").nc.Close()
		truth, round := match.NewFleet(fleet), 0
		for cell := range fleet.Cells().All() {
			w.fire(cell)
			time.Sleep(20 * time.Hour)
			if round == 0 || round == 5 || round == 10 {
				w.stop()
				time.Sleep(10 * 24 * time.Hour)
				w.start()
			}
			result := truth.Fire(cell)
			messages := fmt.Sprintf("(2,[%d,%d,%d]).", cell.X, cell.Y, result)
			if result != match.LastSunk {
				messages += fmt.Sprintf("\n(1,[9,%d]).", round%10)
			}
			c := w.continueProgram(2*round, fmt.Sprintf("(1,[%d,%d]).", cell.X, cell.Y), messages)
			if result == match.LastSunk {
				c.skipTo("% result lost sunk shots=16")
			}
			c.nc.Close()
			round++
		}
		w.stop()
		if m := newestMatch(t, w.store); m.Winner != match.Second || m.Reason != match.FleetSunk || m.ID != w.match {
			t.Errorf("got %+v, want ann's win", m.Summary)
		}
	})
}

// TestProgramMissesDeadline checks that a program loses if it does not return in time, and may then play
// another match.
func TestProgramMissesDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newPacedWorld(t)
		defer func() { w.stop() }()
		w.continueProgram(0, "(5,[]).", "").nc.Close()
		w.fire(match.NewCell(0, 0))
		time.Sleep(24*time.Hour + 11*time.Minute)
		if m := newestMatch(t, w.store); m.Winner != match.Second || m.Reason != match.Silent {
			t.Errorf("got winner %v, %v, want %v, %v", m.Winner, m.Reason, match.Second, match.Silent)
		}
		w.dialProgram().skipTo("% waiting")
	})
}
