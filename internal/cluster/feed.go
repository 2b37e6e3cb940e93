package cluster

import (
	"encoding/json"
	"sync"

	"broadside/internal/session"
)

// lobbyFeed holds the newest lobby snapshot for the gateways that follow the lobby. The
// snapshot is encoded once for all of them.
type lobbyFeed struct {
	mu      sync.Mutex // guards the fields below
	newest  *session.Snapshot
	encoded []byte // newest as JSON; nil: not encoded yet
	sent    map[*conn]*session.Snapshot
}

// set replaces the snapshot with a newer one.
func (l *lobbyFeed) set(n *session.Snapshot) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.newest, l.encoded = n, nil
	for c := range l.sent {
		wake(c.wake)
	}
}

// follow sends lobby snapshots to a gateway until [lobbyFeed.remove].
func (l *lobbyFeed) follow(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, follows := l.sent[c]; !follows {
		l.sent[c] = nil
		wake(c.wake)
	}
}

func (l *lobbyFeed) remove(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.sent, c)
}

// next returns the newest snapshot if the gateway follows the lobby and does not have it.
func (l *lobbyFeed) next(c *conn) (f frame, ok bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if before, follows := l.sent[c]; !follows || before == l.newest {
		return f, false, nil
	}
	l.sent[c] = l.newest
	if l.encoded == nil {
		l.encoded, err = json.Marshal(l.newest)
	}
	return frame{kind: kindLobby, payload: l.encoded}, err == nil && len(l.encoded) <= MaxPayload, err
}
