package command

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/export"
	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
	"broadside/sshd"
	"broadside/tui"
	"broadside/tui/format"
)

func init() { register(50, watch) }

func watch(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:         "watch [ID|NAME|featured] [--list] [--json]",
		Short:       c.lang.Say("Follow a running match, a line a shot; with -t on a screen"),
		Args:        atMost(1),
		Annotations: map[string]string{sshd.Lasts: "", sshd.OpensAtTerminal: ""},
	}
	list := cmd.Flags().Bool("list", false, c.lang.Say("list the matches that are on"))
	asJSON := cmd.Flags().Bool("json", false, c.lang.Say("write JSON, one value a line"))
	cmd.RunE = c.run(func(args []string) error {
		which := strings.Join(args, "")
		switch {
		case sshd.Opens(cmd):
			return openWatch(cmd, which)
		case *list:
			return c.listMatches(*asJSON)
		}
		return c.follow(which, *asJSON)
	})
	return cmd
}

// openWatch opens the screen of a match, which knows no options.
func openWatch(cmd *cobra.Command, which string) error {
	if f := firstChanged(cmd); f != "" {
		return sshd.Misuse("on a screen watch knows nothing of %q: leave -t out", f)
	}
	sshd.Open(cmd, tui.Opening{Watch: cmp.Or(which, session.Featured)})
	return nil
}

// follow writes what happens in a match until it ends.
func (c *call) follow(which string, asJSON bool) error {
	err := c.do(session.WatchBy{Text: which})
	switch {
	case errors.Is(err, session.ErrNoMatchToWatch) && which == "":
		return i18n.Errorf("no match is on just now")
	case errors.Is(err, session.ErrNoMatchToWatch):
		return i18n.Errorf("no match %q is on, and nobody of that name plays: ssh HOST watch --list tells what is on", which)
	case err != nil:
		return err
	}
	f := &follower{call: c, about: *c.own.State().Watching, asJSON: asJSON}
	for side, p := range f.about.Players {
		f.names[side] = format.Clean(p.Name, 40)
	}
	return f.follow()
}

// listMatches lists the matches that can be watched.
func (c *call) listMatches(asJSON bool) error {
	all, err := ask(c, session.Matches{})
	if err != nil {
		return err
	}
	if asJSON {
		for _, r := range all {
			if err := c.jsonLine(begunJSON(r)); err != nil {
				return err
			}
		}
		return nil
	}
	if len(all) == 0 {
		return c.print("Nobody plays just now. Two bots do, for who watches: ssh HOST watch")
	}
	rows := [][]string{c.heads("ID", "SINCE (UTC)", "RULES", "PLAYERS", "WATCHING")}
	for _, r := range all {
		rows = append(rows, []string{
			r.ID, c.stamp(r.Started), format.Clean(r.Rules.Name, 40),
			format.Clean(r.Players[0].Name, 40) + " – " + format.Clean(r.Players[1].Name, 40), c.number(r.Watching),
		})
	}
	return c.table(rows)
}

// follower tells of a match what its spectators may see.
type follower struct {
	*call
	about  session.Running
	names  [2]string // clean
	asJSON bool
	begun  bool // something has been told
	ended  bool // the end, too
	auto   bool // the clock fired the last shot
	away   [2]bool
}

// follow tells of a match until it ends, or the client leaves.
func (f *follower) follow() error {
	for {
		u, err := f.own.Next(f.ctx)
		switch {
		case err != nil:
			return err
		case u.Kind == session.WatchEnded:
			return nil
		case u.Kind != session.WatchChanged:
			continue
		}
		if err := f.tell(u.Match); err != nil {
			return err
		}
	}
}

// tell tells what an update brings.
func (f *follower) tell(u *session.MatchUpdate) error {
	v := &u.View
	switch {
	case !f.begun:
		f.begun = true
		if err := f.begin(v); err != nil {
			return err
		}
	case u.Missed:
		if err := f.say(f.now("missed"), i18n.Mean("Some shots came too fast to be told.")); err != nil {
			return err
		}
	}
	for _, e := range u.Events {
		if err := f.event(e, v); err != nil {
			return err
		}
	}
	for side, away := range u.Away {
		if away == f.away[side] || f.ended {
			continue
		}
		f.away[side] = away
		what, text := "back", i18n.Mean("%s is back.", f.names[side])
		if away {
			what, text = "away", i18n.Mean("%s has lost the connection.", f.names[side])
		}
		out := f.now(what)
		out.Player = &side
		if err := f.say(out, text); err != nil {
			return err
		}
	}
	if v.Phase != match.Over || f.ended {
		return nil
	}
	return f.event(match.Event{Kind: match.GameEnded, Side: v.Winner, Reason: v.Reason, At: time.Since(f.about.Started)}, v) // which it has missed
}

