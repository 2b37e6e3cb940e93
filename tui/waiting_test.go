package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/lobby"
)

// away is a session that can be waiting for the active node. Tests supply its updates.
type away struct {
	session.Session
	waits   bool
	updates []session.Update
}

func (a *away) Poll() (session.Update, error) {
	if len(a.updates) == 0 {
		return session.Update{}, nil
	}
	u := a.updates[0]
	a.updates = a.updates[1:]
	return u, nil
}

func (a *away) State() session.State {
	s := a.Session.State()
	s.Waiting = a.waits
	return s
}

// TestWaitingForTheServer checks that the screen shows, for as long as the session waits,
// that it does.
func TestWaitingForTheServer(t *testing.T) {
	l := lobby.New(lobby.Config{Seed: 1})
	defer l.Close()
	own := &away{Session: session.New(session.Config{Lobby: l, Player: lobby.Player{ID: "ann", Name: "ann"}})}
	for _, l := range i18n.Languages() {
		m := New(t.Context(), Config{Session: own, Width: 80, Height: 24, Language: l})
		for _, own.waits = range []bool{true, false} {
			own.updates = append(own.updates, session.Update{Kind: session.WaitingChanged})
			m.Update(nil)
			shown := strings.Contains(ansi.Strip(m.View().Content), l.Text("reconnecting-to-the-server"))
			if shown != own.waits {
				t.Errorf("waiting %v in %v, the screen is\n%s", own.waits, l, ansi.Strip(m.View().Content))
			}
		}
	}
	own.Close()
}
