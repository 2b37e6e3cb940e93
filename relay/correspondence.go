package relay

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
)

// turnPause is how often a waiting client looks for a correspondence match that needs it.
const turnPause = 10 * time.Second

// pacedOpponent is the error of other opponents.
const pacedOpponent = "a correspondence match is against vs any or vs player NAME"

// setPace makes the client play correspondence matches.
func (c *conn) setPace(args []string) string {
	o := c.request.opponent
	switch {
	case c.identity().Account == "":
		return "error pace only registered programs play correspondence matches: send token before"
	case o != opponentChoice{player: o.player}:
		return "error pace " + pacedOpponent
	}
	for _, pace := range lobby.Paces {
		days := fmt.Sprintf("%dd", pace/(24*time.Hour))
		if len(args) == 1 && args[0] == days {
			c.request.pace = pace
			return "ok pace " + days
		}
	}
	return "error pace say pace 1d, pace 3d or pace 7d"
}

// requestTurn joins a correspondence match, or else has an open offer.
func (c *conn) requestTurn() error {
	settled, err := c.joinTurn()
	if settled || err != nil {
		return err
	}
	ctx, cancel := c.lookupContext()
	defer cancel()
	r := &c.request
	return c.session.OfferCorrespondence(ctx, lobby.CorrespondenceTerms{
		Rules: r.rules, Mode: r.ratingMode, Pace: r.pace, Opponent: r.opponent.player,
	})
}

// joinTurn joins the correspondence match that waits for the client and is due first, or accepts an
// offer. It reports whether the client has a match or an open offer on its terms.
func (c *conn) joinTurn() (settled bool, err error) {
	ctx, cancel := c.lookupContext()
	defer cancel()
	r := &c.request
	matches, err := c.session.CorrespondenceMatches(ctx)
	if err != nil {
		return false, err
	}
	for _, m := range matches {
		// The match may have ended since.
		if m.IsTurn && !m.IsUsed && r.isSuitable(m.Opponent, m.Rules) && c.session.OpenCorrespondence(ctx, m.ID) == nil {
			return true, nil
		}
	}
	offers, err := c.session.CorrespondenceOffers(ctx)
	if err != nil {
		return false, err
	}
	isRated := r.ratingMode.IsRated() && r.hasFixedFleet()
	for _, o := range offers {
		if o.Pace != r.pace || o.Mode.IsRated() != isRated || !o.Rules.IsEquivalent(r.rules) {
			continue
		}
		if o.IsOwn {
			settled = settled || strings.EqualFold(o.Opponent, r.opponent.player)
			continue
		}
		// Another player may have accepted since, or one of the two may have too many matches.
		if r.isSuitable(o.Player, o.Rules) && c.session.AcceptCorrespondence(ctx, o.ID) == nil {
			return true, nil
		}
	}
	return settled, nil
}

// isSuitable reports whether the client would play a correspondence match against an opponent by some rules.
func (r *request) isSuitable(opponent string, rules match.Rules) bool {
	return rules.IsEquivalent(r.rules) && (r.opponent.player == "" || strings.EqualFold(r.opponent.player, opponent))
}

// awaitTurn waits until a correspondence match needs the client, or another player has made an offer. It
// returns nil without an error if the client leaves.
func (c *conn) awaitTurn() (*session.Match, error) {
	origin := c.ownerOrNetwork()
	if !c.server.waiting.reservePlace(origin) {
		return nil, errNoWaitingPlace
	}
	defer c.server.waiting.releasePlace(origin)
	c.sendLine("%% waiting your offer is open: wait for your turn, or disconnect and come back with the same directives")
	for {
		ctx, cancel := context.WithTimeout(c.ctx, turnPause)
		_, err := c.awaitOfferResult(ctx)
		cancel()
		switch {
		case c.ctx.Err() != nil:
			return nil, nil
		case !errors.Is(err, context.DeadlineExceeded):
			return nil, err
		}
		if _, err := c.joinTurn(); err != nil {
			return nil, err
		}
		m := c.matchOrOffer().match
		if m != nil {
			c.sendRole(m.Side)
			return m, nil
		}
	}
}

// replayMatch sends the client everything about a correspondence match since its role, and before that how many
// of the client's messages the match has received.
func (c *conn) replayMatch(m *session.Match) (*resumedMatch, error) {
	ctx, cancel := c.lookupContext()
	defer cancel()
	events, err := c.session.MatchEvents(ctx)
	if err != nil {
		return nil, err
	}
	r, clientMessages := newResumedMatch(m.Side, events, len(events))
	c.sendLine("%% seat %s %d", m.ID, clientMessages)
	var lines []byte
	sent := sentMessages{side: m.Side}
	for i := range events {
		lines = sent.appendEvent(lines, &events[i])
	}
	c.write(lines)
	return r, nil
}
