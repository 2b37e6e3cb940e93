package lobby

import (
	"context"
	"time"

	"broadside/internal/store"
	"broadside/match"
	"broadside/match/live"
)

// Outcome is what a match that has ended leaves behind.
type Outcome struct {
	// GoesOn tells that it has not really ended: the server has, and the match
	// goes on when it is back.
	Continues bool `json:",omitzero"`
	// Stored tells that the match is in the store under its ID. If it is not,
	// or not yet, the rest is zero.
	Stored bool `json:",omitzero"`
	// Rated tells that the match has changed the ratings of both sides, by
	// side from Before to After.
	Rated         bool       `json:",omitzero"`
	Before, After [2]float64 `json:",omitzero"`
	// Provisional tells whose rating is not settled after the match.
	Provisional [2]bool `json:",omitzero"`
}

// Outcome is what the match has left behind. It is there before the update
// that shows the end of the match, and zero until then; if the disk was out of
// reach, it is there once the match could be stored.
func (s *Seat) Outcome() Outcome {
	l := s.rematch.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	return s.game.outcome
}

// Store keeps what outlasts the lobby; nil if nothing does.
func (l *Lobby) Store() *store.Store { return l.cfg.Store }

// storeTime bounds how long anybody waits for the disk. A match whose storing
// takes longer ends all the same, and is stored later.
const storeTime = 3 * time.Second

// openAccounts gives every built-in bot its account. A bot that has none plays
// unrated. The error is that of the last such bot.
func (l *Lobby) openAccounts(ctx context.Context) (failed error) {
	if l.cfg.Store == nil {
		return nil
	}
	l.accounts = map[string]string{}
	ctx, cancel := context.WithTimeout(ctx, 10*storeTime)
	defer cancel()
	for _, b := range l.bots {
		if b.Takes != "" { // it is another player for everything it can take
			continue
		}
		p, err := l.cfg.Store.Accounts.EnsureBot(ctx, b.Name)
		if err != nil {
			l.cfg.Log.Error("a bot plays unrated", "bot", b.Name, "error", err)
			failed = err
			continue
		}
		l.accounts[b.Name] = p.ID
	}
	return failed
}

// bot is a built-in bot as a player.
func (l *Lobby) bot(name string) Player {
	return Player{ID: "bot-" + name, Name: name, Kind: Bot, Account: l.accounts[name]}
}

// keep stores a match that is over, on its goroutine, before anybody is told
// how it ended. The players of that match wait for the disk, nobody else does.
func (l *Lobby) keep(g *game, r live.Record) {
	if l.cfg.Store == nil {
		return
	}
	if l.interrupted(g, r) {
		l.settleOutcome(g, Outcome{Continues: true})
		return
	}
	l.mu.Lock()
	u := finished(g, g.storeSeats(), r)
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	if g.hotSeat && !asKept(&u.match.Seats, r.Reason) {
		l.dropJournal(ctx, g.id)
		return
	}
	if err := l.store(ctx, u); err != nil {
		l.storeLater(u, err)
	}
}

// finished returns a match that is over as the store gets it.
func finished(g *game, seats [2]store.Seat, r live.Record) *unstored {
	for side, seal := range r.Seals {
		if seal != "" {
			seats[side].Commitment, seats[side].Salt = seal, saltOf(r.Events, match.Side(side), g.salts[side])
		}
	}
	m := store.Match{
		Summary: store.Summary{ID: r.ID, Started: r.Started, Took: r.Took, Winner: r.Winner, Reason: r.Reason, Seats: seats},
		Rules:   r.Rules, Events: r.Events,
	}
	stakes := g.stakes
	if early, side := endedEarly(r); stakes.Rated() && early {
		// No result, and the reason is on one side: nobody makes or breaks a rating
		// by an end that cost no shots.
		stakes = CasualEarly
		if r.Reason != match.Removed { // which the owner of a room may do as often as needed
			m.Aborter = g.players[side].Account
		}
	}
	m.Rated = stakes.Rated() && r.Winner != match.Nobody
	if !stakes.Rated() {
		m.Casual = stakes.String()
	}
	return &unstored{g, m, g.players}
}

// endedEarly reports whether a match has ended by a side's doing before it counted,
// and which side that was: it has aborted the match or broken the protocol.
func endedEarly(r live.Record) (early bool, by match.Side) {
	if r.Reason == match.FleetSunk {
		return false, match.Nobody
	}
	var fired [2]int
	for i := range r.Events {
		switch e := &r.Events[i]; e.Kind {
		case match.ShotFired:
			fired[e.Side]++
		case match.GameAborted:
			return true, e.Side
		}
	}
	if r.Winner == match.Nobody || min(fired[0], fired[1]) >= match.CountingShots {
		return false, match.Nobody
	}
	return true, r.Winner.Other()
}

// settleOutcome says what a match has left behind.
func (l *Lobby) settleOutcome(g *game, o Outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g.outcome = o
}

// saltOf returns the salt of the commitment to a side's fleet: the one that the
// side revealed, or that of the server, which commits to the fleets that it
// holds. It is empty if the side has not revealed its own.
func saltOf(events []match.Event, side match.Side, ours string) string {
	salt := ours
	for i := range events {
		switch e := &events[i]; {
		case e.Side != side:
		case e.Kind == match.FleetCommitted:
			salt = ""
		case e.Kind == match.FleetRevealed:
			salt = e.Salt()
		}
	}
	return salt
}
