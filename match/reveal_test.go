package match_test

import (
	"errors"
	"slices"
	"testing"

	"broadside/match"
	"broadside/match/audit"
	"broadside/match/layoutfile"
)

// committed is a small game in which both sides commit to their fleets, or in which Second
// places its fleet.
type committed struct {
	t       *testing.T
	g       *match.Game
	layouts [2]match.Layout
}

const salt = "0123456789abcdef"

func newCommitted(t *testing.T, secondPlaces bool) *committed {
	t.Helper()
	rules := fleetOf(5, match.TouchAny, 2)
	layout := match.Layout{{Stern: match.At(0, 0), Heading: match.East, Length: 2}}
	c := &committed{t: t, g: match.NewGame(rules, audit.Forfeit), layouts: [2]match.Layout{layout, layout}}
	c.do(match.Commit(match.First, match.Commitment(match.Opening(salt, layout))))
	if secondPlaces {
		c.do(match.Place(match.Second, layout))
	} else {
		c.do(match.Commit(match.Second, match.Commitment(match.Opening(salt, layout))))
	}
	return c
}

func (c *committed) do(cmd match.Command) {
	c.t.Helper()
	if _, err := c.g.Apply(cmd); err != nil {
		c.t.Fatal(err)
	}
}

func (c *committed) refused(cmd match.Command, want error) {
	c.t.Helper()
	before := len(c.g.Events())
	if _, err := c.g.Apply(cmd); !errors.Is(err, want) || len(c.g.Events()) != before {
		c.t.Errorf("%+v: %v, want %v", cmd, err, want)
	}
}

// shot fires, and answers unless the game does.
func (c *committed) shot(by match.Side, cell match.Cell, r match.Result) {
	c.t.Helper()
	c.do(match.Fire(by, cell))
	if v := c.g.View(by); v.Pending {
		c.do(match.Answer(by.Other(), cell, r))
	}
}

// sinkFirst lets Second win with two hits and a miss by First in between.
func (c *committed) sinkFirst() {
	c.t.Helper()
	c.shot(match.Second, match.At(0, 0), match.Hit)
	c.shot(match.First, match.At(4, 4), match.Water)
	c.shot(match.Second, match.At(1, 0), match.LastSunk)
}

// ended checks the result, and that the history leads to it again.
func (c *committed) ended(winner match.Side, why match.Reason) {
	c.t.Helper()
	v := c.g.View(match.Nobody)
	if v.Phase != match.Over || v.Winner != winner || v.Reason != why {
		c.t.Fatalf("phase %v, won by %v: %v; want %v: %v", v.Phase, v.Winner, v.Reason, winner, why)
	}
	data, err := match.EncodeEvents(c.g.Rules(), c.g.Events())
	if err != nil {
		c.t.Fatal(err)
	}
	rules, events, err := match.DecodeEvents(data)
	if err != nil {
		c.t.Fatal(err)
	}
	again, err := match.Replay(rules, audit.Forfeit, events)
	if err != nil {
		c.t.Fatal(err)
	}
	sameGame(c.t, c.g, again)
}

var elsewhere = match.Layout{{Stern: match.At(3, 3), Heading: match.East, Length: 2}}

