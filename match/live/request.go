package live

import (
	"time"

	"broadside/match"
)

// request is a request of a seat or a spectator to the referee.
type request struct {
	do        verb
	side      match.Side
	command   match.Command
	fired     time.Time          // when the shot was fired; zero for other requests
	mailbox   *Mailbox           // for attach and detach
	from      int                // for since and shots: how many events the reader has seen; 0: unknown
	events    chan []match.Event // for since; capacity 1
	settled   chan error         // for settle; capacity 1
	spectator *Spectator         // set by watch and unwatch
}

// fires reports whether the request is a command to fire.
func (q *request) fires() bool { return q.do == command && q.command.Action == match.FireShot }

type verb uint8

const (
	command verb = iota
	attach
	detach
	claim
	confirm
	lapse
	watch
	unwatch
	since
	settle
	expire // a clock may have run out
	pause  // events have not been saved within pauseAfter
	saved  // the events are saved
)
