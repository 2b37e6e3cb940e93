package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"time"

	"broadside/match"
)

// Seat is one side of a match.
type Seat struct {
	// Player is the account's ID, or empty for a guest.
	Player string
	// Name is the player's name at the time of the match.
	Name string
	Kind Kind
	// Key is the key fingerprint of a person without an account. The account that later gets the key
	// also gets the match. The store does not return it.
	Key string `json:",omitzero"`

	// The store sets the fields below.

	// Shots and Hits count the side's own shots.
	Shots, Hits int
	// Before and After are ratings, or 0 if the match is casual.
	Before, After float64
	// Provisional is set if the rating after the match is provisional.
	Provisional bool
	Accuracy
}

// Summary describes a match in lists.
type Summary struct {
	// ID is made by [NewID].
	ID string
	// RuleSet is the rules' name.
	RuleSet string
	Started time.Time
	Took    time.Duration
	// Seats has each side's seat.
	Seats [2]Seat
	// Winner is [match.Nobody] if no one won.
	Winner match.Side
	Reason match.Reason
	Rated  bool
	// Casual is one word that says why the match is not rated. It may be empty.
	Casual string
	// Ladder is set if the server paired the players.
	Ladder bool `json:",omitzero"`
	// Private is set if only its players find the match in lists, as [Matches.RestrictTo] describes.
	Private bool `json:",omitzero"`
}

// EndTime returns when the match ended.
func (m Summary) EndTime() time.Time { return m.Started.Add(m.Took) }

// Match is a match that has ended.
type Match struct {
	// When a match is stored, RuleSet is taken from Rules.
	Summary
	Rules  match.Rules
	Events []match.Event
	// Aborter is the ID of the account that aborted a rated match, or empty.
	Aborter string
	// Details are defined by the caller. They may be nil.
	Details json.RawMessage `json:",omitzero"`
}

const summaryColumns = `matches.id, matches.rules, matches.started, matches.took, matches.winner, matches.reason, matches.rated, matches.casual, matches.ladder, matches.private,
	COALESCE(a.player, ''), a.name, a.kind, a.shots, a.hits, a.before, a.after, a.provisional, a.judged, a.accuracy, a.costliest,
	COALESCE(b.player, ''), b.name, b.kind, b.shots, b.hits, b.before, b.after, b.provisional, b.judged, b.accuracy, b.costliest`

const joinSeats = ` JOIN seats a ON a.match = matches.id AND a.side = 0
	JOIN seats b ON b.match = matches.id AND b.side = 1 `

func (m *Summary) scanTargets() []any {
	all := []any{
		&m.ID, &m.RuleSet, scanTime(&m.Started),
		scanInto(&m.Took, func(us int64) (time.Duration, error) { return time.Duration(us) * time.Microsecond, nil }),
		&m.Winner,
		scanInto(&m.Reason, func(word string) (match.Reason, error) {
			// An unknown word is the zero Reason.
			r, _ := match.ParseReason(word)
			return r, nil
		}),
		&m.Rated, &m.Casual, &m.Ladder, &m.Private,
	}
	for side := range m.Seats {
		s := &m.Seats[side]
		all = append(all, &s.Player, &s.Name, &s.Kind, &s.Shots, &s.Hits, &s.Before, &s.After, &s.Provisional, &s.Judged, &s.Share, &s.Costliest)
	}
	return all
}

// Matches stores finished matches with their events.
type Matches struct {
	db *database
	// reader is set by [Matches.RestrictTo]. If it is nil, all matches are listed.
	reader *string
}

// RestrictTo returns the matches that an account may list. They exclude private matches of others. An
// empty ID stands for a reader without an account.
func (ms Matches) RestrictTo(account string) Matches {
	ms.reader = &account
	return ms
}

// listCondition returns the SQL condition for matches that the reader may list, and the query's arguments
// with the reader.
func (ms Matches) listCondition(args []any) (condition string, all []any) {
	if ms.reader == nil {
		return "", args
	}
	n := len(args) + 1
	return fmt.Sprintf(" AND (NOT matches.private OR a.player = $%d OR b.player = $%d)", n, n), append(args, cleanText(*ms.reader))
}

