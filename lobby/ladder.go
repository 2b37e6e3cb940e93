package lobby

import (
	"cmp"
	"slices"
	"time"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/store/rating"
	"broadside/lobby/account"
	"broadside/lobby/ladder"
	"broadside/match"
)

// DefaultLadderPause is the default of [Config].LadderPause.
const DefaultLadderPause = 30 * time.Second

// maxLadderOffers is how many connections of a program may wait on the ladder at the same time.
const maxLadderOffers = 4

// Errors of the ladder, as sentences for a program's owner.
var (
	ErrNoLadder       = i18n.Errorf("this server has no ladder")
	errLadderPrograms = i18n.Errorf("the ladder is for registered programs whose fleet is fixed before the first shot: send token and layout")
	errLadderOffers   = i18n.Errorf("the program is already waiting on the ladder with %d connections", maxLadderOffers)
)

func (l *Lobby) openLadder() {
	if !l.cfg.Ladder || l.cfg.Store == nil {
		return
	}
	l.Ladder = ladder.New(l.cfg.Store, l.isOnLadder)
	l.work.Go(l.runLadderPairing)
}

// JoinLadder opens a registered program's offer for its next ladder match. The program's fleet must
// be fixed before the first shot.
func (ofs *Offers) JoinLadder(p account.Player, r match.Rules) (*Offer, error) {
	switch {
	case ofs.lobby.Ladder == nil:
		return nil, ErrNoLadder
	case p.Kind != account.Program || p.Account == "" || !p.Fixed || !hasRatings(r):
		return nil, errLadderPrograms
	}
	value := rating.New().Value
	if s, ok := ofs.lobby.Accounts.FindStanding(ofs.lobby.ctx, p, r); ok {
		value = s.Value
	}
	return ofs.openOffer(p, Rated, func(p account.Player) (*Offer, error) {
		if len(ofs.byPlayer[p.ID]) >= maxLadderOffers {
			return nil, errLadderOffers
		}
		o := ofs.newOfferLocked(p, ladderAt(value), r, Rated)
		ofs.addLocked(o)
		return o, nil
	})
}

// ladderTick is how often the programs on the ladder are paired.
const ladderTick = time.Second / 2

func (l *Lobby) runLadderPairing() {
	// past holds the history of each rule set.
	past := map[string]*ladder.History{}
	clock := time.NewTicker(ladderTick)
	defer clock.Stop()
	for {
		l.pairLadderPrograms(past)
		select {
		case <-clock.C:
		case <-l.ctx.Done():
			return
		}
	}
}

func (l *Lobby) pairLadderPrograms(past map[string]*ladder.History) {
	now := time.Now()
	l.startRequestedMatches()
	for ruleSet, waiting := range l.listLadderWaiting(now) {
		h := past[ruleSet]
		if h == nil {
			h = ladder.NewHistory()
			past[ruleSet] = h
		}
		for _, p := range ladder.PairPlayers(now, waiting, l.ladderBots(ruleSet), h) {
			started, rated := l.startLadderMatch(p)
			switch {
			case started:
				h.Add(p[0].Account, p[1].Account)
			case !rated:
				h.BlockPair(p[0].Account, p[1].Account, now)
			}
		}
	}
}

// ladderBots returns the built-in bots with a rating under a rule set.
func (l *Lobby) ladderBots(ruleSet string) (all []ladder.Player) {
	r, err := match.Preset(ruleSet)
	if err != nil {
		return nil
	}
	for _, b := range bots.Opponents(r) {
		account := l.Accounts.BotPlayer(b.Name).Account
		if fixed, ok := rating.BotRating(ruleSet, b.Name); ok && account != "" {
			all = append(all, ladder.Player{Account: account, Bot: b.Name, Rating: fixed.Value})
		}
	}
	return all
}

// startRequestedMatches starts the matches that other players have asked programs on the ladder to
// play.
func (l *Lobby) startRequestedMatches() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range slices.Clone(l.Offers.open) {
		if _, ok := o.to.(ladderAt); !ok {
			continue
		}
		request := l.Offers.findLocked(func(r *Offer) bool {
			return r.isFor(o.player) && r.player.ID != o.player.ID && r.Terms.Rules.Name == o.Terms.Rules.Name
		})
		if request == nil {
			continue
		}
		seat, err := l.Offers.startMatchLocked(request, o.player)
		if err == nil {
			o.giveSeatLocked(seat)
		}
	}
}

func (l *Lobby) listLadderWaiting(now time.Time) map[string][]ladder.Player {
	all := map[string][]ladder.Player{}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range l.Offers.open {
		rating, ok := o.to.(ladderAt)
		since := o.Terms.Since.Add(l.cfg.LadderPause)
		if !ok || since.After(now) {
			continue
		}
		name := o.Terms.Rules.Name
		all[name] = append(all[name], ladder.Player{
			Offer: o.number, Account: o.player.Account, Owner: o.player.Owner, Rating: float64(rating), Since: since,
		})
	}
	return all
}

// startLadderMatch starts a match, unless a player has left or the match would not be rated.
func (l *Lobby) startLadderMatch(p ladder.Pairing) (started, rated bool) {
	var players [2]account.Player
	var offers [2]*Offer
	l.mu.Lock()
	defer l.mu.Unlock()
	for side, player := range p {
		if player.Bot != "" {
			players[side] = l.Accounts.BotPlayer(player.Bot)
			continue
		}
		o := l.Offers.findLocked(func(o *Offer) bool { return o.number == player.Offer })
		if o == nil {
			return false, true
		}
		offers[side], players[side] = o, o.player
	}
	program := cmp.Or(offers[0], offers[1])
	if !l.Matches.matchRatingModeLocked(Rated, program.Terms.Rules, players).IsRated() {
		return false, false
	}
	g, err := l.Matches.startLocked(program.Terms.Rules, Rated, Rated, players, program, nil)
	if err != nil {
		l.cfg.Log.Warn("cannot start a ladder match", "error", err)
		return false, true
	}
	for side, o := range offers {
		if o != nil {
			o.giveSeatLocked(g.seats[side])
		}
	}
	return true, true
}

func (l *Lobby) isOnLadder(account string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Matches.isPlayingLocked(account) || len(l.Offers.byPlayer[account]) > 0
}
