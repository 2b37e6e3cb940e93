package lobby

import (
	"cmp"
	"log/slog"
	"math/rand/v2"
	"time"

	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/match/audit"
	"broadside/match/live"
)

// Config configures [Open]. The zero value is usable: a field that is 0 has the default of the
// same name, such as [DefaultGrace].
type Config struct {
	Audit audit.Mode
	// Grace is how long a player may be away from a match.
	Grace time.Duration
	// PlaceTimeout is the time limit for placing the fleet. It does not apply to programs.
	PlaceTimeout time.Duration
	// MoveTimeout is the time limit for a program's shots and answers.
	MoveTimeout time.Duration
	// AnswerTime is the time limit for answering a challenge.
	AnswerTime time.Duration
	// BotPace is a bot's pause before it fires at a player, or negative for none.
	BotPace time.Duration
	// Seed may be 0 for a random seed.
	Seed uint64
	// Log may be nil. Then nothing is logged.
	Log *slog.Logger
	// MaxMatches limits how many matches a person may play at the same time.
	// [Matches.SetMaxPerPlayer] changes it.
	MaxMatches int
	Meter      Meter
	// Alert tells the operator's webhook about something. It returns false if the webhook has been told something else
	// only just. It may be nil, and must not block.
	Alert func(Alert) bool
	// QuietGuests prevents players without an account from writing in chats.
	// [chat.Chat.SetQuietGuests] changes it.
	QuietGuests bool
	// Ladder lets registered programs play on a ladder. It needs a store.
	Ladder bool
	// LadderPause is a program's pause between two ladder matches.
	LadderPause time.Duration
	// Puzzles makes puzzles in the background. It needs a store.
	Puzzles bool
	// Store keeps accounts, matches and ratings. The lobby does not close it. If it is
	// nil, there are no accounts and no data is kept.
	Store *store.Store
}

// Defaults of [Config].
const (
	DefaultGrace        = time.Minute
	DefaultPlaceTimeout = 5 * time.Minute
	DefaultMoveTimeout  = 5 * time.Minute
	DefaultAnswerTime   = 30 * time.Second
	DefaultBotPace      = 700 * time.Millisecond
	DefaultMaxMatches   = 3
)

// ProgramGrace is how long a program that can take its seat again may be away from a match.
const ProgramGrace = 10 * time.Second

// Limits on what the guests at one address do per minute, and on bursts. Several school classes
// need less.
const (
	guestLines, guestLinesBurst           = 300, 200
	guestChallenges, guestChallengesBurst = 60, 80
)

// In the ladder and in tournaments, a program has ProgramTime for a whole match, and ProgramShotTime more for
// each shot, so that it cannot keep its opponents for hours.
const (
	ProgramTime     = 2 * time.Minute
	ProgramShotTime = 2 * time.Second
)

func (c Config) withDefaults() Config {
	c.Grace = cmp.Or(c.Grace, DefaultGrace)
	c.PlaceTimeout = cmp.Or(c.PlaceTimeout, DefaultPlaceTimeout)
	c.MoveTimeout = cmp.Or(c.MoveTimeout, DefaultMoveTimeout)
	c.AnswerTime = cmp.Or(c.AnswerTime, DefaultAnswerTime)
	c.BotPace = cmp.Or(c.BotPace, DefaultBotPace)
	c.MaxMatches = cmp.Or(c.MaxMatches, DefaultMaxMatches)
	c.LadderPause = cmp.Or(c.LadderPause, DefaultLadderPause)
	c.Seed = cmp.Or(c.Seed, rand.Uint64())
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// seatConfig returns the configuration of a player's seat against an opponent. This is the only place where
// matches treat kinds of players differently.
func (c Config) seatConfig(p, opponent account.Player) live.SeatConfig {
	s := live.SeatConfig{Name: p.Name}
	switch p.Kind {
	case account.Person:
		s.Clocked, s.PlaceTimeout = true, c.PlaceTimeout
		s.Grace, s.Claims = c.Grace, true
		if isPractice(p, opponent) {
			s.Grace, s.EndsUnused = max(c.Grace, ReturnTime), true
		}
	case account.Program:
		s.Strict, s.MoveTimeout = true, c.MoveTimeout
		if p.Returns {
			s.Grace = ProgramGrace
		}
	}
	return s
}

// isPractice reports whether a guest plays a bot. Such a match is of no use if the guest does not
// return.
func isPractice(p, opponent account.Player) bool {
	return p.Guest && p.Kind == account.Person && opponent.Kind == account.Bot
}

// Alert is something that the operator's webhook tells people who are not connected.
type Alert uint8

// The alerts.
const (
	// PlayerWaits means that a person has waited LongWait for any opponent.
	PlayerWaits Alert = iota
	// TournamentStarts means that a scheduled tournament starts soon.
	TournamentStarts
)

// Meter receives lobby events for metrics. Its functions may be nil, are called from any
// goroutine, and must not block.
type Meter struct {
	// Paired is called when a waiting player gets an opponent.
	Paired func(waited time.Duration)
	// Shot is called when a shot has been sent to all readers.
	Shot func(took time.Duration)
	// Ended is called when a match has ended and does not continue after a restart.
	Ended func(live.Record)
}
