package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"broadside/internal/store/rating"
	"broadside/match"
)

// Seat is one side of a match.
type Seat struct {
	Player string // the ID of the account; empty for a guest
	Name   string // as it was then
	Kind   Kind
	// Commitment is to the layout, and Salt what opens it; both as the caller
	// writes them, empty if there is none.
	Commitment, Salt string

	// What follows is filled in by the store.

	Shots, Hits   int     // the side's own
	Before, After float64 // the rating; 0 if the match is not rated
	Provisional   bool    // the rating after the match is not settled
}

// Summary is what lists of matches show of one.
type Summary struct {
	ID      string // see [NewID]
	RuleSet string // the name of the rules
	Started time.Time
	Took    time.Duration
	Seats   [2]Seat    // by side
	Winner  match.Side // Nobody if nobody won
	Reason  match.Reason
	Rated   bool
	Casual  string // why it is not rated, in the caller's word; may be empty
}

// Ended is when the match ended.
func (s Summary) Ended() time.Time { return s.Started.Add(s.Took) }

// Match is a match that has ended.
type Match struct {
	Summary // RuleSet is taken from Rules
	Rules   match.Rules
	Events  []match.Event
	Aborter string          // the ID of the account that has aborted a rated match; empty if none has
	Details json.RawMessage `json:",omitzero"` // whatever else the caller wants to keep; may be nil
}

// Finish stores a match that has ended, in one transaction with what follows
// from it: the ratings of both sides if it is rated and the two have not played
// [MaxRatedADay] that day, the figures of both, and
// the end of its stay among the running ones. It returns the match as it is
// stored. A match that is stored already stays as it is and nothing is counted
// again, so a caller that does not know whether it came through asks again.
//
// A rated match needs two accounts and a winner. The error is [ErrNotFound] if
// a seat names an account that there is not.
func (s *Store) Finish(ctx context.Context, m Match) (Summary, error) {
	stored, err := s.finish(ctx, m)
	if err != nil {
		return Summary{}, fmt.Errorf("storing the match %s: %w", m.ID, err)
	}
	s.letGo(m.ID)
	return stored, nil
}

func (s *Store) finish(ctx context.Context, m Match) (Summary, error) {
	seats := m.Seats
	switch {
	case m.ID == "":
		return Summary{}, errors.New("it has no ID")
	case m.Winner > match.Nobody:
		return Summary{}, fmt.Errorf("side %d cannot win", m.Winner)
	case !m.Rated:
	case m.Winner == match.Nobody:
		return Summary{}, errors.New("it is rated and nobody won")
	case seats[0].Player == "" || seats[1].Player == "" || seats[0].Player == seats[1].Player:
		return Summary{}, errors.New("it is rated and not between two accounts")
	}
	if m.Details == nil {
		m.Details = json.RawMessage("{}")
	}
	if err := validJSON(m.Details); err != nil {
		return Summary{}, fmt.Errorf("its details: %w", err)
	}
	// The writer is busy enough: what can be made ready here, is.
	events, err := s.pack(m.Rules, m.Events)
	if err != nil {
		return Summary{}, err
	}
	m.RuleSet = text(m.Rules.Name)
	m.Started, m.Took = moment(micros(m.Started)), m.Took.Truncate(time.Microsecond)
	m.count()
	err = s.change(ctx, func(t *tx) error {
		if err := t.limitRated(&m.Summary); err != nil {
			return err
		}
		added, err := t.addMatch(m)
		if err != nil {
			return err
		}
		if !added {
			m.Summary, err = summary(t.get, m.ID)
			return err
		}
		if m.Rated {
			if err := t.rate(&m.Summary); err != nil {
				return err
			}
		}
		if err := t.addSeats(m, events); err != nil || m.Aborter == "" {
			return err
		}
		return t.addAbort(m)
	})
	if err != nil {
		return Summary{}, err // and no look at m, which the writer may still hold
	}
	return m.Summary, nil
}

// count adds up the shots and hits of both sides.
func (m *Match) count() {
	for side := range m.Seats {
		seat := &m.Seats[side]
		seat.Name = text(seat.Name)
		seat.Shots, seat.Hits, seat.Before, seat.After, seat.Provisional = 0, 0, 0, 0, false
	}
	for _, e := range m.Events {
		switch {
		case e.Side > match.Second:
		case e.Kind == match.ShotFired:
			m.Seats[e.Side].Shots++
		case e.Kind == match.ShotAnswered && e.Result > match.Water:
			m.Seats[e.Side.Other()].Hits++
		}
	}
}

// addMatch tells whether the match was not there yet.
func (t *tx) addMatch(m Match) (bool, error) {
	n, err := t.exec(`INSERT INTO matches (id, rules, started, took, ended, winner, reason, rated, casual, details)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING`,
		m.ID, m.RuleSet, micros(m.Started), m.Took.Microseconds(), micros(m.Ended()),
		int(m.Winner), m.Reason.String(), m.Rated, text(m.Casual), string(m.Details))
	return n > 0, err
}

