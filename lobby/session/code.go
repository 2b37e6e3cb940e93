package session

import (
	"errors"
	"sync"
	"time"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/tournament"
)

// A session's first wrong code costs MinCodePause, and each further one twice the last pause, up to
// MaxCodePause. SECURITY.md derives from this how long it takes to guess a code.
const (
	MinCodePause = time.Second
	MaxCodePause = 4 * time.Second
)

// codeThrottle slows down a single session that enters wrong codes.
type codeThrottle struct {
	// mu is held while a code is looked up, and during the pause after a wrong one.
	mu sync.Mutex
	// lastPause is guarded by mu.
	lastPause time.Duration
}

// tryCode calls use, which looks up an entered code, and pauses if the code is wrong. A session
// tries one code at a time. The pause does not end early if the client leaves. Otherwise a client
// could disconnect as soon as an answer takes longer than one to a right code, and try the next
// code.
func (c *codeThrottle) tryCode(l *lobby.Lobby, use func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := use()
	for _, wrong := range []error{lobby.ErrNoPrivate, lobby.ErrNoResume, account.ErrLinkCode, tournament.ErrNotFound} {
		if errors.Is(err, wrong) {
			c.lastPause = min(max(MinCodePause, 2*c.lastPause), MaxCodePause)
			l.Sleep(c.lastPause)
			return err
		}
	}
	return err
}
