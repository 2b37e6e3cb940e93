package lobby

import (
	"sync"
	"sync/atomic"
	"time"

	"broadside/bots/infer"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/bot"
	"broadside/lobby/chat"
	"broadside/match"
	"broadside/match/live"
)

// game is a match and its players.
type game struct {
	matches  *Matches
	id       string
	match    *live.Match
	seats    [2]*Seat
	rules    match.Rules
	started  time.Time
	history  []match.Event        // from before a restart
	restored bool                 // after a restart
	choice   RatingMode           // chosen by the players
	private  bool                 // only its players find it in lists
	host     match.Side           // in a private match: the side that may remove its opponent
	ladder   bool                 // paired by the ladder
	series   func() *infer.Memory // see [game.seriesMemoryLocked]; or nil
	timed    bool                 // programs have a total clock, as in the ladder and in tournaments
	hotSeat  bool                 // both players share a terminal; the match is hidden while it runs
	room     chat.Room

	shot   atomic.Int64 // time of the last shot, in Unix milliseconds
	saving atomic.Int64 // since when the newest events are being saved, in Unix microseconds, or 0

	// lobby.mu guards the fields below.
	players    [2]account.Player
	names      [2]string   // names at the start, or of accounts created during the match
	keys       [2][]string // fingerprints of the keys that the players signed in with
	codes      [2]string   // see [SeatState]
	ratingMode RatingMode  // rated, or casual for a reason
	rematch    *rematch
	watching   int     // number of spectators
	over       bool    // the match has ended
	outcome    Outcome // without Score
	score      [2]int  // see [Outcome]
}

// hasEnded reports whether the match has ended, even if the lobby still lists it.
func (g *game) hasEnded() bool {
	select {
	case <-g.match.Done():
		return true
	default:
		return false
	}
}

// isSeatUsed reports whether a session uses a seat.
func (g *game) isSeatUsed(side match.Side) bool { return g.seats[side].IsAttached() }

// mustDelayShutdownLocked reports whether a shutdown waits for the match.
func (g *game) mustDelayShutdownLocked() bool {
	return !g.hasEnded() && (g.isAttendedLocked() || !g.hotSeat && !g.isJournaled())
}

// isAttendedLocked reports whether a session of a player uses a seat.
func (g *game) isAttendedLocked() bool {
	for side, p := range g.players {
		if p.Kind != account.Bot && g.isSeatUsed(match.Side(side)) {
			return true
		}
	}
	return false
}

// findSideLocked returns a player's side, or the first side in a hot-seat match. It returns false
// if the player is not in the match.
func (g *game) findSideLocked(id string) (match.Side, bool) {
	for side, p := range g.players {
		if id != "" && p.ID == id {
			return match.Side(side), true
		}
	}
	return 0, false
}

// seriesMemoryLocked returns a function, or nil, that returns what a bot has learned about an opponent without
// an account in the series that ends with this match. It must be called after the match.
func (g *game) seriesMemoryLocked() func() *infer.Memory {
	for side, p := range g.players {
		if !bot.LearnsInSeries(p, g.players[1-side]) {
			continue
		}
		earlier, ended, rules := g.series, g.match, g.rules
		return sync.OnceValue(func() *infer.Memory {
			memory := infer.NewMemory(rules)
			if earlier != nil {
				memory = earlier().Clone()
			}
			r := ended.WaitForRecord()
			if !r.Reason.IsVoid() {
				memory.Learn(infer.GameFromEvents(r.Events, match.Side(1-side)))
			}
			return memory
		})
	}
	return nil
}

// describeLocked returns the match as shown in snapshots.
func (g *game) describeLocked() RunningMatch {
	return RunningMatch{ID: g.id, Rules: g.rules, RatingMode: g.ratingMode, Players: g.players, Started: g.started, Watching: g.watching, Private: g.private}
}

// seatRecordsLocked returns the players in the store's format.
func (g *game) seatRecordsLocked() (seats [2]store.Seat) {
	for side, p := range g.players {
		seats[side] = store.Seat{Player: p.Account, Name: g.names[side], Kind: store.Kind(p.Kind.String())}
		if p.Account == "" && len(g.keys[side]) > 0 && !g.hotSeat {
			seats[side].Key = g.keys[side][0]
		}
	}
	return seats
}

// createSeatsLocked creates the seats of a match that has started.
func (g *game) createSeatsLocked() {
	g.rematch = &rematch{}
	for side := range g.seats {
		g.seats[side] = &Seat{Seat: g.match.Seat(match.Side(side)), Opponent: g.players[1-side], game: g}
	}
	if g.hotSeat {
		g.seats[match.First].Partner, g.seats[match.Second].Partner = g.seats[match.Second], g.seats[match.First]
	}
}
