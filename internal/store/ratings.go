package store

import (
	"context"
	"fmt"
	"math"
	"time"

	"broadside/internal/store/rating"
	"broadside/match"
)

// Standing is a player's rating under one rule set.
type Standing struct {
	// Player is the account's ID.
	Player  string
	Name    string
	Kind    Kind
	RuleSet string
	rating.Rating
	// Games counts rated matches.
	Games int
	// Updated is when the last rated match ended, or zero if there is none.
	Updated time.Time
}

// idleTime returns the time from the last rated match to t. It is 0 for bots, whose ratings never change.
func (s Standing) idleTime(t time.Time) time.Duration {
	if s.Games == 0 || s.Kind == Bot {
		return 0
	}
	return t.Sub(s.Updated)
}

// settledUntilMicros returns when the rating becomes provisional without further matches, in microseconds.
// It is the largest number for a rating that never becomes provisional.
func (s Standing) settledUntilMicros() int64 {
	if s.Games == 0 || s.Kind == Bot || !s.IsSettled() {
		return math.MaxInt64
	}
	return toMicros(s.Updated.Add(s.SettledDuration()))
}

// RatingAt returns the rating at t, whose uncertainty has grown since the last rated match.
func (s Standing) RatingAt(t time.Time) rating.Rating { return s.Rating.AfterIdle(s.idleTime(t)) }

// String returns the rating as displayed now.
func (s Standing) String() string { return s.RatingAt(time.Now()).String() }

const standingColumns = `players.id, players.name, players.kind, ratings.rules,
	ratings.value, ratings.deviation, ratings.volatility, ratings.games, ratings.updated`

func (s *Standing) scanTargets() []any {
	return []any{&s.Player, &s.Name, &s.Kind, &s.RuleSet, &s.Value, &s.Deviation, &s.Volatility, &s.Games, scanTime(&s.Updated)}
}

// Ratings stores the ratings of all players and the limits on rated matches.
type Ratings struct{ db *database }

// ListByPlayer returns a player's ratings, ordered by rule set. A rule set without rated matches is
// not included; its rating is [rating.New].
func (r Ratings) ListByPlayer(ctx context.Context, player string) ([]Standing, error) {
	return listRows(ctx, r.db, `SELECT `+standingColumns+` FROM ratings JOIN players ON players.id = ratings.player
		WHERE ratings.player = $1 ORDER BY ratings.rules`, []any{cleanText(player)}, (*Standing).scanTargets)
}

// Category selects the players on a leaderboard.
type Category uint8

// The categories.
const (
	AllPlayers Category = iota
	People
	ProgramsAndBots
)

// Leaderboard returns at most limit of the best players under a rule set. It excludes players whose rating
// is provisional at the time now.
func (r Ratings) Leaderboard(ctx context.Context, c Category, ruleSet string, now time.Time, limit int) ([]Standing, error) {
	kind := map[Category]string{People: ` AND ratings.machine = FALSE`, ProgramsAndBots: ` AND ratings.machine = TRUE`}[c]
	// CROSS JOIN keeps SQLite from starting with the table of players.
	return listRows(ctx, r.db, `SELECT `+standingColumns+` FROM ratings CROSS JOIN players
		WHERE ratings.rules = $1 AND ratings.settled = TRUE AND ratings.settled_until > $2`+kind+`
		AND players.id = ratings.player ORDER BY ratings.value DESC, ratings.player LIMIT $3`,
		[]any{cleanText(ruleSet), toMicros(now), max(0, limit)}, (*Standing).scanTargets)
}

// getStanding returns a player's standing under rules, with the initial rating if the player has none, or
// [ErrNotFound] if there is no such account.
func (t *tx) getStanding(player, rules string) (s Standing, err error) {
	initial := rating.New()
	err = t.get(`SELECT players.id, players.name, players.kind, $2, COALESCE(value, $3), COALESCE(deviation, $4),
		COALESCE(volatility, $5), COALESCE(games, 0), COALESCE(updated, 0)
		FROM players LEFT JOIN ratings ON ratings.player = players.id AND ratings.rules = $2
		WHERE players.id = $1`, []any{player, rules, initial.Value, initial.Deviation, initial.Volatility}, s.scanTargets()...)
	return s, err
}

func (t *tx) saveStanding(s Standing) error {
	_, err := t.exec(`INSERT INTO ratings (player, rules, machine, value, deviation, volatility, settled, settled_until, games, updated)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (player, rules) DO UPDATE SET value = excluded.value, deviation = excluded.deviation, volatility = excluded.volatility,
		settled = excluded.settled, settled_until = excluded.settled_until, games = excluded.games, updated = excluded.updated`,
		s.Player, s.RuleSet, s.Kind != Person, s.Value, s.Deviation, s.Volatility, s.IsSettled(), s.settledUntilMicros(), s.Games, toMicros(s.Updated))
	return err
}

