package relay

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"broadside/match"
	"broadside/match/live"
)

// commit stores the commitment to the client's fleet of the next game. After the first
// role, it is legal only if the client has committed before, because opponents and stakes
// depend on that.
func (d *directives) commit(args []string) (string, bool) {
	if len(args) != 1 || !match.ValidCommitment(strings.ToLower(args[0])) {
		return "error commit say commit and a SHA-256 in 64 hexadecimal digits", false
	}
	if !d.commits() {
		return late("commit"), false
	}
	if err := d.seat.commit(strings.ToLower(args[0])); err != nil {
		return "error commit " + err.Error(), false
	}
	return "ok commit", false
}

// commits records that the client commits to its fleets. It returns false if it is too
// late for that.
func (d *directives) commits() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.in {
		d.request.uniform, d.request.layout, d.request.commits = false, nil, true
	}
	return d.request.commits
}

// reveal passes the client's fleet and salt to the match after a game. The answer arrives
// with the match's next update. A reveal that cannot be parsed loses the match at once.
func (d *directives) reveal(args []string) (string, bool) {
	m := d.seat.current()
	if m == nil {
		return "error reveal " + match.ErrNoReveal.Error(), false
	}
	var l match.Layout
	err := errors.New("say reveal, the salt in 1 to 64 characters, and the ships with ; between them")
	if len(args) >= 2 && match.ValidSalt(args[0]) {
		l, err = parseLayout(m.Rules, args[1:])
	}
	reveal := func() error { return d.session.Reveal(args[0], l) }
	if err != nil {
		d.out.sendLine("%% error reveal %v", err) // before the result
		reveal = func() error { return d.session.Forfeit(match.Unrevealed) }
	}
	playing, err := d.seat.inGame(reveal)
	if !playing {
		err = match.ErrNoReveal
	}
	if err != nil {
		return "error reveal " + err.Error(), false
	}
	return "", false
}

// appendReveal appends the directives about reveals that follow from an update.
func (t *sentState) appendReveal(b []byte, u *live.Update) []byte {
	for i := range u.Events {
		switch e := &u.Events[i]; {
		case e.Kind == match.RevealDue && (u.View.Due[t.side] || revealed(u.Events[i:], t.side)):
			b, t.asked = append(b, "% reveal\n"...), true
		case e.Kind == match.FleetRevealed && e.Side == t.side:
			b = append(b, "% ok reveal\n"...)
		}
	}
	if errors.Is(u.Refused, match.ErrNoReveal) {
		b = fmt.Appendf(b, "%% error reveal %v\n", match.ErrNoReveal)
	}
	return b
}

// revealed reports whether the events contain the reveal of a side's fleet, which may
// come before the request.
func revealed(events []match.Event, side match.Side) bool {
	return slices.ContainsFunc(events, func(e match.Event) bool { return e.Kind == match.FleetRevealed && e.Side == side })
}
