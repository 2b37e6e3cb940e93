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
	matches *Matches
	id      string
	match   *live.Match
	seats   [2]*Seat
	rules   match.Rules
	started time.Time
	// history holds the events from before a restart.
	history []match.Event
	// restored reports that the match was running before a restart.
	restored bool
	// choice is the rating mode that the players chose.
	choice  RatingMode
	private bool
	// host is the side that may remove its opponent from a private match.
	host match.Side
	// ladder reports that the ladder paired the players.
	ladder bool
	// seriesMemory returns what a bot has learned in earlier matches of the series. It may be nil.
	seriesMemory func() *infer.Memory
	// timed gives programs a time limit for the whole match, as on the ladder and in tournaments.
	timed bool
	// meanwhile lets a person be away from a match against a bot for long, because it started while the person
	// waited for another opponent.
	meanwhile bool
	// hotSeat reports that both players share a terminal. The match is hidden while it runs.
	hotSeat bool
	room    chat.Room
	// pace is the time for each turn of a correspondence match, and 0 in others.
	pace time.Duration
	// unloaded is closed when a correspondence match is no longer one of the running matches.
	unloaded chan struct{}
	// acting and due are as in [store.CorrespondenceMatch]. After the start, only the saving goroutine
	// uses them.
	acting [2]bool
	due    time.Duration
	// botSeed is the bot's seed, if a bot plays.
	botSeed [2]uint64

	// lastShot is when the last shot was fired, in Unix milliseconds.
	lastShot atomic.Int64
	// savingSince is since when events wait to be saved, in Unix microseconds, or 0 if all are saved.
	savingSince atomic.Int64

	// lobby.mu guards the fields below.
	players [2]account.Player
	// names are the players' names in the record.
	names [2]string
	// keys holds fingerprints of the keys that the players signed in with.
	keys [2][]string
	// codes are the players' resume codes.
	codes      [2]string
	ratingMode RatingMode
	rematch    *rematch
	spectators int
	// lastUse is when a player last opened or left a correspondence match.
	lastUse time.Time
	// unloading reports that a correspondence match only leaves the running ones.
	unloading bool
	// over reports that the match has ended.
	over bool
	// outcome lacks Score, which score holds.
	outcome Outcome
	score   [2]int
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

// isHidden reports whether no one may watch the match while it runs.
func (g *game) isHidden() bool { return g.hotSeat || g.pace > 0 }

// isAbortable reports whether a player may abort the match before it counts. In a correspondence match, players
// have time enough to choose the matches that they want.
func (g *game) isAbortable() bool { return g.ratingMode.IsRated() && g.pace == 0 }

func (g *game) isSeatUsed(side match.Side) bool { return g.seats[side].IsAttached() }

// mustDelayShutdownLocked reports whether a shutdown must wait for the match.
func (g *game) mustDelayShutdownLocked() bool {
	return !g.hasEnded() && g.pace == 0 && (g.isAttendedLocked() || !g.hotSeat && !g.isJournaled())
}

// isAttendedLocked reports whether a person or program is connected to the match.
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

// nextSeriesMemoryLocked returns a function for the next match of the series, or nil. The function
// returns what a bot has learned about an opponent without an account, including this match, which
// must have ended.
func (g *game) nextSeriesMemoryLocked() func() *infer.Memory {
	for side, p := range g.players {
		if !bot.LearnsInSeries(p, g.players[1-side]) {
			continue
		}
		earlier, ended, rules := g.seriesMemory, g.match, g.rules
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

func (g *game) describeLocked() RunningMatch {
	return RunningMatch{ID: g.id, Rules: g.rules, RatingMode: g.ratingMode, Players: g.players, Started: g.started, Watching: g.spectators, Private: g.private}
}

func (g *game) seatRecordsLocked() (seats [2]store.Seat) {
	for side, p := range g.players {
		seats[side] = store.Seat{Player: p.Account, Name: g.names[side], Kind: store.Kind(p.Kind.String())}
		if p.Account == "" && len(g.keys[side]) > 0 && !g.hotSeat {
			seats[side].Key = g.keys[side][0]
		}
	}
	return seats
}

func (g *game) createSeatsLocked() {
	g.rematch = &rematch{}
	for side := range g.seats {
		g.seats[side] = &Seat{Seat: g.match.Seat(match.Side(side)), Opponent: g.players[1-side], game: g}
	}
	if g.hotSeat {
		g.seats[match.First].Partner, g.seats[match.Second].Partner = g.seats[match.Second], g.seats[match.First]
	}
}
