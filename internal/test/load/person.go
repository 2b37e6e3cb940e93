package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"broadside/internal/test/users"
)

// Texts on the screens that simulated users wait for.
const (
	placing   = "Place your fleet"
	myTurn    = "YOUR TURN"
	theirTurn = "is aiming."
	hasEnded  = "What next"
)

// role is the behaviour of a simulated user.
type role uint8

const (
	idles role = iota
	playsBot
	playsPerson
	watches
)

func (r role) command(bot string) string {
	switch r {
	case playsBot:
		return "play --vs " + bot
	case playsPerson:
		return "play"
	case watches:
		return "watch"
	}
	return ""
}

// person is one simulated user. It belongs to one goroutine.
type person struct {
	number     int
	plan       *plan
	figures    *figures
	connecting chan struct{}
	rng        *rand.Rand
}

func (p *person) role() role {
	switch {
	case p.number < p.plan.playing/2:
		return playsPerson
	case p.number < p.plan.playing:
		return playsBot
	case p.number < p.plan.playing+p.plan.watching:
		return watches
	}
	return idles
}

// live connects, plays its role and reconnects until ctx ends. It calls came once, after
// the first attempt to connect.
func (p *person) live(ctx context.Context, came func()) {
	p.rng = rand.New(rand.NewPCG(p.plan.seed, uint64(p.number)))
	for first := true; ctx.Err() == nil; first = false {
		s, err := p.enter(ctx)
		if first {
			came()
		}
		if err != nil {
			p.figures.failed(ctx, "getting in", err)
			p.pause(ctx, time.Second)
			continue
		}
		switch p.role() {
		case playsBot, playsPerson:
			if err := p.play(ctx, s); err != nil {
				p.figures.failed(ctx, "playing", err)
			}
		case watches:
			began := time.Now()
			for ctx.Err() == nil && !s.Over() {
				p.think(ctx)
			}
			p.figures.recordBytes(s.Got(), time.Since(began))
			if s.Over() {
				p.figures.failed(ctx, "watching", errEnded)
			}
		default:
			if err := p.stroll(ctx, s); err != nil {
				p.figures.failed(ctx, "being in the lobby", err)
			}
		}
		s.Close()
	}
}

// enter connects as soon as there is room for another simultaneous attempt.
func (p *person) enter(ctx context.Context) (*users.Session, error) {
	select {
	case p.connecting <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-p.connecting }()
	r := p.role()
	s, err := users.Dial(ctx, users.Options{Address: p.plan.server, Command: r.command(p.plan.bot), Looks: r == playsBot || r == playsPerson})
	if err == nil {
		p.figures.connected(s.Connect())
	}
	return s, err
}

var errEnded = errors.New("the server has ended the session")

// stroll repeatedly opens and closes the help in the lobby. Both keys change the screen.
func (p *person) stroll(ctx context.Context, s *users.Session) error {
	for ctx.Err() == nil {
		p.pause(ctx, time.Duration((0.5+p.rng.Float64())*float64(p.plan.stroll)))
		if s.Over() {
			return errEnded
		}
		took, bytes, err := s.Press(ctx, "?")
		if err != nil {
			return err
		}
		p.figures.walked(took, bytes)
	}
	return nil
}

// play plays a match to the end.
func (p *person) play(ctx context.Context, s *users.Session) error {
	ready := s.Wait(ctx, func() bool { return s.Sees(placing) })
	for !ready && p.role() == playsPerson && ctx.Err() == nil && !s.Over() { // no opponent yet
		ready = s.Wait(ctx, func() bool { return s.Sees(placing) })
	}
	if !ready {
		return fmt.Errorf("there is nothing to place: %.200q", s.Text())
	}
	if err := p.place(ctx, s); err != nil {
		return err
	}
	// The cursor is shown only during a battle.
	if !s.Wait(ctx, func() bool { return s.Sees(myTurn) || s.Sees(theirTurn) || s.Sees(hasEnded) }) && ctx.Err() == nil && !s.Over() {
		return fmt.Errorf("the battle does not begin: %.200q", s.Text())
	}
	return p.battle(ctx, s)
}

// place places the fleet at random and starts.
func (p *person) place(ctx context.Context, s *users.Session) error {
	for _, key := range []string{"x", "\r"} {
		took, bytes, err := s.Press(ctx, key)
		if err != nil {
			return err
		}
		p.figures.placed(took, bytes)
		p.think(ctx)
	}
	return nil
}

// battle moves the cursor, and fires when it is the person's turn, until the match is over.
func (p *person) battle(ctx context.Context, s *users.Session) error {
	before, fired := s.Got(), 0
	defer func() { p.figures.played(s.Got()-before, fired) }()
	cells := p.rng.Perm(100)
	at := point{4, 4} // initial position of the cursor
	for ctx.Err() == nil && !s.Over() {
		if s.Shows(hasEnded) {
			p.figures.finished(p.role())
			return nil
		}
		p.think(ctx)
		next, key := at.step(p.rng)
		took, bytes, err := s.Press(ctx, key)
		if err != nil {
			if ctx.Err() != nil || s.Over() {
				break
			}
			return err
		}
		at = next
		p.figures.moved(took, bytes)
		if len(cells) == 0 || !s.Shows(myTurn) {
			continue
		}
		p.think(ctx)
		at = point{cells[0] % 10, cells[0] / 10}
		if _, _, err := s.Press(ctx, fmt.Sprintf("%c%d", 'a'+at.y, at.x+1)); err != nil {
			return err
		}
		p.think(ctx)
		if !s.Shows(myTurn) {
			continue
		}
		cells = cells[1:]
		fired++
		if took, bytes, err = s.Press(ctx, "\r"); err != nil {
			return err
		}
		p.figures.fired(took, bytes)
	}
	if ctx.Err() == nil {
		return fmt.Errorf("the server has ended the session in the middle of a match")
	}
	return nil
}

// point is the position of a cursor on a board of 10×10.
type point struct{ x, y int }

// step is a move of the cursor within the board, and its key.
func (p point) step(rng *rand.Rand) (point, string) {
	for {
		way := rng.IntN(4)
		next := point{p.x + [4]int{0, 0, 1, -1}[way], p.y + [4]int{-1, 1, 0, 0}[way]}
		if next.x >= 0 && next.x < 10 && next.y >= 0 && next.y < 10 {
			return next, "\x1b[" + string("ABCD"[way])
		}
	}
}

// think waits as long as a person does between two keys.
func (p *person) think(ctx context.Context) {
	p.pause(ctx, time.Duration((0.5+p.rng.Float64())*float64(p.plan.think)))
}

func (p *person) pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
