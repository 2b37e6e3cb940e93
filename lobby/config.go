package lobby

import (
	"cmp"
	"log/slog"
	"math/rand/v2"
	"time"

	"broadside/internal/store"
	"broadside/match/audit"
	"broadside/match/live"
)

// Config configures [New]. The zero value is usable.
type Config struct {
	Audit        audit.Mode
	Grace        time.Duration // for a person who has left a match; 0: DefaultGrace
	PlaceTimeout time.Duration // for a person to place the fleet; 0: DefaultPlaceTimeout
	MoveTimeout  time.Duration // for a program's shots, answers and reveal; 0: DefaultMoveTimeout
	// FirstMoveTimeout is for a program's first shot and what comes before it, if
	// it is shorter than MoveTimeout. 0: DefaultFirstMove.
	FirstMoveTimeout time.Duration
	AnswerTime       time.Duration // for a person to answer a challenge; 0: DefaultAnswerTime
	BotPace          time.Duration // a bot's pause before it fires at a person; 0: DefaultBotPace, negative: none
	Seed             uint64        // 0: a random one
	Log              *slog.Logger  // nil: no log
	// MaxMatches is how many matches a person may play at a time. 0:
	// DefaultMaxMatches. [Lobby.SetMaxMatches] changes it.
	MaxMatches int
	Meter      Meter
	// QuietGuests says that players without an account may not write in chats.
	// [chat.Chat.SetQuietGuests] changes it.
	QuietGuests bool
	// Store keeps accounts, matches and ratings. The lobby does not close it.
	// nil: nothing is kept, and there are no accounts.
	Store *store.Store
}

// Defaults of [Config].
const (
	DefaultGrace        = time.Minute
	DefaultPlaceTimeout = 5 * time.Minute
	DefaultMoveTimeout  = 5 * time.Minute
	DefaultFirstMove    = 30 * time.Second
	DefaultAnswerTime   = 30 * time.Second
	DefaultBotPace      = 700 * time.Millisecond
	DefaultMaxMatches   = 3
)

func (c Config) withDefaults() Config {
	c.Grace = cmp.Or(c.Grace, DefaultGrace)
	c.PlaceTimeout = cmp.Or(c.PlaceTimeout, DefaultPlaceTimeout)
	c.MoveTimeout = cmp.Or(c.MoveTimeout, DefaultMoveTimeout)
	c.FirstMoveTimeout = cmp.Or(c.FirstMoveTimeout, DefaultFirstMove)
	c.AnswerTime = cmp.Or(c.AnswerTime, DefaultAnswerTime)
	c.BotPace = cmp.Or(c.BotPace, DefaultBotPace)
	c.MaxMatches = cmp.Or(c.MaxMatches, DefaultMaxMatches)
	c.Seed = cmp.Or(c.Seed, rand.Uint64())
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// seat returns the configuration of a player's seat. Kinds of players differ in
// matches only here.
func (c Config) seat(p Player) live.SeatConfig {
	s := live.SeatConfig{Name: p.Name}
	switch p.Kind {
	case Person:
		s.Clocked, s.PlaceTimeout = true, c.PlaceTimeout
		s.Grace, s.Claims = c.Grace, true
	case Program:
		s.Strict, s.NoEcho, s.MoveTimeout, s.FirstMoveTimeout = true, true, c.MoveTimeout, c.FirstMoveTimeout
	}
	return s
}

// Meter receives what happens in a lobby, for metrics. Its functions may be nil, are
// called from any goroutine, and must not wait.
type Meter struct {
	Paired func(waited time.Duration) // a player who waited for any opponent has one
	Shot   func(took time.Duration)   // a shot has been sent to all readers
	Ended  func(took time.Duration)   // a match has ended
}
