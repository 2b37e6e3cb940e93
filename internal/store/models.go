package store

import (
	"context"
	"encoding/json"
	"errors"
)

// Models stores what bots remember about their opponents: one model, as JSON, for each
// combination of bot, opponent and rule set.
type Models struct{ db *database }

const selectModel = `SELECT model FROM models WHERE bot = $1 AND opponent = $2 AND rules = $3`

// Get returns a bot's model of an opponent under a rule set, or [ErrNotFound]. bot and
// opponent are IDs.
func (ms Models) Get(ctx context.Context, bot, opponent, ruleSet string) (model json.RawMessage, err error) {
	err = ms.db.get(ctx, selectModel, []any{cleanText(bot), cleanText(opponent), cleanText(ruleSet)}, scanJSON(&model))
	return model, err
}

// Update replaces a model with the result of learn, which receives the old model, or nil
// if there is none. The update is atomic, so a bot can play several matches against one
// opponent at once. Other changes wait while learn runs. If it returns an error, the model
// is unchanged.
func (ms Models) Update(ctx context.Context, bot, opponent, ruleSet string, learn func(json.RawMessage) (json.RawMessage, error)) error {
	return ms.db.update(ctx, func(t *tx) error {
		var model json.RawMessage
		if err := t.get(selectModel, []any{bot, opponent, cleanText(ruleSet)}, scanJSON(&model)); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		model, err := learn(model)
		if err != nil {
			return err
		}
		if err := checkJSON(model); err != nil {
			return err
		}
		_, err = t.exec(`INSERT INTO models (bot, opponent, rules, model, updated) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (bot, opponent, rules) DO UPDATE SET model = excluded.model, updated = excluded.updated`,
			bot, opponent, cleanText(ruleSet), string(model), toMicros(now()))
		return err
	})
}
