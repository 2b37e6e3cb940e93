package ladder

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"broadside/internal/store"
	"broadside/match"
)

// Page describes one player on the ladder of a rule set.
type Page struct {
	Rules string `json:"rules"`
	Standing
	Losses    map[string]int `json:"losses"`     // by reason, see docs/records.md
	MoveTime  MoveTime       `json:"move_time"`  // in Last
	Opponents []Opponent     `json:"opponents"`  // most matches first
	Last      []Game         `json:"last_games"` // newest first
}

// LossReasons returns the keys of Losses, the most frequent ones first.
func (p *Page) LossReasons() []string {
	return slices.SortedFunc(maps.Keys(p.Losses), func(a, b string) int {
		return cmp.Or(cmp.Compare(p.Losses[b], p.Losses[a]), cmp.Compare(a, b))
	})
}

// MoveTime is how long a player takes for a shot, in milliseconds with three decimals.
type MoveTime struct {
	Shots  int     `json:"shots"` // that were measured
	Mean   float64 `json:"mean_ms"`
	Median float64 `json:"median_ms"`
	Max    float64 `json:"max_ms"`
}

// Opponent is a player's results against another one.
type Opponent struct {
	Name  string `json:"name"`
	Games int    `json:"games"`
	Won   int    `json:"won"`
	Lost  int    `json:"lost"`
}

// Game is a ladder match of the player.
type Game struct {
	ID       string    `json:"id"`
	Ended    time.Time `json:"ended"` // UTC
	Opponent string    `json:"opponent"`
	First    bool      `json:"first"`  // the player defended first
	Won      *bool     `json:"won"`    // nil if nobody won
	Reason   string    `json:"reason"` // why it ended
	Shots    int       `json:"shots"`  // of the player
	Rating   float64   `json:"rating"` // after the match
}

const (
	// lastGames is the number of matches on a page.
	lastGames = 20
	// searched is how many of a player's matches are searched for them.
	searched = 200
)

// Page returns a player's page. It waits for the database, and returns [store.ErrNotFound] if
// the player does not exist or is not on the ladder.
func (l *Ladder) Page(ctx context.Context, ruleSet, name string) (Page, error) {
	r, err := l.Report(ctx, ruleSet)
	if err != nil {
		return Page{}, err
	}
	p, err := l.cfg.Store.Accounts.ByName(ctx, name)
	if err != nil {
		return Page{}, err
	}
	at := slices.IndexFunc(r.Players, func(s Standing) bool { return s.account == p.ID })
	if at < 0 {
		return Page{}, store.ErrNotFound
	}
	out := Page{Rules: ruleSet, Standing: r.Players[at], Losses: l.losses(ruleSet, p.ID), Opponents: []Opponent{}}
	for _, pair := range r.Pairs {
		side := slices.Index(pair.Players[:], at)
		if side >= 0 {
			out.Opponents = append(out.Opponents, Opponent{r.Players[pair.Players[1-side]].Name, pair.Games, pair.Won[side], pair.Won[1-side]})
		}
	}
	slices.SortStableFunc(out.Opponents, func(a, b Opponent) int { return cmp.Compare(b.Games, a.Games) })
	out.Last, out.MoveTime, err = l.last(ctx, ruleSet, p.ID)
	return out, err
}

func (l *Ladder) losses(ruleSet, account string) map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := map[string]int{}
	maps.Copy(all, l.tableLocked(ruleSet).results.losses[account])
	return all
}

// last returns a player's last ladder matches and the time per move in them.
func (l *Ladder) last(ctx context.Context, ruleSet, account string) ([]Game, MoveTime, error) {
	games, times := []Game{}, []time.Duration{}
	all, err := l.cfg.Store.Matches.Of(ctx, account, store.Cursor{}, searched)
	if err != nil {
		return nil, MoveTime{}, err
	}
	for _, m := range all {
		if !m.Ladder || !m.Rated || m.RuleSet != ruleSet || len(games) == lastGames {
			continue
		}
		side := match.First
		if m.Seats[1].Player == account {
			side = match.Second
		}
		g := Game{
			ID: m.ID, Ended: m.Ended().UTC(), Opponent: m.Seats[side.Other()].Name, First: side == match.First,
			Reason: m.Reason.String(), Shots: m.Seats[side].Shots, Rating: m.Seats[side].After,
		}
		if m.Winner != match.Nobody {
			won := m.Winner == side
			g.Won = &won
		}
		games = append(games, g)
		record, err := l.cfg.Store.Matches.ByID(ctx, m.ID)
		if err != nil {
			return nil, MoveTime{}, err
		}
		times = append(times, moveTimes(record.Events, side)...)
	}
	return games, summarize(times), nil
}

// moveTimes returns how long a side took for each shot: the time since the event before it.
func moveTimes(events []match.Event, side match.Side) (all []time.Duration) {
	for i := 1; i < len(events); i++ {
		if e := &events[i]; e.Kind == match.ShotFired && e.Side == side {
			all = append(all, e.At-events[i-1].At)
		}
	}
	return all
}

func summarize(times []time.Duration) (t MoveTime) {
	if len(times) == 0 {
		return t
	}
	slices.Sort(times)
	sum := time.Duration(0)
	for _, d := range times {
		sum += d
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return MoveTime{len(times), ms(sum / time.Duration(len(times))), ms(times[len(times)/2]), ms(times[len(times)-1])}
}
