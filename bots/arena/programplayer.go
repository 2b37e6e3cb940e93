package arena

import (
	"context"
	"time"

	"broadside/match"
	"broadside/relay/client"
	"broadside/relay/program"
)

// programPlayer is a program in one game. It is a [player].
type programPlayer struct {
	pool       *programPool
	program    *program.Program
	rules      match.Rules
	drawLayout func() match.Layout // returns a layout for a program that lets the arena place its fleet
	fault      *program.Fault      // why the program forfeits the game, or nil
	timeLeft   time.Duration       // the rest of its total time
	hasPlayed  bool                // it has sent a legal message
}

// enterGame starts the program, greets it and sends it its role.
func (e *programPlayer) enterGame(ctx context.Context, side match.Side) (layout match.Layout, err error) {
	if e.fault != nil {
		return nil, e.fault
	}
	if err = e.program.StartGame(ctx); err != nil {
		return nil, err
	}
	request, err := e.program.AwaitReady(program.Policy{Rules: e.rules})
	if err != nil {
		return nil, err
	}
	op := client.Defend
	if side == match.Second {
		op = client.Assault
	}
	if request.Uniform {
		layout = e.drawLayout()
	}
	return layout, e.program.Send(client.Message{Op: op})
}

// nextCommand waits for a shot or a result.
func (e *programPlayer) nextCommand(g *match.Game, side match.Side) (match.Command, error) {
	turn := g.Turn()
	if turn.IsPending() {
		m, err := e.receive(client.Result)
		return match.AnswerCommand(side, m.Cell, m.Result), err
	}
	m, err := e.receive(client.Attack)
	return match.FireCommand(side, m.Cell), err
}

// showEvents sends the start, the opponent's shots and the results of the program's own shots, in one piece.
func (e *programPlayer) showEvents(side match.Side, events []match.Event) error {
	var messages []client.Message
	for _, event := range events {
		switch {
		case event.Kind == match.BattleStarted:
			messages = append(messages, client.Message{Op: client.Start})
		case event.Kind == match.ShotFired && event.Side != side:
			messages = append(messages, client.Message{Op: client.Attack, Cell: event.Cell})
		case event.Kind == match.ShotAnswered && event.Side != side:
			messages = append(messages, client.Message{Op: client.Result, Cell: event.Cell, Result: event.Result})
		}
	}
	if len(messages) == 0 || e.fault != nil {
		return nil
	}
	return e.program.Send(messages...)
}
