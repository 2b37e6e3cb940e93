package lobby

import (
	"context"
	"encoding/json"
	"time"

	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

// storeTimeout limits how long a caller waits for the database.
const storeTimeout = 3 * time.Second

// matchDetails holds what the store keeps of a running match in addition to its events.
type matchDetails struct {
	Choice     RatingMode `json:"choice"`
	RatingMode RatingMode `json:"stakes"`
	Codes      [2]string  `json:"codes"`
	Private    bool       `json:"room,omitempty"`
	Host       match.Side `json:"host,omitzero"`
	Ladder     bool       `json:"ladder,omitzero"`
	Timed      bool       `json:"timed,omitzero"`
	Meanwhile  bool       `json:"meanwhile,omitzero"`
	// Keys holds the fingerprints of the keys that the players signed in with.
	Keys [2][]string `json:"keys"`
}

// isJournaled reports whether the store has the match's events while it runs, so that it continues
// after a restart.
func (g *game) isJournaled() bool { return g.matches.lobby.cfg.Store != nil && !g.hotSeat }

// appendEvents stores events of the match, or its start if there are none; see [live.Config].
func (g *game) appendEvents(ctx context.Context, number int, events []match.Event, turn live.Turn) (err error) {
	g.savingSince.CompareAndSwap(0, time.Now().UnixMicro())
	running := g.matches.lobby.cfg.Store.Running
	switch {
	case g.pace > 0:
		err = g.appendTurn(ctx, number, events, turn)
	case len(events) == 0:
		err = running.Add(ctx, g.newRunningRecord())
	default:
		err = running.AppendEvents(ctx, g.id, number, events)
	}
	if err == nil {
		g.savingSince.Store(0)
	}
	return err
}

func (g *game) newRunningRecord() store.RunningMatch {
	l := g.matches.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	return g.runningRecordLocked()
}

func (g *game) runningRecordLocked() store.RunningMatch {
	r := store.RunningMatch{ID: g.id, Rules: g.rules, Started: g.started, Seats: g.seatRecordsLocked()}
	// Marshal cannot fail for these types.
	r.Details, _ = json.Marshal(matchDetails{
		Choice: g.choice, RatingMode: g.ratingMode, Codes: g.codes, Private: g.private, Host: g.host,
		Ladder: g.ladder, Timed: g.timed, Meanwhile: g.meanwhile, Keys: g.keys,
	})
	return r
}

// saveCodes stores the match's new resume codes, since otherwise a restart would make the old ones
// valid again.
func (g *game) saveCodes() {
	l := g.matches.lobby
	if !g.isJournaled() {
		return
	}
	ctx, cancel := context.WithTimeout(l.ctx, storeTimeout)
	defer cancel()
	if err := l.cfg.Store.Running.SaveDetails(ctx, g.newRunningRecord()); err != nil {
		l.cfg.Log.Warn("the resume codes of a match cannot be stored: a restart would bring back the old ones", "match", g.id, "error", err)
	}
}

// finish stores the match and its consequences before its players see the end; see [live.Config].
func (g *game) finish(_ context.Context, r live.Record) error {
	l := g.matches.lobby
	g.savingSince.CompareAndSwap(0, time.Now().UnixMicro())
	l.mu.Lock()
	interrupted := r.Reason == match.Closed && (l.ctx.Err() != nil && g.isJournaled() || g.unloading)
	ended := g.newRecordLocked(r)
	players := g.players
	g.outcome.Continues = interrupted
	l.mu.Unlock()
	if !interrupted {
		if err := g.storeResult(ended, players); err != nil {
			return err
		}
		l.Tournaments.RecordMatchEnd(r.ID, r.Winner, r.Reason, r.Events)
	}
	g.savingSince.Store(0)
	if g.pace > 0 && !interrupted {
		l.notifyTurnChange(players[0].ID, players[1].ID)
	}
	if r.Winner != match.Nobody {
		l.mu.Lock()
		g.score[r.Winner]++
		l.mu.Unlock()
	}
	if l.cfg.Meter.Ended != nil && !interrupted {
		l.cfg.Meter.Ended(r)
	}
	return nil
}

// storeResult stores a match that has ended, unless it is a hot-seat match that no one would find.
func (g *game) storeResult(ended store.Match, players [2]account.Player) error {
	l := g.matches.lobby
	if l.cfg.Store == nil {
		return nil
	}
	if isHotSeat(players) {
		if ended.Reason.IsVoid() || ended.Seats[0].Player == ended.Seats[1].Player {
			return nil
		}
		markHotSeatRecord(&ended)
	}
	// The server may be shutting down.
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	ended.Ladder = g.ladder
	stored, err := l.cfg.Store.Matches.Finish(ctx, ended)
	if err != nil {
		return err
	}
	l.memories.Learn(ctx, players, ended)
	l.Accounts.AddMatch(stored, ended.Aborter)
	l.setOutcome(g, stored)
	return nil
}

// setOutcome sets a stored match's outcome, and shows its players' new ratings in all their
// sessions.
func (l *Lobby) setOutcome(g *game, stored store.Summary) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g.outcome = newOutcome(stored)
	if !g.outcome.Rated {
		return
	}
	for side, seat := range stored.Seats {
		for _, m := range l.members.byID[seat.Player] {
			m.player.Ratings = m.player.Ratings.Replace(stored.RuleSet, g.outcome.RatingText(match.Side(side)))
			l.publishSoonLocked()
		}
	}
}
