package store

import (
	"context"
	"time"

	"broadside/match"
)

// CorrespondenceMatch is a correspondence match that has not ended.
type CorrespondenceMatch struct {
	// Match has no events if the match comes from a list.
	Match RunningMatch
	// Pace is the time for each turn.
	Pace time.Duration
	// Acting marks the sides that must act before Due.
	Acting [2]bool
	// Due is a time on the caller's clock.
	Due time.Duration
}

// CorrespondenceOffer is an offer of a correspondence match.
type CorrespondenceOffer struct {
	// ID is made by [NewID].
	ID string
	// Player is the account's ID. The store fills in Name.
	Player, Name string
	// Opponent is the only account that can accept the offer, or empty for any account. The store fills in
	// OpponentName.
	Opponent, OpponentName string
	Rules                  match.Rules
	Rated                  bool
	Pace                   time.Duration
	// Expires is a time on the same clock as [CorrespondenceMatch.Due].
	Expires time.Duration
}

// Correspondence stores a world's correspondence matches that have not ended, and the offers of such
// matches. [Matches.Finish] removes a match. Unlike [Running], it lists matches without their events.
type Correspondence struct {
	db    *database
	world string
}

// Limits of a list of offers. An owner and their programs share maxOwnersOffers of those to anyone, so that they
// cannot hide the offers of others.
const (
	maxListedOffers = 100
	maxOwnersOffers = 3
)