// Finish stores a match that has ended. In the same transaction, it updates the ratings
// of both sides if the match is rated and the players have not reached [MaxRatedADay],
// updates the statistics of both, and removes the match from the running ones. It returns
// the match as stored. Storing a match again changes nothing, so Finish may be repeated
// after an error.
//
// A rated match needs two accounts and a winner. The error is [ErrNotFound] if a seat's
// account does not exist.
func (ms Matches) Finish(ctx context.Context, m Match) (_ Summary, err error) {
	defer annotate(&err, "store match %s", m.ID)
	if err := m.validate(); err != nil {
		return Summary{}, err
	}
	if m.Details == nil {
		m.Details = json.RawMessage("{}")
	}
	if err := checkJSON(m.Details); err != nil {
		return Summary{}, fmt.Errorf("match details: %w", err)
	}
	// Other changes wait during the transaction, so encode before it.
	events, err := ms.db.compressors.encodeRecord(m.Rules, m.Events)
	if err != nil {
		return Summary{}, err
	}
	m.RuleSet = cleanText(m.Rules.Name)
	m.Started, m.Took = fromMicros(toMicros(m.Started)), m.Took.Truncate(time.Microsecond)
	m.deriveSeats()
	return updateResult(ctx, ms.db, func(t *tx) (Summary, error) { return t.insertMatch(m, events) })
}

func (m *Match) validate() error {
	first, second := m.Seats[0].Player, m.Seats[1].Player
	switch {
	case m.ID == "":
		return errors.New("the match has no ID")
	case m.Winner > match.Nobody:
		return fmt.Errorf("side %d cannot win", m.Winner)
	case !m.Rated:
		return nil
	case m.Winner == match.Nobody:
		return errors.New("a rated match needs a winner")
	case first == "" || second == "" || first == second:
		return errors.New("a rated match needs two accounts")
	}
	return nil
}

func (m *Match) deriveSeats() {
	for side := range m.Seats {
		seat := &m.Seats[side]
		seat.Name = cleanText(seat.Name)
		seat.Shots, seat.Hits, seat.Before, seat.After, seat.Provisional, seat.Accuracy = 0, 0, 0, 0, false, Accuracy{}
	}
	for _, e := range m.Events {
		if e.Side > match.Second {
			continue
		}
		if e.Kind == match.ShotFired {
			m.Seats[e.Side].Shots++
		}
		if e.Kind == match.ShotAnswered && e.Result > match.Miss {
			m.Seats[e.Side.Other()].Hits++
		}
	}
}

// insertMatch stores a match and updates everything that depends on it. It returns the match as stored.
func (t *tx) insertMatch(m Match, events []byte) (Summary, error) {
	if err := t.limitRatedMatches(&m.Summary); err != nil {
		return m.Summary, err
	}
	if err := t.assignSeatOwners(&m.Summary); err != nil {
		return m.Summary, err
	}
	n, err := t.exec(`INSERT INTO matches (id, rules, started, took, ended, winner, reason, rated, casual, ladder, private, details)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING`,
		m.ID, m.RuleSet, toMicros(m.Started), m.Took.Microseconds(), toMicros(m.EndTime()),
		int(m.Winner), m.Reason.String(), m.Rated, cleanText(m.Casual), m.Ladder, m.Private, string(m.Details))
	if err != nil {
		return m.Summary, err
	}
	// The match is already stored.
	if n == 0 {
		err := t.get(`SELECT `+summaryColumns+` FROM matches`+joinSeats+`WHERE matches.id = $1`, []any{m.ID}, m.scanTargets()...)
		return m.Summary, err
	}
	if m.Rated {
		if err := t.rateMatch(&m.Summary); err != nil {
			return m.Summary, err
		}
	}
	for side := range m.Seats {
		if err := t.insertSeat(m, match.Side(side)); err != nil {
			return m.Summary, err
		}
	}
	if _, err := t.exec(`INSERT INTO records (match, events) VALUES ($1, $2)`, m.ID, events); err != nil {
		return m.Summary, err
	}
	if m.Aborter != "" {
		if err := t.recordAbort(m); err != nil {
			return m.Summary, err
		}
	}
	return m.Summary, t.removeRunning(m.ID)
}

