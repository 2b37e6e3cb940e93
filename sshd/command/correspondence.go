package command

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/view"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/match/live"
)

// errNoTurn makes the exit status 1 without a message.
var errNoTurn = errors.New("it is not the player's turn in any match")

type turnJSON struct {
	ID       string `json:"id"`
	Opponent string `json:"opponent"`
	Rules    string `json:"rules"`
	Rated    bool   `json:"rated"`
	Days     int    `json:"days"`
	// Own reports whether it is the player's turn.
	Own      bool   `json:"own"`
	Deadline string `json:"deadline"`
}

// listTurns lists the correspondence matches in which it is the player's turn. If there are none, the exit status
// is 1.
func (c *Call) listTurns() error {
	all, err := c.session.CorrespondenceMatches(c.ctx)
	if err != nil {
		return err
	}
	own := session.Turns{Matches: all}.OwnTurns()
	turns := own
	if c.hasOption("all") {
		turns = all
	}
	out := []turnJSON{}
	for _, m := range turns {
		out = append(out, turnJSON{
			m.ID, m.Opponent, m.Rules.Name, m.Mode.IsRated(), narrate.DayCount(m.Pace), m.IsTurn, formatUTC(m.Deadline),
		})
	}
	if !c.hasOption("quiet") {
		err = writeList(c, out, view.TurnsList, turns, "It is not your turn in any correspondence match.")
	}
	if err == nil && len(own) == 0 {
		return errNoTurn
	}
	return err
}

// nextMatch stands for the match whose deadline is next, instead of an ID.
const nextMatch = "next"

// findCorrespondence returns the ID of the correspondence match that the first argument names.
func (c *Call) findCorrespondence() (id string, err error) {
	all, err := c.session.CorrespondenceMatches(c.ctx)
	if err != nil {
		return "", err
	}
	prefix := c.argument(0)
	if prefix == nextMatch {
		if len(all) == 0 || !all[0].IsTurn {
			return "", i18n.Errorf("it is not your turn in any correspondence match")
		}
		return all[0].ID, nil
	}
	missing := i18n.Errorf("you are not playing a correspondence match %q: ssh HOST turns --all lists yours", prefix)
	return FindID(all, func(m lobby.CorrespondenceMatch) string { return m.ID }, prefix, missing)
}

// FindID returns the only ID in a list that starts with a prefix. The error is missing if there is none.
func FindID[T any](all []T, id func(T) string, prefix string, missing error) (found string, err error) {
	err = missing
	for _, item := range all {
		switch {
		case !strings.HasPrefix(id(item), strings.ToLower(prefix)):
		case found != "":
			return "", i18n.Errorf("more than one ID starts with %q: type more of it (--json lists whole IDs)", prefix)
		default:
			found, err = id(item), nil
		}
	}
	return found, err
}

func (c *Call) openMatch() error {
	id, err := c.findCorrespondence()
	if err != nil {
		return err
	}
	return c.requestScreen(session.StartScreen{Turn: id})
}

// turn is the player's turn in a correspondence match.
type turn struct {
	call     *Call
	match    session.Match
	narrator narrate.Narrator
	last     live.Update
}

// openTurn takes the player's seat in the match that the first argument names.
func (c *Call) openTurn() (*turn, error) {
	id, err := c.findCorrespondence()
	if err != nil {
		return nil, err
	}
	if err := c.session.OpenCorrespondence(c.ctx, id); err != nil {
		return nil, err
	}
	t := &turn{call: c, match: *c.session.State().Match}
	t.narrator.Side = t.match.Side
	t.narrator.Names[t.match.Side.Other()] = cleanName(t.match.Opponent.Name)
	if err := t.receiveUpdate(); err != nil {
		return nil, err
	}
	if t.last.View.Phase == match.Over {
		return nil, &i18n.Error{Message: t.narrator.VerdictAndReason(&t.last.View)}
	}
	return t, nil
}

