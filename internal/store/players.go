package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Kind is what a player is.
type Kind string

// The kinds of players that have a rating.
const (
	Person  Kind = "person"
	Program Kind = "program" // an external bot that was registered
	Bot     Kind = "bot"     // built in
)

// Player is an account.
type Player struct {
	ID       string // see [NewID]
	Name     string // unique, and unlike all others: see [Skeleton]
	Kind     Kind
	Owner    string          // the ID of who registered a Program; else empty
	Settings json.RawMessage `json:",omitzero"`
	Created  time.Time
}

const playerColumns = `players.id, players.name, players.kind, COALESCE(players.owner, ''), players.settings, players.created`

func scanPlayer(scan func(...any) error) (Player, error) {
	var p Player
	var settings string
	var created int64
	err := scan(&p.ID, &p.Name, &p.Kind, &p.Owner, &settings, &created)
	p.Settings, p.Created = json.RawMessage(settings), moment(created)
	return p, err
}

// fold is a name without regard to case.
func fold(name string) string { return strings.ToLower(strings.ToUpper(text(name))) }

// CreatePerson makes an account for a person with a key. The errors are
// [ErrNameTaken] and [ErrKeyTaken].
func (s *Store) CreatePerson(ctx context.Context, name string, key Key) (Player, error) {
	p := Player{ID: NewID(), Name: text(name), Kind: Person, Settings: json.RawMessage("{}"), Created: now()}
	err := s.change(ctx, func(t *tx) error {
		if err := t.createPlayer(p); err != nil {
			return err
		}
		key.Player = p.ID
		return t.addKey(key)
	})
	if err != nil {
		return Player{}, fmt.Errorf("creating the account %q: %w", name, err)
	}
	return p, nil
}

// EnsureBot is the account of a built-in bot, made when it is first asked for, with
// the ratings that [rating.OfBot] gives it, whatever they were before.
// The error is [ErrNameTaken] if somebody else goes by the name.
func (s *Store) EnsureBot(ctx context.Context, name string) (Player, error) {
	var p Player
	err := s.change(ctx, func(t *tx) (err error) {
		p, err = scanPlayer(func(dest ...any) error {
			return t.get(`SELECT `+playerColumns+` FROM players WHERE folded = $1`, []any{fold(name)}, dest...)
		})
		switch {
		case err == nil && p.Kind != Bot:
			return ErrNameTaken
		case err == nil:
			return t.fixRatings(p)
		case err != ErrNotFound:
			return err
		}
		p = Player{ID: NewID(), Name: text(name), Kind: Bot, Settings: json.RawMessage("{}"), Created: now()}
		if err := t.createPlayer(p); err != nil {
			return err
		}
		return t.fixRatings(p)
	})
	if err != nil {
		return Player{}, fmt.Errorf("the account of the bot %q: %w", name, err)
	}
	return p, nil
}

func (t *tx) createPlayer(p Player) error {
	n, err := t.exec(`INSERT INTO players (id, name, folded, kind, owner, settings, created)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (folded) DO NOTHING`,
		p.ID, p.Name, fold(p.Name), string(p.Kind), optional(p.Owner), string(p.Settings), micros(p.Created))
	switch {
	case err != nil:
		return err
	case n == 0:
		return ErrNameTaken
	}
	return t.claim(p)
}

// Player is the account with an ID, or [ErrNotFound].
func (s *Store) Player(ctx context.Context, id string) (Player, error) {
	return s.player(ctx, `SELECT `+playerColumns+` FROM players WHERE id = $1`, id)
}

// PlayerByName is the account with a name, whatever the case, or
// [ErrNotFound].
func (s *Store) PlayerByName(ctx context.Context, name string) (Player, error) {
	return s.player(ctx, `SELECT `+playerColumns+` FROM players WHERE folded = $1`, fold(name))
}

// PlayerByKey is the account that a key opens, or [ErrNotFound].
func (s *Store) PlayerByKey(ctx context.Context, fingerprint string) (Player, error) {
	return s.player(ctx, `SELECT `+playerColumns+` FROM players JOIN keys ON keys.player = players.id
		WHERE keys.fingerprint = $1`, text(fingerprint))
}

func (s *Store) player(ctx context.Context, query, what string) (Player, error) {
	p, err := scanPlayer(func(dest ...any) error { return s.get(ctx, query, []any{what}, dest...) })
	if err != nil {
		return Player{}, fmt.Errorf("looking for the account %q: %w", what, err)
	}
	return p, nil
}

// Rename gives a player another name. The errors are [ErrNameTaken] and
// [ErrNotFound].
func (s *Store) Rename(ctx context.Context, id, name string) error {
	err := s.change(ctx, func(t *tx) error { return t.rename(id, name) })
	if err != nil {
		return fmt.Errorf("renaming to %q: %w", name, err)
	}
	return nil
}

func (t *tx) rename(id, name string) error {
	var other string
	switch err := t.get(`SELECT id FROM players WHERE folded = $1 AND id <> $2`, []any{fold(name), id}, &other); err {
	case nil:
		return ErrNameTaken
	case ErrNotFound:
	default:
		return err
	}
	if err := t.must(`UPDATE players SET name = $1, folded = $2 WHERE id = $3`, text(name), fold(name), id); err != nil {
		return err
	}
	if _, err := t.exec(`DELETE FROM skeletons WHERE player = $1`, id); err != nil {
		return err
	}
	return t.claim(Player{ID: id, Name: name})
}

// SaveSettings replaces a player's settings, which are JSON.
func (s *Store) SaveSettings(ctx context.Context, id string, settings json.RawMessage) error {
	err := validJSON(settings)
	if err == nil {
		err = s.change(ctx, func(t *tx) error {
			return t.must(`UPDATE players SET settings = $1 WHERE id = $2`, string(settings), id)
		})
	}
	if err != nil {
		return fmt.Errorf("saving settings: %w", err)
	}
	return nil
}

// must changes exactly one row, or [ErrNotFound].
func (t *tx) must(query string, args ...any) error {
	n, err := t.exec(query, args...)
	if err == nil && n == 0 {
		return ErrNotFound
	}
	return err
}
