package relay

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"broadside/internal/session"
	"broadside/match"
)

// commit notes the commitment to the client's fleet of the next game. Unless it
// comes before the first role, the client must have committed to its fleets from
// the beginning: whom it plays, and for what, depends on it.
func (c *conn) commit(args []string) (string, bool) {
	if len(args) != 1 || !match.ValidCommitment(strings.ToLower(args[0])) {
		return "error commit say commit and a SHA-256 in 64 hexadecimal digits", false
	}
	commitment := strings.ToLower(args[0])
	c.acting.Lock()
	defer c.acting.Unlock()
	c.mu.Lock()
	switch {
	case c.in && !c.wish.commits:
		c.mu.Unlock()
		return late("commit"), false
	case !c.in:
		c.wish.uniform, c.wish.layout, c.wish.commits = false, nil, true
	}
	awaited := c.awaited
	if c.awaited = false; !awaited {
		c.commitment = commitment
	}
	c.mu.Unlock()
	if awaited {
		if err := c.act(session.Commit{Commitment: commitment}); err != nil {
			return "error commit " + err.Error(), false
		}
	}
	return "ok commit", false
}

// reveal opens the commitment to the client's fleet after a game. Its answer
// comes with what the match makes of it. A reveal that cannot be read is none:
// it loses like silence, but nobody has to wait for it.
func (c *conn) reveal(args []string) (string, bool) {
	m := c.game()
	if m == nil {
		return "error reveal " + match.ErrNoReveal.Error(), false
	}
	var l match.Layout
	err := errors.New("say reveal, the salt in 1 to 64 characters, and the ships with ; between them")
	if len(args) >= 2 && match.ValidSalt(args[0]) {
		l, err = parseLayout(m.Rules, args[1:])
	}
	var do session.Action = session.Forfeit{Reason: match.Unrevealed}
	if err != nil {
		c.say("%% error reveal %v", err) // before it learns that it has lost
	} else {
		do = session.Reveal{Salt: args[0], Layout: l}
	}
	c.acting.Lock()
	defer c.acting.Unlock()
	if c.game() != nil {
		err = c.act(do)
	} else {
		err = match.ErrNoReveal
	}
	if err != nil {
		return "error reveal " + err.Error(), false
	}
	return "", false
}

// prepare makes the client's seat ready for a game, or lets it wait for the
// client's commitment.
func (c *conn) prepare(rules match.Rules) error {
	c.mu.Lock()
	w := &c.wish
	commits := w.commits && !rules.Moving
	commitment := c.commitment
	if commits {
		c.commitment, c.awaited = "", commitment == ""
	}
	c.mu.Unlock()
	switch {
	case w.uniform:
		return c.act(session.Place{Layout: rules.RandomLayout(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))})
	case w.layout != nil:
		return c.act(session.Place{Layout: w.layout})
	case !commits:
		return c.act(session.KeepFleet{})
	case commitment != "":
		return c.act(session.Commit{Commitment: commitment})
	}
	return nil
}

// warn tells a registered program that understands it, once, that it plays
// casual matches only because its fleet is not fixed before the first shot.
// Others have no ratings, and those that have asked for casual matches know.
func (c *conn) warn() {
	w := &c.wish
	if c.warned || w.fixed() || w.player.Account == "" || w.choice != session.Rated || !c.isTalking() {
		return
	}
	c.warned = true
	how := "send layout or commit before your first role to play rated ones"
	if w.commits {
		how = "where ships move a commitment proves nothing: send layout to play rated ones"
	}
	c.say("%% error unrated your fleet is not fixed before the first shot, so your matches are casual: %s", how)
}

// appendReveal appends what a client that has committed to its fleet is told
// after the last shot.
func (t *told) appendReveal(b []byte, u *session.MatchUpdate) []byte {
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

// revealed reports whether a side has revealed its fleet: it may have done so before it
// was asked.
func revealed(events []match.Event, side match.Side) bool {
	return slices.ContainsFunc(events, func(e match.Event) bool { return e.Kind == match.FleetRevealed && e.Side == side })
}