// receiveUpdate waits for the match's next update. It returns why the player's last action was refused.
func (t *turn) receiveUpdate() error {
	for {
		u, err := t.call.session.Next(t.call.ctx)
		switch {
		case err != nil:
			return err
		case u.Kind == session.MatchLost:
			return u.Err
		case u.Kind == session.MatchChanged:
			t.last = *u.Match
			return t.last.Refused
		}
	}
}

// writeUntil writes what happens in the match until it is over or isSettled is true, and whose turn it is then.
func (t *turn) writeUntil(isSettled func(*match.View) bool) error {
	for v := &t.last.View; ; {
		before := t.last
		if err := t.receiveUpdate(); err != nil {
			return err
		}
		err := t.call.writeChanges(&t.narrator, &before, &t.last, true)
		if err != nil || v.Phase == match.Over {
			return err
		}
		if isSettled(v) {
			return t.writeTurn()
		}
	}
}

// writeTurn writes whose turn it is.
func (t *turn) writeTurn() error {
	c, v := t.call, &t.last.View
	switch {
	case v.Phase == match.Placing:
		return nil
	case v.Turn == t.match.Side && !v.Pending:
		return c.printLine("Your turn.")
	case v.Turn == t.match.Side:
		return c.printLine("Your shot is on its way.")
	}
	left := narrate.TimeLeft(c.lang, time.Until(t.last.Deadline))
	return c.printLine("%s fires next. Time left: %s.", t.narrator.Names[v.Turn], left)
}

func (c *Call) fireInTurn() error {
	var cells []match.Cell
	for _, name := range c.args[1:] {
		cell, err := layoutfile.ParseCell(strings.Trim(name, ","))
		if err != nil {
			return usageError{err}
		}
		cells = append(cells, cell)
	}
	t, err := c.openTurn()
	if err != nil {
		return err
	}
	if err := t.checkShots(cells); err != nil {
		return err
	}
	side, fired := t.match.Side, t.last.View.Turns[t.match.Side]
	if err := c.session.Fire(side, t.last.Seq, cells...); err != nil {
		return err
	}
	return t.writeUntil(func(v *match.View) bool {
		// A program that keeps its fleet gives the results when it connects.
		return v.Turns[side] > fired || v.Pending && v.Kept[side.Other()]
	})
}

// checkShots returns an error if the player cannot fire this turn's shots at cells.
func (t *turn) checkShots(cells []match.Cell) error {
	v := &t.last.View
	if !v.Ready[t.match.Side] {
		return i18n.Errorf("place your fleet first: ssh -t HOST, or ssh HOST place %s random", view.ShortID(t.match.ID))
	}
	for i, cell := range cells {
		why := t.narrator.ReasonNotToFire(v, cell)
		if why.Key == "" && slices.Contains(cells[:i], cell) {
			why = i18n.NewMessage("You named %s twice. No shots were fired.", cell.String())
		}
		if why.Key != "" {
			return &i18n.Error{Message: why}
		}
	}
	if len(cells) != v.Shots {
		shots := i18n.NewMessage("%d shot||%d shots", v.Shots)
		return i18n.Errorf("You have %s this turn, but named %d. No shots were fired.", shots, len(cells))
	}
	return nil
}

func (c *Call) placeFleet() error {
	t, err := c.openTurn()
	if err != nil {
		return err
	}
	side := t.match.Side
	if t.last.View.Ready[side] {
		return i18n.Errorf("your fleet is already placed")
	}
	layout, err := c.chooseLayout(t.match.Rules, c.argument(1))
	if err != nil {
		return err
	}
	if err := c.session.Place(side, layout); err != nil {
		return err
	}
	return t.writeUntil(func(v *match.View) bool { return v.Ready[side] })
}

// chooseLayout returns a random layout, or the player's saved fleet with a name.
func (c *Call) chooseLayout(r match.Rules, name string) (match.Layout, error) {
	if strings.EqualFold(name, "random") {
		return r.RandomLayout(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))), nil
	}
	all, err := c.session.Fleets(c.ctx)
	if err != nil {
		return nil, err
	}
	for _, saved := range all {
		layout, fits := account.ParseFleet(r, saved)
		if fits && strings.EqualFold(saved.Name, name) {
			return layout, nil
		}
	}
	return nil, i18n.Errorf("you have no saved fleet %q for %s: ssh HOST fleet list shows your fleets", name, r.Name)
}