func (t *tx) addSeats(m Match, events []byte) error {
	for side, seat := range m.Seats {
		if seat.Player != "" {
			if err := t.get(`SELECT id FROM players WHERE id = $1`, []any{seat.Player}, new(string)); err != nil {
				return fmt.Errorf("the account %q: %w", seat.Player, err)
			}
			if !m.Reason.Void() {
				if err := t.addFigures(m, match.Side(side)); err != nil {
					return err
				}
			}
		}
		if _, err := t.exec(`INSERT INTO seats (match, side, player, name, kind, ended, shots, hits, before, after, provisional, commitment, salt)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
			m.ID, side, optional(seat.Player), seat.Name, string(seat.Kind), micros(m.Ended()),
			seat.Shots, seat.Hits, seat.Before, seat.After, seat.Provisional, text(seat.Commitment), text(seat.Salt)); err != nil {
			return err
		}
	}
	if _, err := t.exec(`INSERT INTO records (match, events) VALUES ($1, $2)`, m.ID, events); err != nil {
		return err
	}
	return t.forget(m.ID)
}

// rate changes the ratings of both sides, and enters them in the match.
func (t *tx) rate(m *Summary) error {
	var before, after [2]Standing
	for side, seat := range m.Seats {
		var err error
		if before[side], err = t.standing(seat.Player, m.RuleSet); err != nil {
			return fmt.Errorf("the account %q: %w", seat.Player, err)
		}
	}
	score := 0.0
	if m.Winner == match.First {
		score = 1
	}
	ended := m.Ended()
	after = before
	after[0].Rating, after[1].Rating = rating.Game(before[0].Rating, before[1].Rating,
		before[0].idle(ended), before[1].idle(ended), score)
	for side := range after {
		a := &after[side]
		if a.Kind == Bot {
			a.Rating = before[side].Rating
		}
		a.Games++
		if a.Updated.Before(ended) { // matches may be stored out of order
			a.Updated = ended
		}
		m.Seats[side].Before, m.Seats[side].After, m.Seats[side].Provisional = before[side].Value, a.Value, !a.Settled()
		if err := t.saveStanding(*a); err != nil {
			return err
		}
	}
	return nil
}

const summaryColumns = `matches.id, matches.rules, matches.started, matches.took, matches.winner, matches.reason, matches.rated, matches.casual,
	COALESCE(a.player, ''), a.name, a.kind, a.commitment, a.salt, a.shots, a.hits, a.before, a.after, a.provisional,
	COALESCE(b.player, ''), b.name, b.kind, b.commitment, b.salt, b.shots, b.hits, b.before, b.after, b.provisional`

// withSeats joins both seats to matches.
const withSeats = ` JOIN seats a ON a.match = matches.id AND a.side = 0
	JOIN seats b ON b.match = matches.id AND b.side = 1 `

// scanSummary reads the columns above, and then more.
func scanSummary(scan func(...any) error, more ...any) (Summary, error) {
	var m Summary
	var started, took int64
	var winner int
	var reason string
	dest := []any{&m.ID, &m.RuleSet, &started, &took, &winner, &reason, &m.Rated, &m.Casual}
	for side := range m.Seats {
		s := &m.Seats[side]
		dest = append(dest, &s.Player, &s.Name, &s.Kind, &s.Commitment, &s.Salt, &s.Shots, &s.Hits, &s.Before, &s.After, &s.Provisional)
	}
	if err := scan(append(dest, more...)...); err != nil {
		return Summary{}, err
	}
	m.Started, m.Took = moment(started), time.Duration(took)*time.Microsecond
	m.Winner = match.Side(winner)
	m.Reason, _ = match.ParseReason(reason)
	return m, nil
}

// summary reads a summary by get, which is a reader's or the writer's.
func summary(get func(string, []any, ...any) error, id string) (Summary, error) {
	return scanSummary(func(dest ...any) error {
		return get(`SELECT `+summaryColumns+` FROM matches`+withSeats+`WHERE matches.id = $1`, []any{id}, dest...)
	})
}

// Match is a match that has ended, or [ErrNotFound].
func (s *Store) Match(ctx context.Context, id string) (Match, error) {
	var m Match
	var details string
	var packed []byte
	var err error
	m.Summary, err = scanSummary(func(dest ...any) error {
		return s.get(ctx, `SELECT `+summaryColumns+`, matches.details, records.events FROM matches`+withSeats+`
			JOIN records ON records.match = matches.id WHERE matches.id = $1`, []any{text(id)}, dest...)
	}, &details, &packed)
	if err == nil {
		m.Details = json.RawMessage(details)
		m.Rules, m.Events, err = unpack(packed)
	}
	if err != nil {
		return Match{}, fmt.Errorf("looking for the match %q: %w", id, err)
	}
	return m, nil
}
