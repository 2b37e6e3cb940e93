package screen

import (
	"time"

	"broadside/lobby/session"
)

// refreshInterval is the minimum time between two requests of a screen for the ladder because
// the lobby has changed.
const refreshInterval = 5 * time.Second

// refresh limits how often a screen requests the ladder.
type refresh struct {
	asked time.Time // when it was last requested
}

// begin records that the ladder is requested now.
func (r *refresh) begin() { r.asked = time.Now() }

// due reports whether the ladder may have changed: an update that changes the lobby may mean that
// a match has ended.
func (r *refresh) due(u session.Update) bool {
	return u.Kind == session.LobbyChanged && time.Since(r.asked) >= refreshInterval
}
