package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Model is what a bot remembers of an opponent under one rule set, as JSON, or
// [ErrNotFound]. Players are named by their IDs.
func (s *Store) Model(ctx context.Context, bot, opponent, ruleSet string) (json.RawMessage, error) {
	var model string
	err := s.get(ctx, selectModel, []any{text(bot), text(opponent), text(ruleSet)}, &model)
	if err != nil {
		return nil, fmt.Errorf("reading what a bot remembers: %w", err)
	}
	return json.RawMessage(model), nil
}

const selectModel = `SELECT model FROM models WHERE bot = $1 AND opponent = $2 AND rules = $3`

// UpdateModel replaces what a bot remembers by what learn makes of it. learn
// gets nil if there is nothing yet. No other update of the same memory comes
// between, so a bot can play many matches with one opponent at once. learn
// runs on the writer's goroutine and must not wait; an error of it changes
// nothing.
func (s *Store) UpdateModel(ctx context.Context, bot, opponent, ruleSet string, learn func(json.RawMessage) (json.RawMessage, error)) error {
	err := s.change(ctx, func(t *tx) error {
		for _, id := range []string{bot, opponent} {
			if err := t.get(`SELECT id FROM players WHERE id = $1`, []any{id}, new(string)); err != nil {
				return err
			}
		}
		var old string
		if err := t.get(selectModel, []any{bot, opponent, text(ruleSet)}, &old); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		var model json.RawMessage
		if old != "" {
			model = json.RawMessage(old)
		}
		model, err := learn(model)
		if err != nil {
			return err
		}
		if err := validJSON(model); err != nil {
			return err
		}
		_, err = t.exec(`INSERT INTO models (bot, opponent, rules, model, updated) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (bot, opponent, rules) DO UPDATE SET model = excluded.model, updated = excluded.updated`,
			bot, opponent, text(ruleSet), string(model), micros(now()))
		return err
	})
	if err != nil {
		return fmt.Errorf("storing what a bot remembers: %w", err)
	}
	return nil
}