func (t *tx) setBotRatings(bot Player) error {
	for _, rules := range match.PresetNames() {
		fixed, ok := rating.BotRating(rules, bot.Name)
		if !ok {
			continue
		}
		s, err := t.getStanding(bot.ID, rules)
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

func (t *tx) rateMatch(m *Summary) error {
	var before, after [2]Standing
	for side, seat := range m.Seats {
		s, err := t.getStanding(seat.Player, m.RuleSet)
		if err != nil {
			return fmt.Errorf("the account %q: %w", seat.Player, err)
		}
		before[side] = s
	}
	score := 0.0
	if m.Winner == match.First {
		score = 1
	}
	ended := m.EndTime()
	after = before
	after[0].Rating, after[1].Rating = rating.RateMatch(before[0].Rating, before[1].Rating,
		before[0].idleTime(ended), before[1].idleTime(ended), score)
	for side := range after {
		a := &after[side]
		if a.Kind == Bot {
			a.Rating = before[side].Rating
		}
		a.Games++
		// Matches may be stored out of order. An unchanged rating keeps its time.
		if a.Rating != before[side].Rating && a.Updated.Before(ended) {
			a.Updated = ended
		}
		m.Seats[side].Before, m.Seats[side].After, m.Seats[side].Provisional = before[side].Value, a.Value, !a.IsSettled()
		if err := t.saveStanding(*a); err != nil {
			return err
		}
	}
	return nil
}

// MaxRatedADay is the maximum number of rated matches between the same two players on a UTC day. It does
// not apply to built-in bots, whose ratings do not change.
const MaxRatedADay = 10

// TooOften is the [Summary].Casual of a match that is casual because of [MaxRatedADay].
const TooOften = "often"

// Disputed is the [Summary].Casual of a match with contradictory results. It counts as no win in the
// [Statistics].
const Disputed = "disputed"

// limitRatedMatches makes a match casual if its players have reached [MaxRatedADay].
func (t *tx) limitRatedMatches(m *Summary) error {
	if !m.Rated || m.Seats[0].Kind == Bot || m.Seats[1].Kind == Bot {
		return nil
	}
	day := m.EndTime().UTC().Truncate(24 * time.Hour)
	var n int
	if err := t.get(`SELECT COUNT(*) FROM seats a JOIN seats b ON b.match = a.match AND b.player = $2
		JOIN matches ON matches.id = a.match
		WHERE a.player = $1 AND a.ended >= $3 AND a.ended < $4 AND matches.rated = TRUE`,
		[]any{m.Seats[0].Player, m.Seats[1].Player, toMicros(day), toMicros(day.Add(24 * time.Hour))}, &n); err != nil {
		return err
	}
	if n >= MaxRatedADay {
		m.Rated, m.Casual = false, TooOften
	}
	return nil
}

// AbortWindow is how long an aborted match counts against a player.
const AbortWindow = 24 * time.Hour

// recordAbort records the player who aborted a match, and deletes the player's expired aborts.
func (t *tx) recordAbort(m Match) error {
	if _, err := t.exec(`INSERT INTO aborts (match, player, at) VALUES ($1, $2, $3)`, m.ID, m.Aborter, toMicros(m.EndTime())); err != nil {
		return err
	}
	_, err := t.exec(`DELETE FROM aborts WHERE player = $1 AND at < $2`, m.Aborter, toMicros(m.EndTime().Add(-AbortWindow)))
	return err
}

// RecentMatches are the matches that limit a player's next rated matches.
type RecentMatches struct {
	// Aborts are the times within AbortWindow when the player aborted rated matches, oldest first.
	Aborts []time.Time
	// Rated counts the rated matches that ended on the UTC day, by the opponent's account.
	Rated map[string]int
}

// RecentMatches returns a player's recent rated matches at a time.
func (r Ratings) RecentMatches(ctx context.Context, player string, at time.Time) (recent RecentMatches, err error) {
	recent.Aborts, err = listRows(ctx, r.db, `SELECT at FROM aborts WHERE player = $1 AND at >= $2 ORDER BY at`,
		[]any{cleanText(player), toMicros(at.Add(-AbortWindow))}, func(t *time.Time) []any { return []any{scanTime(t)} })
	if err != nil {
		return RecentMatches{}, err
	}
	type opponent struct {
		account string
		matches int
	}
	opponents, err := listRows(ctx, r.db, `SELECT b.player, COUNT(*) FROM seats a JOIN seats b ON b.match = a.match AND b.side <> a.side
		JOIN matches ON matches.id = a.match WHERE a.player = $1 AND a.ended >= $2 AND matches.rated = TRUE GROUP BY b.player`,
		[]any{cleanText(player), toMicros(at.UTC().Truncate(24 * time.Hour))}, func(o *opponent) []any { return []any{&o.account, &o.matches} })
	if err != nil {
		return RecentMatches{}, err
	}
	recent.Rated = map[string]int{}
	for _, o := range opponents {
		recent.Rated[o.account] = o.matches
	}
	return recent, nil
}