// AddOffer stores an offer. A player can have limit open offers, and one to each opponent. Otherwise, the
// error is [ErrTooMany].
func (c Correspondence) AddOffer(ctx context.Context, o CorrespondenceOffer, limit int) error {
	rules, err := match.EncodeEvents(o.Rules, nil)
	if err != nil {
		return err
	}
	return c.db.update(ctx, func(t *tx) error {
		var own, same int
		if err := t.get(`SELECT COUNT(*), COALESCE(SUM(CASE WHEN opponent = $2 THEN 1 ELSE 0 END), 0)
			FROM correspondence_offers WHERE player = $1`, []any{o.Player, o.Opponent}, &own, &same); err != nil {
			return err
		}
		if own >= limit || same > 0 {
			return ErrTooMany
		}
		_, err := t.exec(`INSERT INTO correspondence_offers (id, world, player, opponent, rules, rated, pace, expires)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			o.ID, c.world, o.Player, nullIfEmpty(o.Opponent), string(rules), o.Rated, o.Pace.Microseconds(), o.Expires.Microseconds())
		return err
	})
}

const offerColumns = `o.id, o.player, players.name, COALESCE(o.opponent, ''), COALESCE(opponents.name, ''), o.rules, o.rated, o.pace, o.expires`

const joinOfferPlayers = ` FROM correspondence_offers o JOIN players ON players.id = o.player
	LEFT JOIN players opponents ON opponents.id = o.opponent `

func (o *CorrespondenceOffer) scanTargets() []any {
	return []any{
		&o.ID, &o.Player, &o.Name, &o.Opponent, &o.OpponentName,
		scanInto(&o.Rules, func(text string) (match.Rules, error) {
			rules, _, err := match.DecodeEvents([]byte(text))
			return rules, err
		}),
		&o.Rated, scanMicros(&o.Pace), scanMicros(&o.Expires),
	}
}

// scanMicros returns a scan destination for a column with a duration in microseconds.
func scanMicros(dest *time.Duration) columnScanner[int64] {
	return scanInto(dest, func(us int64) (time.Duration, error) { return time.Duration(us) * time.Microsecond, nil })
}

// ListOffers returns the offers that a player has made or can accept: those to the player, then the
// player's own, then those to anyone, oldest first. It leaves out those to anyone above its limits.
func (c Correspondence) ListOffers(ctx context.Context, player string) ([]CorrespondenceOffer, error) {
	return listRows(ctx, c.db, `SELECT `+offerColumns+joinOfferPlayers+`
		LEFT JOIN (SELECT open.id, ROW_NUMBER() OVER (PARTITION BY COALESCE(owners.owner, owners.id) ORDER BY open.expires, open.id) AS place
			FROM correspondence_offers open JOIN players owners ON owners.id = open.player
			WHERE open.world = $1 AND open.opponent IS NULL) ranked ON ranked.id = o.id
		WHERE o.world = $1 AND (o.player = $2 OR o.opponent = $2 OR ranked.place <= $4)
		ORDER BY CASE WHEN o.opponent = $2 THEN 0 WHEN o.player = $2 THEN 1 ELSE 2 END, o.expires, o.id LIMIT $3`,
		[]any{c.world, cleanText(player), maxListedOffers, maxOwnersOffers}, (*CorrespondenceOffer).scanTargets)
}

// GetOffer returns an offer, or [ErrNotFound].
func (c Correspondence) GetOffer(ctx context.Context, id string) (o CorrespondenceOffer, err error) {
	err = c.db.get(ctx, `SELECT `+offerColumns+joinOfferPlayers+`WHERE o.id = $1 AND o.world = $2`,
		[]any{cleanText(id), c.world}, o.scanTargets()...)
	return o, err
}

// RemoveOffer removes an offer that a player has made, or that is to that player only. Otherwise it
// returns [ErrNotFound].
func (c Correspondence) RemoveOffer(ctx context.Context, id, player string) error {
	return c.db.update(ctx, func(t *tx) error {
		return t.execOrNotFound(`DELETE FROM correspondence_offers WHERE id = $1 AND world = $2 AND (player = $3 OR opponent = $3)`,
			cleanText(id), c.world, player)
	})
}

// Accept removes an offer and stores the match that it leads to, whose seats have accounts. The error is
// [ErrNotFound] if the offer does not exist any more, and [ErrTooMany] if one of the players has limit
// matches.
func (c Correspondence) Accept(ctx context.Context, offer string, m CorrespondenceMatch, limit int) (err error) {
	defer annotate(&err, "store start of match %s", m.Match.ID)
	first, err := m.Match.firstEntry()
	if err != nil {
		return err
	}
	return c.db.update(ctx, func(t *tx) error {
		if err := t.execOrNotFound(`DELETE FROM correspondence_offers WHERE id = $1 AND world = $2`, offer, c.world); err != nil {
			return err
		}
		for _, s := range m.Match.Seats {
			var n int
			if err := t.get(`SELECT COUNT(*) FROM correspondence WHERE first_player = $1 OR second_player = $1`, []any{s.Player}, &n); err != nil {
				return err
			}
			if n >= limit {
				return ErrTooMany
			}
		}
		_, err := t.exec(`INSERT INTO correspondence (match, world, first_player, second_player, pace, acting, due)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`, m.Match.ID, c.world, m.Match.Seats[0].Player, m.Match.Seats[1].Player,
			m.Pace.Microseconds(), encodeActing(m.Acting), m.Due.Microseconds())
		if err != nil {
			return err
		}
		return t.insertCorrespondenceEvents(first)
	})
}

func (t *tx) insertCorrespondenceEvents(e entry) error {
	_, err := t.exec(`INSERT INTO correspondence_events (match, seq, body) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
		e.match, e.seq, string(e.body))
	return err
}

// AppendEvents stores events of a match, with the sides that must act after them until the time due. For
// number and repeated calls, see [Running.AppendEvents].
func (c Correspondence) AppendEvents(ctx context.Context, id string, number int, events []match.Event, acting [2]bool, due time.Duration) (err error) {
	defer annotate(&err, "store events of match %s", id)
	body, err := match.EncodeEvents(match.Rules{}, events)
	if err != nil {
		return err
	}
	return c.db.update(ctx, func(t *tx) error {
		if err := t.execOrNotFound(`UPDATE correspondence SET acting = $2, due = $3 WHERE match = $1`,
			id, encodeActing(acting), due.Microseconds()); err != nil {
			return err
		}
		return t.insertCorrespondenceEvents(entry{match: id, seq: number + 1, body: body})
	})
}

// Get returns a match with its events, or [ErrNotFound].
func (c Correspondence) Get(ctx context.Context, id string) (m CorrespondenceMatch, err error) {
	id = cleanText(id)
	if err := c.db.get(ctx, `SELECT pace, acting, due FROM correspondence WHERE match = $1 AND world = $2`,
		[]any{id, c.world}, scanMicros(&m.Pace), scanActing(&m.Acting), scanMicros(&m.Due)); err != nil {
		return m, err
	}
	entries, err := listRows(ctx, c.db, `SELECT match, seq, body FROM correspondence_events WHERE match = $1 ORDER BY seq`, []any{id},
		func(e *entry) []any { return []any{&e.match, &e.seq, &e.body} })
	if err != nil {
		return m, err
	}
	for _, e := range entries {
		if e.seq == 0 {
			m.Match, err = e.decodeMatch()
		} else {
			err = m.Match.addEvents(e)
		}
		if err != nil {
			return m, err
		}
	}
	return m, nil
}

// ListByPlayer returns a player's matches without their events, in the order in which they are due.
func (c Correspondence) ListByPlayer(ctx context.Context, player string) ([]CorrespondenceMatch, error) {
	return listRows(ctx, c.db, `SELECT c.pace, c.acting, c.due, c.match, e.body
		FROM correspondence c JOIN correspondence_events e ON e.match = c.match AND e.seq = 0
		WHERE c.world = $1 AND (c.first_player = $2 OR c.second_player = $2) ORDER BY c.due, c.match`,
		[]any{c.world, cleanText(player)}, func(m *CorrespondenceMatch) []any {
			id := new(string)
			return []any{scanMicros(&m.Pace), scanActing(&m.Acting), scanMicros(&m.Due), id,
				scanInto(&m.Match, func(body string) (RunningMatch, error) {
					return entry{match: *id, body: []byte(body)}.decodeMatch()
				})}
		})
}

// ListDue returns the IDs of at most limit matches that are due before a time.
func (c Correspondence) ListDue(ctx context.Context, now time.Duration, limit int) ([]string, error) {
	return listRows(ctx, c.db, `SELECT match FROM correspondence WHERE world = $1 AND due <= $2 ORDER BY due, match LIMIT $3`,
		[]any{c.world, now.Microseconds(), limit}, func(id *string) []any { return []any{id} })
}

func encodeActing(acting [2]bool) (bits int) {
	for side, acts := range acting {
		if acts {
			bits |= 1 << side
		}
	}
	return bits
}

func scanActing(dest *[2]bool) columnScanner[int64] {
	return scanInto(dest, func(bits int64) ([2]bool, error) { return [2]bool{bits&1 != 0, bits&2 != 0}, nil })
}

// ReadClock returns the time that the world's servers have been running, as SaveClock saved it, or 0.
func (c Correspondence) ReadClock(ctx context.Context) (uptime time.Duration, err error) {
	text, err := State{c.db}.Get(ctx, c.clockName())
	if err != nil || text == "" {
		return 0, err
	}
	return time.ParseDuration(text)
}

// SaveClock saves the time that the world's servers have been running, and removes the offers that have
// expired by then.
func (c Correspondence) SaveClock(ctx context.Context, uptime time.Duration) error {
	return c.db.update(ctx, func(t *tx) error {
		if _, err := t.exec(`INSERT INTO state (name, value) VALUES ($1, $2)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`, c.clockName(), uptime.String()); err != nil {
			return err
		}
		_, err := t.exec(`DELETE FROM correspondence_offers WHERE world = $1 AND expires <= $2`, c.world, uptime.Microseconds())
		return err
	})
}

func (c Correspondence) clockName() string { return "uptime of world " + c.world }

// ResetFeed gives a player's private feed a new token and returns it. The old token becomes invalid.
func (c Correspondence) ResetFeed(ctx context.Context, player string) (token string, err error) {
	token = NewID() + NewID()
	err = c.db.update(ctx, func(t *tx) error {
		_, err := t.exec(`INSERT INTO feeds (player, hash) VALUES ($1, $2) ON CONFLICT (player) DO UPDATE SET hash = excluded.hash`,
			player, hashSecret(token))
		return err
	})
	return token, err
}

// FindByFeedToken returns the player whose private feed has a token, or [ErrNotFound].
func (c Correspondence) FindByFeedToken(ctx context.Context, token string) (p Player, err error) {
	err = c.db.get(ctx, `SELECT `+playerColumns+` FROM players JOIN feeds ON feeds.player = players.id WHERE feeds.hash = $1`,
		[]any{hashSecret(token)}, p.scanTargets()...)
	return p, err
}
