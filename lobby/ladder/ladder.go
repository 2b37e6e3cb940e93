package ladder

import (
	"context"
	"errors"
	"time"

	"broadside/bots"
	"broadside/internal/store"
	"broadside/internal/store/rating"
	"broadside/match"
)

// Errors of [Lobby].Begin.
var (
	ErrUnrated = errors.New("the match would not be rated today")
	ErrGone    = errors.New("a player is gone")
)

// Lobby is what a ladder needs from the lobby.
type Lobby interface {
	// Waiting returns the programs that can begin a ladder match, by rule set.
	Waiting() map[string][]Entrant
	// Begin begins a match. The error is [ErrUnrated] or [ErrGone], or another one.
	Begin(p Pairing) error
	// Online reports whether a program waits on the ladder or plays.
	Online(account string) bool
}

// Config configures [New]. All fields are required.
type Config struct {
	Store *store.Store
	Lobby Lobby
	Bot   func(name string) (account string)
}

// Ladder pairs programs and ranks them. Its methods may be called from any goroutine.
type Ladder struct {
	cfg       Config
	reporting chan struct{}     // capacity 1: full while a goroutine uses reports
	reports   map[string]Report // the last ones, by rule set
}

// New returns a ladder that pairs nobody until [Ladder.Run].
func New(cfg Config) *Ladder {
	return &Ladder{cfg: cfg, reporting: make(chan struct{}, 1), reports: map[string]Report{}}
}

const tick = time.Second / 2

// Run pairs programs until ctx ends.
func (l *Ladder) Run(ctx context.Context) {
	past := map[string]*history{} // by rule set
	clock := time.NewTicker(tick)
	defer clock.Stop()
	for {
		l.pair(past)
		select {
		case <-clock.C:
		case <-ctx.Done():
			return
		}
	}
}

func (l *Ladder) pair(past map[string]*history) {
	now := time.Now()
	for ruleSet, waiting := range l.cfg.Lobby.Waiting() {
		if past[ruleSet] == nil {
			past[ruleSet] = newHistory()
		}
		h, anchors := past[ruleSet], l.anchors(ruleSet)
		accounts := map[Seat]string{}
		for _, e := range waiting {
			accounts[Seat{Offer: e.Offer}] = e.Account
		}
		for _, a := range anchors {
			accounts[Seat{Bot: a.Name}] = a.Account
		}
		for _, p := range pair(now, waiting, anchors, h) {
			first, second := accounts[p[0]], accounts[p[1]]
			err := l.cfg.Lobby.Begin(p)
			switch {
			case err == nil:
				h.begun(first, second)
			case errors.Is(err, ErrUnrated):
				h.bar(first, second, now)
			}
		}
	}
}

func (l *Ladder) anchors(ruleSet string) (all []Anchor) {
	r, err := match.Preset(ruleSet)
	if err != nil {
		return nil
	}
	for _, b := range bots.Offered(r) {
		account := l.cfg.Bot(b.Name)
		if fixed, ok := rating.OfBot(ruleSet, b.Name); ok && account != "" {
			all = append(all, Anchor{account, b.Name, fixed.Value})
		}
	}
	return all
}
