package bot

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"time"

	"broadside/bots"
	"broadside/bots/infer"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/match"
)

// readTimeout limits how long a bot waits to read its memory.
const readTimeout = 3 * time.Second

// Memories stores what bots remember about their opponents between matches. Its methods wait for the
// database and log errors.
type Memories struct {
	Store *store.Store
	Log   *slog.Logger
}

// LearnsAccount reports whether p is a bot that remembers this opponent.
func LearnsAccount(p, opponent account.Player) bool {
	return p.Account != "" && opponent.Account != "" && canLearn(p)
}

// LearnsInSeries reports whether p is a bot that remembers an opponent without an account during a
// series.
func LearnsInSeries(p, opponent account.Player) bool {
	return opponent.Account == "" && canLearn(p)
}

func canLearn(p account.Player) bool {
	if p.Kind != account.Bot {
		return false
	}
	i := slices.IndexFunc(bots.All(), func(b bots.Info) bool { return b.Name == p.Name })
	return i >= 0 && bots.All()[i].UsesMemory
}

// Read returns a bot's memory of an opponent, or nil.
func (m Memories) Read(ctx context.Context, bot, opponent account.Player, r match.Rules) *infer.Memory {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	data, err := m.Store.Models.Get(ctx, bot.Account, opponent.Account, r.Name)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		m.Log.Error("a bot plays without its memory", "bot", bot.Name, "error", err)
		return nil
	}
	memory, err := decodeMemory(data, r)
	if err != nil {
		m.Log.Error("a bot plays without its memory", "bot", bot.Name, "error", err)
		return nil
	}
	return memory
}

// decodeMemory returns a stored memory, or an empty one if data is nil or comes from other rules
// with the same name.
func decodeMemory(data json.RawMessage, r match.Rules) (*infer.Memory, error) {
	m := infer.NewMemory(r)
	if data == nil {
		return m, nil
	}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, err
	}
	if !m.Rules.IsEquivalent(r) {
		return infer.NewMemory(r), nil
	}
	return m, nil
}

// Learn updates the memories of the bots in a match that has ended.
func (m Memories) Learn(ctx context.Context, players [2]account.Player, ended store.Match) {
	if ended.Reason.IsVoid() {
		return
	}
	for side, p := range players {
		opponent := players[1-side]
		if !LearnsAccount(p, opponent) {
			continue
		}
		played := infer.GameFromEvents(ended.Events, match.Side(1-side))
		err := m.Store.Models.Update(ctx, p.Account, opponent.Account, ended.Rules.Name, func(old json.RawMessage) (json.RawMessage, error) {
			memory, err := decodeMemory(old, ended.Rules)
			// The memory comes from a version that this one cannot read.
			if err != nil {
				memory = infer.NewMemory(ended.Rules)
			}
			memory.Learn(played)
			return json.Marshal(memory)
		})
		if err != nil {
			m.Log.Error("a bot has learned nothing", "bot", p.Name, "error", err)
		}
	}
}
