package store

import (
	"context"
	"fmt"
	"time"

	"broadside/internal/store/rating"
	"broadside/match"
)

// Standing is a player's rating under one rule set.
type Standing struct {
	Player  string // ID
	Name    string
	Kind    Kind
	RuleSet string
	rating.Rating
	Games   int       // rated ones
	Updated time.Time // by the last of them; zero if there was none
}

// idle is the time from the last rated match to t. A bot has no such time: its
// rating stays as it is.
func (s Standing) idle(t time.Time) time.Duration {
	if s.Games == 0 || s.Kind == Bot {
		return 0
	}
	return t.Sub(s.Updated)
}

// At is the rating with the uncertainty that time has added until t.
func (s Standing) At(t time.Time) rating.Rating { return s.Rating.After(s.idle(t)) }

const standingColumns = `players.id, players.name, players.kind, ratings.rules,
	ratings.value, ratings.deviation, ratings.volatility, ratings.games, ratings.updated`

func scanStanding(scan func(...any) error) (Standing, error) {
	var s Standing
	var updated int64
	err := scan(&s.Player, &s.Name, &s.Kind, &s.RuleSet, &s.Value, &s.Deviation, &s.Volatility, &s.Games, &updated)
	s.Updated = moment(updated)
	return s, err
}

// standing is a player's rating, that of a new player if there is none yet.
func (t *tx) standing(player, rules string) (Standing, error) {
	fresh := rating.New()
	return scanStanding(func(dest ...any) error {
		return t.get(`SELECT players.id, players.name, players.kind, $2, COALESCE(value, $3), COALESCE(deviation, $4),
			COALESCE(volatility, $5), COALESCE(games, 0), COALESCE(updated, 0)
			FROM players LEFT JOIN ratings ON ratings.player = players.id AND ratings.rules = $2
			WHERE players.id = $1`, []any{player, rules, fresh.Value, fresh.Deviation, fresh.Volatility}, dest...)
	})
}

func (t *tx) saveStanding(s Standing) error {
	_, err := t.exec(`INSERT INTO ratings (player, rules, machine, value, deviation, volatility, settled, games, updated)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (player, rules) DO UPDATE SET value = excluded.value, deviation = excluded.deviation,
		volatility = excluded.volatility, settled = excluded.settled, games = excluded.games, updated = excluded.updated`,
		s.Player, s.RuleSet, s.Kind != Person, s.Value, s.Deviation, s.Volatility, s.Settled(), s.Games, micros(s.Updated))
	return err
}

// Standings are a player's ratings, by the name of the rule set. Where the
// player has no rated match there is none: that is [rating.New].
func (s *Store) Standings(ctx context.Context, player string) ([]Standing, error) {
	all, err := list(ctx, s, `SELECT `+standingColumns+` FROM ratings JOIN players ON players.id = ratings.player
		WHERE ratings.player = $1 ORDER BY ratings.rules`, []any{text(player)}, scanStanding)
	if err != nil {
		return nil, fmt.Errorf("reading ratings: %w", err)
	}
	return all, nil
}

// Board says who is in a leaderboard.
type Board uint8

// The leaderboards.
const (
	Everybody Board = iota
	People
	Machines // programs and built-in bots
)

// where limits a query to a board. The first argument is the rule set.
func (b Board) where() string {
	switch b {
	case People:
		return `ratings.rules = $1 AND ratings.machine = FALSE`
	case Machines:
		return `ratings.rules = $1 AND ratings.machine = TRUE`
	}
	return `ratings.rules = $1`
}

// Leaderboard is a part of the leaderboard of a rule set: at most limit
// players, after leaving out the first skip, the best at the top. Whose rating is
// not settled is not in it.
func (s *Store) Leaderboard(ctx context.Context, b Board, ruleSet string, skip, limit int) ([]Standing, error) {
	const order = ` ORDER BY ratings.value DESC, ratings.player`
	// Who is left out is counted in the index alone. CROSS JOIN keeps SQLite
	// from beginning with all the players there are.
	all, err := list(ctx, s, `SELECT `+standingColumns+` FROM
		(SELECT player FROM ratings WHERE `+b.where()+` AND ratings.settled = TRUE`+order+` LIMIT $2 OFFSET $3) page
		CROSS JOIN ratings CROSS JOIN players
		WHERE ratings.player = page.player AND ratings.rules = $1 AND players.id = page.player`+order,
		[]any{text(ruleSet), max(0, limit), max(0, skip)}, scanStanding)
	if err != nil {
		return nil, fmt.Errorf("reading the leaderboard: %w", err)
	}
	return all, nil
}

