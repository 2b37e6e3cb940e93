package store

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"time"
)

// Kind is the kind of a player.
type Kind string

// The kinds of players that have a rating.
const (
	Person Kind = "person"
	// A Program is an external bot that a Person registered.
	Program Kind = "program"
	Bot     Kind = "bot"
)

// Player is an account.
type Player struct {
	// ID is made by [NewID].
	ID string
	// Name is unique: no two accounts have the same [Skeleton].
	Name string
	Kind Kind
	// Owner is the ID of the Person who registered a Program. It is empty for other kinds.
	Owner    string
	Settings json.RawMessage `json:",omitzero"`
	Created  time.Time
}

const playerColumns = `players.id, players.name, players.kind, COALESCE(players.owner, ''), players.settings, players.created`

func (p *Player) scanTargets() []any {
	return []any{&p.ID, &p.Name, &p.Kind, &p.Owner, scanJSON(&p.Settings), scanTime(&p.Created)}
}

func newPlayer(name string, kind Kind) Player {
	return Player{ID: NewID(), Name: cleanText(name), Kind: kind, Settings: json.RawMessage("{}"), Created: now()}
}

// Accounts stores the accounts of people, programs and built-in bots. Other data refers
// to accounts by ID, because names can change.
type Accounts struct{ db *database }

// CreatePerson creates an account with a key for a person. The errors include
// [ErrNameTaken] and [ErrKeyTaken].
func (a Accounts) CreatePerson(ctx context.Context, name string, key Key) (Player, error) {
	p := newPlayer(name, Person)
	return updateResult(ctx, a.db, func(t *tx) (Player, error) {
		if err := t.createPlayer(p); err != nil {
			return p, err
		}
		key.Player = p.ID
		return p, t.addKey(key)
	})
}

// EnsureBot returns the account of a built-in bot and creates it if necessary. It sets
// the bot's ratings to those of [rating.BotRating]. The error is [ErrNameTaken] if another
// player has the name.
func (a Accounts) EnsureBot(ctx context.Context, name string) (Player, error) {
	return updateResult(ctx, a.db, func(t *tx) (Player, error) {
		p, err := t.playerByName(name)
		switch {
		case err == nil && p.Kind != Bot:
			return p, ErrNameTaken
		case errors.Is(err, ErrNotFound):
			p = newPlayer(name, Bot)
			err = t.createPlayer(p)
		}
		if err != nil {
			return p, err
		}
		return p, t.setBotRatings(p)
	})
}

func (t *tx) createPlayer(p Player) error {
	n, err := t.exec(`INSERT INTO players (id, name, folded, kind, owner, settings, created)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (folded) DO NOTHING`,
		p.ID, p.Name, foldCase(p.Name), string(p.Kind), nullIfEmpty(p.Owner), string(p.Settings), toMicros(p.Created))
	switch {
	case err != nil:
		return err
	case n == 0:
		return ErrNameTaken
	}
	return t.reserveName(p)
}

func (t *tx) playerByName(name string) (p Player, err error) {
	err = t.get(`SELECT `+playerColumns+` FROM players WHERE folded = $1`, []any{foldCase(name)}, p.scanTargets()...)
	return p, err
}

func (t *tx) playerName(id string) (name string, err error) {
	err = t.get(`SELECT name FROM players WHERE id = $1`, []any{cleanText(id)}, &name)
	return name, err
}

// FindByID returns the account with an ID, or [ErrNotFound].
func (a Accounts) FindByID(ctx context.Context, id string) (Player, error) {
	return a.find(ctx, `WHERE id = $1`, id)
}

// FindByName returns the account with a name, ignoring case, or [ErrNotFound].
func (a Accounts) FindByName(ctx context.Context, name string) (Player, error) {
	return a.find(ctx, `WHERE folded = $1`, foldCase(name))
}

// FindByKey returns the account to which a key belongs, or [ErrNotFound].
func (a Accounts) FindByKey(ctx context.Context, fingerprint string) (Player, error) {
	return a.find(ctx, `JOIN keys ON keys.player = players.id WHERE keys.fingerprint = $1`, cleanText(fingerprint))
}

// find returns the first account that query, the end of an SQL query, selects.
func (a Accounts) find(ctx context.Context, query string, args ...any) (p Player, err error) {
	err = a.db.get(ctx, `SELECT `+playerColumns+` FROM players `+query, args, p.scanTargets()...)
	return p, err
}

// Rename renames a player, whose former name stays reserved for [NameReserve]. If by is not empty, it
// is the operator's name for the audit log. The errors include [ErrNameTaken] and [ErrNotFound].
func (a Accounts) Rename(ctx context.Context, id, name, by string) error {
	return a.db.update(ctx, func(t *tx) error {
		old, err := t.playerName(id)
		if err != nil {
			return err
		}
		if err := t.rename(id, old, name); err != nil || by == "" {
			return err
		}
		return t.addAuditEntry(Act{Actor: by, Verb: "rename", Subject: old, Details: "to " + name})
	})
}

func (t *tx) rename(id, old, name string) error {
	if p, err := t.playerByName(name); err == nil && p.ID != id {
		return ErrNameTaken
	} else if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if _, err := t.exec(`UPDATE players SET name = $1, folded = $2 WHERE id = $3`, cleanText(name), foldCase(name), id); err != nil {
		return err
	}
	if Skeleton(old) == Skeleton(name) {
		return nil
	}
	if _, err := t.exec(`UPDATE players SET renamed = $1 WHERE id = $2`, toMicros(now()), id); err != nil {
		return err
	}
	if _, err := t.exec(`UPDATE skeletons SET until = $1 WHERE player = $2 AND until = $3`, toMicros(now().Add(NameReserve)), id, int64(math.MaxInt64)); err != nil {
		return err
	}
	return t.reserveName(Player{ID: id, Name: name})
}

// RenameTime returns when an account last got another name. A name with the same [Skeleton] does not
// count. The time is zero for an account that still has its first name.
func (a Accounts) RenameTime(ctx context.Context, id string) (at time.Time, err error) {
	err = a.db.get(ctx, `SELECT renamed FROM players WHERE id = $1`, []any{cleanText(id)}, scanTime(&at))
	return at, err
}

// SaveSettings replaces a player's settings, a JSON value, or returns [ErrNotFound].
func (a Accounts) SaveSettings(ctx context.Context, id string, settings json.RawMessage) error {
	if err := checkJSON(settings); err != nil {
		return err
	}
	return a.db.update(ctx, func(t *tx) error {
		return t.execOrNotFound(`UPDATE players SET settings = $1 WHERE id = $2`, string(settings), id)
	})
}