func (t *tx) insertSeat(m Match, side match.Side) error {
	seat := m.Seats[side]
	if seat.Player != "" && m.isCounted() {
		if err := t.addFigures(m, side); err != nil {
			return err
		}
	}
	_, err := t.exec(`INSERT INTO seats (match, side, player, fingerprint, name, kind, ended, shots, hits, before, after, provisional)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		m.ID, int(side), nullIfEmpty(seat.Player), cleanText(seat.Key), seat.Name, string(seat.Kind), toMicros(m.EndTime()),
		seat.Shots, seat.Hits, seat.Before, seat.After, seat.Provisional)
	return err
}

// HotSeat is the [Summary].Casual of a match between two people at one terminal.
const HotSeat = "hot-seat"

// isCounted reports whether the match counts in its players' [Statistics].
func (m *Summary) isCounted() bool { return !m.Reason.IsVoid() && m.Casual != HotSeat }

// unpackEvents sets a match's rules and events from its stored record. A match without a result shows no
// fleets.
func (ms Matches) unpackEvents(m *Match, stored []byte) (err error) {
	m.Rules, m.Events, err = decodeRecord(stored)
	if m.Reason.IsVoid() {
		m.Events = match.HideFleets(m.Events)
	}
	return err
}

// FindByID returns a match that has ended, or [ErrNotFound].
func (ms Matches) FindByID(ctx context.Context, id string) (m Match, err error) {
	var events []byte
	err = ms.db.get(ctx, `SELECT `+summaryColumns+`, matches.details, records.events FROM matches`+joinSeats+`
		JOIN records ON records.match = matches.id WHERE matches.id = $1`, []any{cleanText(id)},
		append(m.scanTargets(), scanJSON(&m.Details), &events)...)
	if err != nil {
		return Match{}, err
	}
	if err := ms.unpackEvents(&m, events); err != nil {
		return Match{}, err
	}
	return m, nil
}

// Cursor is a position in a list ordered from newest to oldest. The zero Cursor is the
// start of the list.
type Cursor struct {
	At time.Time
	ID string
}

// Cursor returns the position after this match in a list of matches.
func (m Summary) Cursor() Cursor { return Cursor{m.EndTime(), m.ID} }

// queryArgs returns the arguments of a query for entries older than the cursor.
func (c Cursor) queryArgs(more ...any) []any {
	if c.At.IsZero() {
		return append([]any{int64(math.MaxInt64), ""}, more...)
	}
	return append([]any{toMicros(c.At), cleanText(c.ID)}, more...)
}

// List returns at most limit matches after a cursor, newest first.
func (ms Matches) List(ctx context.Context, after Cursor, limit int) ([]Summary, error) {
	listed, args := ms.listCondition(after.queryArgs(max(0, limit)))
	return listRows(ctx, ms.db, `SELECT `+summaryColumns+` FROM matches`+joinSeats+`
		WHERE (matches.ended, matches.id) < ($1, $2)`+listed+` ORDER BY matches.ended DESC, matches.id DESC LIMIT $3`,
		args, (*Summary).scanTargets)
}

// ListSince returns at most limit matches after a cursor, oldest first, without Details. If rules is not
// empty, only matches under these rules have Events.
func (ms Matches) ListSince(ctx context.Context, after Cursor, rules string, limit int) ([]Match, error) {
	listed, args := ms.listCondition([]any{toMicros(after.At), cleanText(after.ID), cleanText(rules)})
	return listRows(ctx, ms.db, `SELECT `+summaryColumns+`, CASE WHEN $3 IN ('', matches.rules) THEN records.events END FROM matches`+joinSeats+`
		JOIN records ON records.match = matches.id WHERE (matches.ended, matches.id) > ($1, $2)`+listed+`
		ORDER BY matches.ended, matches.id LIMIT `+strconv.Itoa(max(0, limit)), args, func(m *Match) []any {
		return append(m.scanTargets(), columnScanner[[]byte](func(stored []byte) error {
			// Decoding many matches must not delay other goroutines.
			runtime.Gosched()
			if stored == nil {
				return nil
			}
			return ms.unpackEvents(m, stored)
		}))
	})
}

// ListByPlayer returns at most limit of a player's matches after a cursor, newest first.
func (ms Matches) ListByPlayer(ctx context.Context, player string, after Cursor, limit int) ([]Summary, error) {
	listed, args := ms.listCondition(after.queryArgs(cleanText(player), max(0, limit)))
	return listRows(ctx, ms.db, `SELECT `+summaryColumns+` FROM seats JOIN matches ON matches.id = seats.match`+joinSeats+`
		WHERE (seats.ended, seats.match) < ($1, $2) AND seats.player = $3`+listed+`
		ORDER BY seats.ended DESC, seats.match DESC LIMIT $4`,
		args, (*Summary).scanTargets)
}