// Rank is the place of a player in a leaderboard, from 1. Who is not in it, or
// has a rating that is not settled, gets [ErrNotFound].
func (s *Store) Rank(ctx context.Context, b Board, ruleSet, player string) (place int, err error) {
	where := b.where() + ` AND ratings.settled = TRUE`
	err = s.get(ctx, `SELECT
		1 + (SELECT COUNT(*) FROM ratings WHERE `+where+` AND ratings.value > me.value)
		+ (SELECT COUNT(*) FROM ratings WHERE `+where+` AND ratings.value = me.value AND ratings.player < me.player)
		FROM (SELECT player, value FROM ratings WHERE `+where+` AND ratings.player = $2) me`,
		[]any{text(ruleSet), text(player)}, &place)
	if err != nil {
		return 0, fmt.Errorf("looking for the place of %q: %w", player, err)
	}
	return place, nil
}

// fixRatings gives a bot its ratings: those of the ladder, which never change.
func (t *tx) fixRatings(bot Player) error {
	for _, rules := range match.Presets() {
		fixed, ok := rating.OfBot(rules, bot.Name)
		if !ok {
			continue
		}
		s, err := t.standing(bot.ID, rules)
		if err != nil {
			return err
		}
		s.Rating = fixed
		if err := t.saveStanding(s); err != nil {
			return err
		}
	}
	return nil
}

// MaxRatedADay is how many rated matches between the same two players count in a
// day, from midnight to midnight UTC. Built-in bots play as many as people want:
// their ratings are nobody's gain.
const MaxRatedADay = 10

// TooOften is why a match is not rated when the two have played [MaxRatedADay].
const TooOften = "often"

const countRated = `SELECT COUNT(*) FROM seats a JOIN seats b ON b.match = a.match AND b.player = $2
	JOIN matches ON matches.id = a.match
	WHERE a.player = $1 AND a.ended >= $3 AND a.ended < $4 AND matches.rated = TRUE`

// dayOf returns the arguments of countRated for two players and the day of a time.
func dayOf(players [2]string, at time.Time) []any {
	day := at.UTC().Truncate(24 * time.Hour)
	return []any{text(players[0]), text(players[1]), micros(day), micros(day.Add(24 * time.Hour))}
}

// RatedOn returns how many rated matches two players have ended on the day of a
// time, in UTC.
func (s *Store) RatedOn(ctx context.Context, players [2]string, at time.Time) (n int, err error) {
	if err := s.get(ctx, countRated, dayOf(players, at), &n); err != nil {
		return 0, fmt.Errorf("counting rated matches: %w", err)
	}
	return n, nil
}

// limitRated makes a match unrated if its two players have ended enough rated ones
// that day.
func (t *tx) limitRated(m *Summary) error {
	if !m.Rated || m.Seats[0].Kind == Bot || m.Seats[1].Kind == Bot {
		return nil
	}
	var n int
	if err := t.get(countRated, dayOf([2]string{m.Seats[0].Player, m.Seats[1].Player}, m.Ended()), &n); err != nil {
		return err
	}
	if n >= MaxRatedADay {
		m.Rated, m.Casual = false, TooOften
	}
	return nil
}

// AbortWindow is how long an aborted match is remembered.
const AbortWindow = 24 * time.Hour

// addAbort notes who has aborted a match, and forgets what that player did longer
// ago.
func (t *tx) addAbort(m Match) error {
	if _, err := t.exec(`INSERT INTO aborts (match, player, at) VALUES ($1, $2, $3)`, m.ID, m.Aborter, micros(m.Ended())); err != nil {
		return err
	}
	_, err := t.exec(`DELETE FROM aborts WHERE player = $1 AND at < $2`, m.Aborter, micros(m.Ended().Add(-AbortWindow)))
	return err
}

// Aborts returns how many rated matches a player has aborted since a time, and when
// the last one was.
func (s *Store) Aborts(ctx context.Context, player string, since time.Time) (n int, last time.Time, err error) {
	var at int64
	err = s.get(ctx, `SELECT COUNT(*), COALESCE(MAX(at), 0) FROM aborts WHERE player = $1 AND at >= $2`,
		[]any{text(player), micros(since)}, &n, &at)
	if err != nil {
		return 0, time.Time{}, fmt.Errorf("counting aborted matches: %w", err)
	}
	return n, moment(at), nil
}
