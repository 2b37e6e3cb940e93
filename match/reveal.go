package match

import (
	"errors"
	"strings"
	"time"
)

// This file implements fleets that a side keeps and has committed to. The side publishes
// a commitment before the first shot (see [Commitment]) and reveals layout and salt after
// the last one. The game checks that the fleet matches the commitment and all results
// that the side reported. Until then the match has no result.

// Errors of commitments and reveals.
var (
	ErrCommitment   = errors.New("a commitment is a SHA-256 in 64 hexadecimal digits")
	ErrCommitMoving = errors.New("commitments prove nothing if ships move: let the server keep your fleet")
	ErrNoReveal     = errors.New("you have no fleet to reveal now")
	ErrRevealing    = errors.New("the last shot has been fired: the match ends when the fleets have been revealed")
)

// Commit makes a side ready that keeps its fleet, with a [Commitment] to it, and reports
// results itself.
func Commit(side Side, commitment string) Command {
	return Command{Action: CommitFleet, Side: side, Commitment: commitment}
}

// Reveal reveals the fleet of a side's commitment after the last shot.
func Reveal(side Side, salt string, l Layout) Command {
	return Command{Action: RevealFleet, Side: side, Salt: salt, Layout: l}
}

// ValidCommitment reports whether s has the form of a [Commitment].
func ValidCommitment(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }

// ValidSalt reports whether s can be the salt of a commitment: 1 to 64
// printable ASCII characters, none of them a space.
func ValidSalt(s string) bool {
	return s != "" && len(s) <= 64 && !strings.ContainsFunc(s, func(r rune) bool { return r < '!' || r > '~' })
}

// Due reports whether a side must still reveal its fleet.
func (g *Game) Due(side Side) bool { return g.due[side] }

// Decided reports whether the result, in Revealing, no longer depends on the missing
// reveals.
func (g *Game) Decided() bool {
	winner := g.claim.Side
	return g.phase == Revealing && !g.due[winner] && g.failures[winner] == 0
}

func (g *Game) commit(c *Command) error {
	switch {
	case g.rules.Moving:
		return ErrCommitMoving
	case !ValidCommitment(c.Commitment):
		return ErrCommitment
	}
	g.commitments[c.Side] = c.Commitment
	return nil
}

// decide ends the game with a winner, unless fleets must be revealed first. After a breach
// by the loser, the winner need not reveal its fleet.
func (g *Game) decide(winner Side, why Reason, at time.Duration) {
	if g.phase == Battle && !why.Breach() {
		g.due[winner] = g.commitments[winner] != ""
		g.due[winner.Other()] = why == FleetSunk && g.commitments[winner.Other()] != ""
	}
	if g.due == [2]bool{} {
		g.end(winner, why, at)
		return
	}
	g.phase = Revealing
	g.claim = Event{Kind: RevealDue, Side: winner, Reason: why, At: at}
	g.emit(g.claim)
}

// conclude carries out a command in Revealing.
func (g *Game) conclude(c *Command) error {
	switch c.Action {
	case RevealFleet:
		return g.reveal(c)
	case ForfeitGame:
		if !c.Reason.forfeits() {
			return ErrBadCommand
		}
		if !g.due[c.Side] {
			return ErrOver // as far as this side is concerned
		}
		g.fail(c.Side, c.Reason, c.At)
		g.resolve(c.At)
		return nil
	}
	return ErrRevealing
}

func (g *Game) reveal(c *Command) error {
	switch {
	case !g.due[c.Side]:
		return ErrNoReveal
	case !ValidSalt(c.Salt):
		return ErrBadCommand
	}
	if err := g.rules.Check(c.Layout); err != nil {
		return err
	}
	g.emit(Event{Kind: FleetRevealed, Side: c.Side, At: c.At, about: &about{layout: c.Layout, salt: c.Salt}})
	if fleet, why := g.verify(c); why != 0 {
		g.fail(c.Side, why, c.At)
	} else {
		g.due[c.Side], g.fleets[c.Side] = false, fleet
	}
	g.resolve(c.At)
	return nil
}

// verify returns the revealed fleet after all shots at it, or the reason why the reveal
// fails.
func (g *Game) verify(c *Command) (*Fleet, Reason) {
	if Commitment(Opening(c.Salt, c.Layout)) != g.commitments[c.Side] {
		return nil, OtherFleet
	}
	fleet := NewFleet(c.Layout)
	for i := range g.events {
		e := &g.events[i]
		if e.Kind == ShotAnswered && e.Side == c.Side && fleet.Shoot(e.Cell) != e.Result {
			return nil, FalseAnswer
		}
	}
	return fleet, 0
}

func (g *Game) fail(side Side, why Reason, at time.Duration) {
	g.due[side], g.failures[side] = false, why
	g.emit(Event{Kind: RevealFailed, Side: side, Reason: why, At: at})
}

// resolve ends the game once every reveal has succeeded or failed. A winner whose
// reveal failed loses, unless the loser's failed as well.
func (g *Game) resolve(at time.Duration) {
	if g.due != [2]bool{} {
		return
	}
	winner, why := g.claim.Side, g.claim.Reason
	if f := g.failures[winner]; f != 0 && g.failures[winner.Other()] == 0 {
		winner, why = winner.Other(), f
	}
	g.end(winner, why, at)
}