// begin tells which match this is and how it stands.
func (f *follower) begin(v *match.View) error {
	if f.asJSON {
		begun := begunJSON(f.about)
		for side := range begun.Players {
			begun.Players[side].Shots = v.Charts[side].Fired
			begun.Players[side].Hits = v.Charts[side].Hits.Union(v.Charts[side].Sunk).Len()
		}
		return f.jsonLine(begun)
	}
	err := f.print("%s against %s, %s, match %s.", f.names[0], f.names[1], format.Clean(v.Rules.Name, 40), f.about.ID)
	if err != nil || v.Phase != match.Battle {
		return err
	}
	var left [2]int
	for side := range left {
		left[side] = v.Charts[1-side].ShipsLeft()
	}
	return f.print("So far %s has fired %d and has %s afloat, %s %d and %s. It is the turn of %s.",
		f.names[0], v.Charts[0].Fired, i18n.Mean("%d ships", left[0]), f.names[1], v.Charts[1].Fired, i18n.Mean("%d ships", left[1]), f.names[v.Turn])
}

// event tells of an event; v is how the match stands after it, or later.
func (f *follower) event(e match.Event, v *match.View) error {
	out := export.EventOf(e)
	name := ""
	if e.Side <= match.Second {
		name = f.names[e.Side]
	}
	switch e.Kind {
	case match.FleetPlaced, match.FleetKept, match.FleetCommitted:
		return f.say(out, i18n.Mean("%s is ready.", name))
	case match.BattleBegun:
		return f.say(out, i18n.Mean("The battle begins. %s shoots first.", name))
	case match.ShotFired:
		f.auto = e.Auto
		if f.asJSON {
			return f.jsonLine(out)
		}
	case match.ShotAnswered:
		shooter := f.names[e.Side.Other()]
		text := i18n.Mean("%s fires at %v: %s.", shooter, e.Cell, answers[e.Result])
		if f.auto {
			text = i18n.Mean("Time runs out for %s, a random shot at %v: %s.", shooter, e.Cell, answers[e.Result])
		}
		return f.say(out, text)
	case match.AnswersDisputed:
		return f.say(out, i18n.Mean("The answers of %s cannot all be true: the match is disputed.", name))
	case match.RevealDue:
		return f.say(out, phrase.Revealing(v, f.names))
	case match.GameEnded:
		f.ended = true
		return f.say(out, f.ending(v))
	}
	if f.asJSON {
		return f.jsonLine(out)
	}
	return nil
}

// answers are what shots do, in words.
var answers = map[match.Result]i18n.Text{
	match.Water: "water", match.Hit: "hit", match.Sunk: "hit and sunk", match.LastSunk: "the last ship is sunk",
}

// ending says who won, and why.
func (f *follower) ending(v *match.View) i18n.Message {
	if v.Winner == match.Nobody {
		return i18n.Mean("Nobody has won (%s).", phrase.Reason(v.Reason))
	}
	winner, loser := f.names[v.Winner], f.names[v.Winner.Other()]
	switch v.Reason {
	case match.FleetSunk:
		return i18n.Mean("%s has won with %d shots.", winner, v.Charts[v.Winner].Fired)
	case match.Resigned:
		return i18n.Mean("%s has won: %s has resigned.", winner, loser)
	case match.Left, match.Hangup:
		return i18n.Mean("%s has won: %s has left.", winner, loser)
	}
	return i18n.Mean("%s has won by a fault of %s (%s).", winner, loser, phrase.Reason(v.Reason))
}

// now is something that no record has, and has happened just now.
func (f *follower) now(what string) export.Event {
	return export.Event{At: time.Since(f.about.Started).Milliseconds(), Event: what}
}

// say tells something as JSON or as a sentence.
func (f *follower) say(out export.Event, said i18n.Message) error {
	if f.asJSON {
		return f.jsonLine(out)
	}
	return f.print(said.Text, said.Args...)
}

// begun is the first line of what is told of a match as JSON.
type begun struct {
	Event    string    `json:"event"` // match
	ID       string    `json:"id"`
	Rules    string    `json:"rules"`
	Started  time.Time `json:"started"`
	Players  [2]seat   `json:"players"`
	Watching int       `json:"watching"`
}

func begunJSON(r session.Running) begun {
	b := begun{Event: "match", ID: r.ID, Rules: r.Rules.Name, Started: r.Started.UTC(), Watching: r.Watching}
	for side, p := range r.Players {
		b.Players[side] = seat{Name: p.Name, Kind: p.Kind.String()}
	}
	return b
}
