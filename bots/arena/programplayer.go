package arena

import (
	"context"
	"errors"
	"os"
	"time"

	"broadside/match"
	"broadside/relay/client"
	"broadside/relay/program"
)

// programPlayer is a program in one game. It is a [player].
type programPlayer struct {
	pool    *programPool
	program *program.Program
	rules   match.Rules
	// drawLayout draws the fleet of a program that lets the arena place it.
	drawLayout func() match.Layout
	// fault is why the program forfeits the game, or nil.
	fault *program.Fault
	// timeLeft is what is left of the program's total time.
	timeLeft time.Duration
	// hasPlayed means that the program has sent a legal message.
	hasPlayed bool
}

// enterGame starts the program, carries out its directives and sends it its role.
func (p *programPlayer) enterGame(ctx context.Context, side match.Side) (layout match.Layout, err error) {
	if p.fault != nil {
		return nil, p.fault
	}
	if err = p.program.StartGame(ctx); err != nil {
		return nil, err
	}
	request, err := p.program.AwaitReady(program.Policy{Rules: p.rules})
	if err != nil {
		return nil, err
	}
	op := client.Defend
	if side == match.Second {
		op = client.Assault
	}
	if request.Uniform {
		layout = p.drawLayout()
	}
	return layout, p.program.Send(client.Message{Op: op})
}

// nextCommand waits for the program's next shot or result.
func (p *programPlayer) nextCommand(g *match.Game, side match.Side) (match.Command, error) {
	turn := g.Turn()
	if turn.IsPending() {
		m, err := p.receive(client.Result)
		return match.AnswerCommand(side, m.Cell, m.Result), err
	}
	m, err := p.receive(client.Attack)
	return match.FireCommand(side, m.Cell), err
}

// showEvents sends the start, the opponent's shots and the results of the program's own shots, in one piece.
func (p *programPlayer) showEvents(side match.Side, events []match.Event) error {
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
	if len(messages) == 0 || p.fault != nil {
		return nil
	}
	return p.program.Send(messages...)
}

// receive waits for the program's next message, which must have the given opcode. The program's
// clock runs meanwhile.
func (p *programPlayer) receive(op client.Op) (client.Message, error) {
	started, limit := time.Now(), p.pool.moveTime
	if p.pool.totalTime > 0 {
		limit = min(limit, p.timeLeft)
	}
	m, err := p.program.Expect(op, limit)
	p.timeLeft -= time.Since(started)
	switch {
	case err == nil:
		p.hasPlayed = true
		if op == client.Attack {
			p.timeLeft += p.pool.increment
		}
	case errors.Is(err, os.ErrDeadlineExceeded) && p.pool.totalTime > 0 && p.timeLeft <= 0:
		return m, &program.Fault{Kind: program.Hang, Reason: match.Silent, Err: errors.New("the program used up its total time")}
	}
	return m, err
}

func (p *programPlayer) fail(err error) *program.Fault {
	p.fault = p.program.Fail(err)
	return p.fault
}
