package arena

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"broadside/bots"
	"broadside/match"
	"broadside/match/audit"
	"broadside/tui/board"
	"broadside/tui/text"
)

// Exhibition configures a game between two bots that is shown live.
type Exhibition struct {
	Rules match.Rules
	// Players has the two bots. The second one fires first.
	Players [2]string
	// Placement is as in [bots.Config].
	Placement string
	// Movers has one of [bots.Movers] for each player.
	Movers   [2]string
	Seed     uint64
	ReadFile func(name string) ([]byte, error)
}

// Run plays the game. It calls onTurn, which may be nil, at the start and after each turn.
// It returns the game and the time that each side took to choose its moves and shots. If
// ctx ends or onTurn returns an error, Run ends early and returns that error.
func (e Exhibition) Run(ctx context.Context, onTurn func(*match.Game) error) (g *match.Game, thinkingTime [2]time.Duration, err error) {
	g = match.NewGame(e.Rules, audit.Off)
	var players [2]player
	for side, name := range e.Players {
		rng := rand.New(rand.NewPCG(e.Seed, uint64(side)))
		b, err := bots.New(name, bots.Config{Rules: e.Rules, Rand: rng, Placement: e.Placement, Mover: e.Movers[side], ReadFile: e.ReadFile})
		if err != nil {
			return nil, thinkingTime, err
		}
		players[side] = &botPlayer{bot: b, layout: b.Place()}
	}
	o, err := playGame(ctx, g, players, true, func() error {
		if onTurn == nil {
			return nil
		}
		return onTurn(g)
	})
	if err == nil && o.isForfeit() {
		err = fmt.Errorf("%s: %s", e.Players[o.winner.Other()], o.note)
	}
	return g, o.thinkingTime, err
}

// DrawBoards draws both boards of a game side by side, below a description of the last event.
// Lines may contain terminal styles.
func DrawBoards(v *match.View, players [2]string) []string {
	whole := board.WholeWindow(v.Rules.Size)
	wide, _ := board.Small.OuterSize(whole.Columns, whole.Rows)
	const gap = 4
	lines := []string{describeLastEvent(v, players), "", fmt.Sprintf("%-*s%s", wide+gap, players[0], players[1])}
	left, right := board.NewFleetWithLastShots(v, match.First).Draw(board.Small, whole), board.NewFleetWithLastShots(v, match.Second).Draw(board.Small, whole)
	return append(lines, text.JoinColumns(gap, left, right)...)
}

// describeLastEvent describes the game's last event, with its round.
func describeLastEvent(v *match.View, players [2]string) string {
	switch {
	case v.Phase == match.Over && v.Winner == match.Nobody:
		return fmt.Sprintf("Round %d: no one won", v.RoundCount())
	case v.Phase == match.Over:
		return fmt.Sprintf("Round %d: %s won", v.RoundCount(), players[v.Winner])
	case v.RoundCount() == 0:
		return fmt.Sprintf("The start: %s fires first", players[match.Second])
	}
	attacker := v.Turn.Other()
	shots := make([]string, len(v.Last[attacker]))
	for i, shot := range v.Last[attacker] {
		shots[i] = fmt.Sprintf("%v: %v", shot.Cell, shot.Result)
	}
	return fmt.Sprintf("Round %d: %s fired at %s", v.RoundCount(), players[attacker], strings.Join(shots, ", "))
}
