package lobby

import (
	"context"
	"encoding/json"
	"errors"

	"broadside/bots/infer"
	"broadside/internal/store"
	"broadside/match"
)

// learns tells whether a bot remembers an opponent from match to match.
func (l *Lobby) learns(bot, opponent Player) bool {
	if bot.Kind != Bot || bot.Account == "" || opponent.Account == "" {
		return false
	}
	for _, b := range l.bots {
		if b.Name == bot.Name {
			return b.Learns
		}
	}
	return false
}

// remember reads what a bot remembers of an opponent; nil if it is nothing.
func (l *Lobby) remember(bot, opponent Player, r match.Rules) *infer.Memory {
	ctx, cancel := context.WithTimeout(l.ctx, storeTime)
	defer cancel()
	data, err := l.cfg.Store.Models.Get(ctx, bot.Account, opponent.Account, r.Name)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err == nil {
		var m *infer.Memory
		if m, err = readMemory(data, r); err == nil {
			return m
		}
	}
	l.cfg.Log.Error("a bot plays without its memory", "bot", bot.Name, "error", err)
	return nil
}

// readMemory is a memory as it was stored. One of other rules by the same name
// is worth nothing: a new one takes its place, as where there is none.
func readMemory(data json.RawMessage, r match.Rules) (*infer.Memory, error) {
	m := infer.NewMemory(r)
	if data == nil {
		return m, nil
	}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, err
	}
	if !m.Rules.Same(r) {
		return infer.NewMemory(r), nil
	}
	return m, nil
}

// learn lets the bots of a match that has ended remember it.
func (l *Lobby) learn(ctx context.Context, players [2]Player, m store.Match) {
	if m.Reason.Void() {
		return
	}
	for side, p := range players {
		opponent := players[1-side]
		if !l.learns(p, opponent) {
			continue
		}
		played := about(m.Events, match.Side(1-side))
		err := l.cfg.Store.Models.Update(ctx, p.Account, opponent.Account, m.Rules.Name, func(old json.RawMessage) (json.RawMessage, error) {
			memory, err := readMemory(old, m.Rules)
			if err != nil { // of a version that this program does not read
				memory = infer.NewMemory(m.Rules)
			}
			memory.Learn(played)
			return json.Marshal(memory)
		})
		if err != nil {
			l.cfg.Log.Error("a bot has learned nothing", "bot", p.Name, "error", err)
		}
	}
}

// about is what the events of a match tell of one side.
func about(events []match.Event, side match.Side) infer.Game {
	var played infer.Game
	auto := false
	for _, e := range events {
		switch {
		case e.Kind == match.FleetPlaced && e.Side == side:
			played.Fleet = e.Layout()
		case e.Kind == match.ShotFired && e.Side == side:
			if auto = e.Auto; !auto { // the clock's shots tell nothing of its player
				played.Shots = append(played.Shots, e.Cell)
			}
		case e.Kind == match.ShotAnswered && e.Side == side && e.Result > match.Water:
			played.Struck.Add(e.Cell)
		}
	}
	return played
}