// TestRevealDecides plays the same shots, with which Second wins, and reveals in every
// possible way.
func TestRevealDecides(t *testing.T) {
	first, second := match.First, match.Second
	good := func(s match.Side) func(*committed) match.Command {
		return func(c *committed) match.Command { return match.Reveal(s, salt, c.layouts[s]) }
	}
	as := func(cmd match.Command) func(*committed) match.Command {
		return func(*committed) match.Command { return cmd }
	}
	for name, test := range map[string]struct {
		reveals []func(*committed) match.Command
		winner  match.Side
		why     match.Reason
	}{
		"both reveal":                    {[]func(*committed) match.Command{good(first), good(second)}, second, match.FleetSunk},
		"the winner reveals first":       {[]func(*committed) match.Command{good(second), good(first)}, second, match.FleetSunk},
		"the winner says nothing":        {[]func(*committed) match.Command{good(first), as(match.Forfeit(second, match.Unrevealed))}, first, match.Unrevealed},
		"the winner goes away":           {[]func(*committed) match.Command{as(match.Forfeit(second, match.Hangup)), good(first)}, first, match.Hangup},
		"the winner has another fleet":   {[]func(*committed) match.Command{as(match.Reveal(second, salt, elsewhere)), good(first)}, first, match.OtherFleet},
		"the winner has another salt":    {[]func(*committed) match.Command{as(match.Reveal(second, "x", elsewhere)), good(first)}, first, match.OtherFleet},
		"the loser has another fleet":    {[]func(*committed) match.Command{as(match.Reveal(first, salt, elsewhere)), good(second)}, second, match.FleetSunk},
		"the loser says nothing":         {[]func(*committed) match.Command{good(second), as(match.Forfeit(first, match.Unrevealed))}, second, match.FleetSunk},
		"neither reveals":                {[]func(*committed) match.Command{as(match.Forfeit(second, match.Unrevealed)), as(match.Forfeit(first, match.Unrevealed))}, second, match.FleetSunk},
		"the server shuts down meantime": {[]func(*committed) match.Command{good(second), as(match.Void(match.Closed))}, match.Nobody, match.Closed},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCommitted(t, false)
			c.sinkFirst()
			for _, r := range test.reveals {
				v := c.g.View(match.First)
				if v.Phase != match.Revealing || v.Winner != match.Nobody || v.Reason != 0 || v.Fleets[second] != nil {
					t.Fatalf("before the reveals: %+v", v)
				}
				c.do(r(c))
			}
			c.ended(test.winner, test.why)
		})
	}
}

// TestRevealShowsFleet checks that a committed fleet appears with its damage once it is
// verified, and not before.
func TestRevealShowsFleet(t *testing.T) {
	c := newCommitted(t, false)
	c.sinkFirst()
	if c.g.Decided() {
		t.Error("decided before the winner has revealed its fleet")
	}
	c.do(match.Reveal(match.Second, salt, c.layouts[1]))
	if !c.g.Decided() || !c.g.Due(match.First) || c.g.Due(match.Second) {
		t.Error("not decided by the winner's reveal")
	}
	c.do(match.Reveal(match.First, salt, c.layouts[0]))
	v := c.g.View(match.Nobody)
	for side, l := range c.layouts {
		if !slices.Equal(v.Fleets[side], l) || v.Kept[side] {
			t.Errorf("side %d: %v", side, v.Fleets[side])
		}
	}
	if v.Board(match.First, match.At(1, 0)) != match.HullSunk || v.Board(match.Second, match.At(1, 0)) != match.Hull ||
		v.Board(match.Second, match.At(4, 4)) != match.Splash {
		t.Error("the fleets are not shown as they were shot at")
	}
}

// TestFalseAnswer gives answers that some legal fleet could give, but not the committed
// one.
func TestFalseAnswer(t *testing.T) {
	c := newCommitted(t, true)
	c.shot(match.Second, match.At(0, 0), match.Water) // in truth a hit
	c.shot(match.First, match.At(0, 0), match.Hit)
	c.shot(match.Second, match.At(4, 4), match.Water)
	c.shot(match.First, match.At(1, 0), match.LastSunk)
	if !c.g.Due(match.First) || c.g.Due(match.Second) {
		t.Error("the side that placed its fleet has nothing to reveal, the other has")
	}
	c.do(match.Reveal(match.First, salt, c.layouts[0]))
	c.ended(match.Second, match.FalseAnswer)
}

