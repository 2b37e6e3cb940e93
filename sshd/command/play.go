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

func (c *Call) playMatch() error {
	r, err := c.parseRules()
	if err != nil {
		return err
	}
	o := session.StartScreen{Play: true, Rules: r, RatingMode: c.ratingMode}
	if c.hasOption("casual") {
		o.RatingMode = lobby.Casual
	}
	if c.hasOption("vs") {
		o.Bot = narrate.ParseBotName(c.lang, c.optionText("vs", ""))
		if _, err := bots.New(o.Bot, bots.Config{Rules: r, Rand: rand.New(rand.NewPCG(0, 0))}); err != nil {
			return usageError{err}
		}
	}
	return c.requestScreen(o)
}

func (c *Call) resumeMatch() error {
	if c.argument(0) == "" {
		return c.requestScreen(session.StartScreen{Rejoin: true})
	}
	return c.requestScreen(session.StartScreen{ResumeCode: c.argument(0)})
}

func (c *Call) joinPrivateMatch() error {
	code, err := lobby.ParseCode(c.argument(0))
	if err == nil {
		_, err = c.session.FindPrivateMatch(code)
	}
	if err != nil {
		return usageError{err}
	}
	return c.requestScreen(session.StartScreen{PrivateCode: code})
}

func (c *Call) openLineMode() error { return c.requestScreen(session.StartScreen{}) }

// watchMatch opens a match for spectators, lists the running matches, or writes a match's events until it ends.
func (c *Call) watchMatch() error {
	which := c.argument(0)
	switch {
	case c.hasOption("list"):
		return c.listMatches()
	case c.opensScreen || c.forLineMode:
		return c.requestScreen(session.StartScreen{Watch: cmp.Or(which, lobby.FeaturedMatch)})
	}
	// Unread input would take memory.
	_ = c.in.Close()
	err := c.session.FindAndWatch(which)
	switch {
	case errors.Is(err, lobby.ErrNoMatch) && which == "":
		return i18n.Errorf("no match is running right now")
	case errors.Is(err, lobby.ErrNoMatch):
		return i18n.Errorf("no match %q is running, and no player of that name is in one: ssh HOST watch --list shows running matches", which)
	case err != nil:
		return err
	}
	f := &follower{call: c, match: *c.session.State().Watching, asJSON: c.hasOption("json")}
	f.narrator.Side = match.Nobody
	for side, p := range f.match.Players {
		f.narrator.Names[side] = cleanName(p.Name)
	}
	return f.writeUntilEnd()
}

// listMatches lists the matches that are open to spectators.
func (c *Call) listMatches() error {
	all := c.session.RunningMatches()
	if c.hasOption("json") {
		for _, r := range all {
			if err := c.writeJSONLine(export.NewRunningMatch(r, nil)); err != nil {
				return err
			}
		}
		return nil
	}
	if len(all) == 0 {
		return c.printLine("No match is running. To watch two bots: ssh HOST watch")
	}
	return c.writeColumns(view.MatchesList.TableRows(c.lang, view.MatchRows(c.lang, all)))
}
