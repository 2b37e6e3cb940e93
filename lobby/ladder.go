package lobby

import (
	"cmp"
	"slices"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store/rating"
	"broadside/lobby/account"
	"broadside/lobby/ladder"
	"broadside/match"
)

// DefaultLadderPause is the default of [Config].LadderPause.
const DefaultLadderPause = 30 * time.Second

// maxLadderOffers is how many connections of a program may wait on the ladder at once.
const maxLadderOffers = 4

// Errors of the ladder, as sentences for the owner of a program.
var (
	ErrNoLadder       = i18n.Errorf("this server has no ladder")
	errLadderPrograms = i18n.Errorf("the ladder is for registered programs whose fleet is fixed before the first shot: send token and layout")
	errLadderOffers   = i18n.Errorf("the program is already waiting on the ladder with %d connections", maxLadderOffers)
)

func (l *Lobby) openLadder() {
	if !l.cfg.Ladder || l.cfg.Store == nil {
		return
	}
	l.Ladder = ladder.New(ladder.Config{
		Store: l.cfg.Store, Lobby: (*ladderLobby)(l),
		Bot: func(name string) string { return l.Accounts.Bot(name).Account },
	})
	l.work.Go(func() { l.Ladder.Run(l.ctx) })
}

// JoinLadder opens an offer of a registered program for the next match on the ladder. Its
// fleet must be fixed before the first shot.
func (ofs *Offers) JoinLadder(p account.Player, r match.Rules) (*Offer, error) {
	switch {
	case ofs.lobby.Ladder == nil:
		return nil, ErrNoLadder
	case p.Kind != account.Program || p.Account == "" || !p.Fixed || !hasRatings(r):
		return nil, errLadderPrograms
	}
	value := rating.New().Value
	if s, ok := ofs.lobby.Accounts.Standing(ofs.lobby.ctx, p, r); ok {
		value = s.Value
	}
	return ofs.offer(p, Rated, func(p account.Player) (*Offer, error) {
		if len(ofs.byPlayer[p.ID]) >= maxLadderOffers {
			return nil, errLadderOffers
		}
		o := ofs.newLocked(p, ladderAt(value), r, Rated)
		ofs.addLocked(o)
		return o, nil
	})
}

type ladderLobby Lobby

// Waiting implements [ladder.Lobby]. It first begins the matches that other players have
// requested against waiting programs.
func (l *ladderLobby) Waiting() map[string][]ladder.Entrant {
	all := map[string][]ladder.Entrant{}
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range slices.Clone(l.Offers.open) {
		rating, ok := o.to.(ladderAt)
		if !ok {
			continue
		}
		request := l.Offers.findLocked(func(r *Offer) bool {
			return r.waitsFor(o.player) && r.player.ID != o.player.ID && r.Terms.Rules.Name == o.Terms.Rules.Name
		})
		if request != nil {
			seat, err := l.Offers.startLocked(request, o.player)
			if err == nil {
				o.seatLocked(seat)
			}
			continue
		}
		if since := o.Terms.Since.Add(l.cfg.LadderPause); !since.After(now) {
			all[o.Terms.Rules.Name] = append(all[o.Terms.Rules.Name], ladder.Entrant{
				Offer: o.number, Account: o.player.Account, Owner: o.player.Owner, Rating: float64(rating), Since: since,
			})
		}
	}
	return all
}

// Begin implements [ladder.Lobby].
func (l *ladderLobby) Begin(p ladder.Pairing) error {
	var players [2]account.Player
	var offers [2]*Offer
	l.mu.Lock()
	defer l.mu.Unlock()
	for side, seat := range p {
		if seat.Bot != "" {
			players[side] = l.Accounts.Bot(seat.Bot)
			continue
		}
		o := l.Offers.findLocked(func(o *Offer) bool { return o.number == seat.Offer })
		if o == nil {
			return ladder.ErrGone
		}
		offers[side], players[side] = o, o.player
	}
	program := cmp.Or(offers[0], offers[1])
	if !l.Matches.stakesLocked(Rated, program.Terms.Rules, players).Rated() {
		return ladder.ErrUnrated
	}
	g, err := l.Matches.startLocked(program.Terms.Rules, Rated, Rated, players, program, nil)
	if err != nil {
		l.cfg.Log.Warn("ladder match cannot begin", "error", err)
		return err
	}
	for side, o := range offers {
		if o != nil {
			o.seatLocked(g.seats[side])
		}
	}
	return nil
}

// Online implements [ladder.Lobby].
func (l *ladderLobby) Online(account string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Matches.playingLocked(account) || len(l.Offers.byPlayer[account]) > 0
}