// TestWinByResignationIsVerified checks that a winner must reveal its fleet if the loser
// resigned, but not if the loser broke the rules, nor before the battle.
func TestWinByResignationIsVerified(t *testing.T) {
	c := newCommitted(t, true)
	c.shot(match.Second, match.At(0, 0), match.Water)
	c.do(match.Forfeit(match.Second, match.Resigned))
	if !c.g.Due(match.First) {
		t.Fatal("the winner need not reveal its fleet")
	}
	c.do(match.Reveal(match.First, salt, c.layouts[0]))
	c.ended(match.Second, match.FalseAnswer)

	c = newCommitted(t, true)
	c.shot(match.Second, match.At(0, 0), match.Hit)
	c.do(match.Forfeit(match.First, match.Hangup))
	c.ended(match.Second, match.Hangup)

	c = newCommitted(t, false)
	c.shot(match.Second, match.At(0, 0), match.Hit)
	c.do(match.Forfeit(match.Second, match.Malformed))
	c.ended(match.First, match.Malformed)
}

func TestContradictionOfCommittedSide(t *testing.T) {
	c := newCommitted(t, true)
	c.shot(match.Second, match.At(0, 0), match.Hit)
	c.shot(match.First, match.At(4, 4), match.Water)
	c.shot(match.Second, match.At(0, 0), match.Water)
	c.ended(match.Second, match.Contradiction)
}

func TestRevealRefusals(t *testing.T) {
	layout := match.Naval().RandomLayout(newRand(1))
	moving := &committed{t: t, g: match.NewGame(match.Naval(), audit.Forfeit)}
	moving.refused(match.Commit(match.First, match.Commitment(match.Opening(salt, layout))), match.ErrCommitMoving)

	c := newCommitted(t, true)
	reveal := match.Reveal(match.First, salt, c.layouts[0])
	c.refused(match.Commit(match.First, match.Commitment("x")), match.ErrReady)
	c.refused(reveal, match.ErrNoReveal)
	c.refused(match.Forfeit(match.First, match.Unrevealed), match.ErrNoReveal)
	c.sinkFirst()
	// First has lost, and Second has nothing to reveal: First's reveal is due.
	c.refused(match.Reveal(match.Second, salt, c.layouts[1]), match.ErrNoReveal)
	c.refused(match.Forfeit(match.Second, match.Hangup), match.ErrOver)
	c.refused(match.Fire(match.First, match.At(1, 1)), match.ErrRevealing)
	c.refused(match.Reveal(match.First, "two words", c.layouts[0]), match.ErrBadCommand)
	c.refused(match.Reveal(match.First, salt, nil), match.ErrFleetSize)
	c.do(reveal)
	c.ended(match.Second, match.FleetSunk)

	other := match.NewGame(c.g.Rules(), audit.Forfeit)
	for _, bad := range []string{"", "abc", match.Commitment("x") + "0", "G" + match.Commitment("x")[1:]} {
		if _, err := other.Apply(match.Commit(match.First, bad)); !errors.Is(err, match.ErrCommitment) {
			t.Errorf("the commitment %q: %v", bad, err)
		}
	}
}

// TestCommitmentVector is the worked example of docs/protocol.md.
func TestCommitmentVector(t *testing.T) {
	l, err := layoutfile.Parse(match.Classic(), "carrier A1 A5\nbattleship C1 C4\ncruiser E1 E3\nsubmarine G1 G3\ndestroyer I1 I2")
	if err != nil {
		t.Fatal(err)
	}
	opening := match.Opening("c0ffee00c0ffee00c0ffee00c0ffee00", l[0])
	if want := "c0ffee00c0ffee00c0ffee00c0ffee00 A1E5 C1E4 E1E3 G1E3 I1E2"; opening != want {
		t.Errorf("the text is %q, want %q", opening, want)
	}
	if got, want := match.Commitment(opening), "82b21d0f8dd0c695bb54a689b8f4b0476a2d45633377a7b85164fc4231c20e90"; got != want {
		t.Errorf("the commitment is %s, want %s", got, want)
	}
}
