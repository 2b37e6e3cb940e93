package command

import (
	"cmp"
	"errors"
	"math/rand/v2"

	"broadside/bots"
	"broadside/internal/export"
	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/view"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
)

func (c *Call) play() error {
	r, err := c.rules()
	if err != nil {
		return err
	}
	o := session.StartScreen{Play: true, Rules: r, Stakes: c.stakes}
	if c.has("casual") {
		o.Stakes = lobby.Casual
	}
	if c.has("vs") {
		o.Bot = narrate.ParseBotName(c.lang, c.value("vs", ""))
		if _, err := bots.New(o.Bot, bots.Config{Rules: r, Rand: rand.New(rand.NewPCG(0, 0))}); err != nil {
			return usageError{err}
		}
	}
	return c.open(o)
}

func (c *Call) resume() error {
	if c.arg(0) == "" {
		return c.open(session.StartScreen{Rejoin: true})
	}
	return c.open(session.StartScreen{ResumeCode: c.arg(0)})
}

func (c *Call) join() error {
	code, err := lobby.ParseCode(c.arg(0))
	if err == nil {
		_, err = c.own.FindPrivateMatch(code)
	}
	if err != nil {
		return usageError{err}
	}
	return c.open(session.StartScreen{PrivateCode: code})
}

// openLobby opens line mode.
func (c *Call) openLobby() error { return c.open(session.StartScreen{}) }

// watch opens a match, lists the matches, or writes the events of a match until it ends.
func (c *Call) watch() error {
	which := c.arg(0)
	switch {
	case c.has("list"):
		return c.listMatches()
	case c.screen || c.spoken:
		return c.open(session.StartScreen{Watch: cmp.Or(which, lobby.FeaturedMatch)})
	}
	_ = c.in.Close() // unread input would take memory
	err := c.own.FindAndWatch(which)
	switch {
	case errors.Is(err, lobby.ErrNoMatch) && which == "":
		return i18n.Errorf("no match is running right now")
	case errors.Is(err, lobby.ErrNoMatch):
		return i18n.Errorf("no match %q is running, and no player of that name is in one: ssh HOST watch --list shows running matches", which)
	case err != nil:
		return err
	}
	f := &follower{Call: c, about: *c.own.State().Watching, asJSON: c.has("json")}
	f.narrator.Side = match.Nobody
	for side, p := range f.about.Players {
		f.narrator.Names[side] = clean(p.Name)
	}
	return f.follow()
}

// listMatches lists the matches open to spectators.
func (c *Call) listMatches() error {
	all := c.own.RunningMatches()
	if c.has("json") {
		for _, r := range all {
			if err := c.jsonLine(export.NewRunningMatch(r, nil)); err != nil {
				return err
			}
		}
		return nil
	}
	if len(all) == 0 {
		return c.print("No match is running. To watch two bots: ssh HOST watch")
	}
	return c.table(view.MatchesList.TableRows(c.lang, view.MatchRows(c.lang, all)))
}