func (c *Call) offerMatch() error {
	rules, err := c.parseRules()
	if err != nil {
		return err
	}
	days, _ := strings.CutSuffix(c.argument(0), "d")
	terms := lobby.CorrespondenceTerms{Rules: rules, Mode: c.ratingMode, Opponent: c.argument(1)}
	for _, pace := range lobby.Paces {
		if days == fmt.Sprint(narrate.DayCount(pace)) {
			terms.Pace = pace
		}
	}
	if terms.Pace == 0 {
		return usageErrorf("%q is not a time for each turn: choose 1d, 3d or 7d", c.argument(0))
	}
	if c.hasOption("casual") {
		terms.Mode = lobby.Casual
	}
	return c.printUnlessError(c.session.OfferCorrespondence(c.ctx, terms), "Your offer is open for 30 days: %s.",
		view.CorrespondenceTerms(c.lang, rules, terms.Pace, terms.Mode))
}

type offerJSON struct {
	ID     string `json:"id"`
	Player string `json:"player"`
	// Opponent is the only player who can accept the offer, or empty.
	Opponent string `json:"opponent"`
	Rules    string `json:"rules"`
	Rated    bool   `json:"rated"`
	Days     int    `json:"days"`
	// Own reports whether the offer is the player's, and ForYou whether only the player can accept it.
	Own     bool   `json:"own"`
	ForYou  bool   `json:"for_you"`
	Expires string `json:"expires"`
}

func (c *Call) listOffers() error {
	all, err := c.session.CorrespondenceOffers(c.ctx)
	if err != nil {
		return err
	}
	out := []offerJSON{}
	for _, o := range all {
		out = append(out, offerJSON{
			o.ID, o.Player, o.Opponent, o.Rules.Name, o.Mode.IsRated(), narrate.DayCount(o.Pace), o.IsOwn, o.IsForReader, formatUTC(o.Expires),
		})
	}
	return writeList(c, out, view.CorrespondenceOffersList, all,
		"No correspondence match is offered. To offer one, run: offer 1d")
}

// findOffer returns the ID of the offer that the first argument names.
func (c *Call) findOffer() (id string, err error) {
	all, err := c.session.CorrespondenceOffers(c.ctx)
	if err != nil {
		return "", err
	}
	missing := i18n.Errorf("there is no offer %q: ssh HOST offers lists the open ones", c.argument(0))
	return FindID(all, func(o lobby.CorrespondenceOffer) string { return o.ID }, c.argument(0), missing)
}

func (c *Call) acceptOffer() error {
	id, err := c.findOffer()
	if err != nil {
		return err
	}
	if err := c.session.AcceptCorrespondence(c.ctx, id); err != nil {
		return err
	}
	m := c.session.State().Match
	c.printLine("You are playing against %s: %s.", cleanName(m.Opponent.Name), view.CorrespondenceTerms(c.lang, m.Rules, m.Pace, c.session.State().RatingMode))
	return c.printLine("Place your fleet: ssh -t HOST, or ssh HOST place %s random", view.ShortID(m.ID))
}

func (c *Call) withdrawOffer() error {
	id, err := c.findOffer()
	if err == nil {
		err = c.session.WithdrawCorrespondence(c.ctx, id)
	}
	return c.printUnlessError(err, "The offer is withdrawn.")
}

// resetFeed writes the player's new feed addresses.
func (c *Call) resetFeed() error {
	token, err := c.session.ResetFeed(c.ctx)
	if err != nil {
		return err
	}
	address := strings.TrimSuffix(c.session.Client().Website, "/") + "/turns/" + token
	if _, err := fmt.Fprintf(c.out, "%s.atom\n%s.json\n", address, address); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.err, "%s\n%s\n",
		c.lang.Text("Keep these addresses secret: anyone who knows one can see your correspondence matches."),
		c.lang.Text("They are for feed readers (Atom and JSON Feed) and replace any earlier ones."))
	return err
}
