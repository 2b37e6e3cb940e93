package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"broadside/match"
)

// Invitation describes the series that a client asks for.
type Invitation struct {
	Address string      // of the relay
	Rules   match.Rules // to be played; a preset
	Name    string      // name shown to others; empty: the relay chooses
	Token   string      // of a registered program; empty: none
	Versus  string      // the opponent, as in "bot hard" or "player ann"; empty: any
	Ladder  bool        // the ladder chooses the opponents
	Games   int         // 0: one
	// Uniform means that the server draws the fleets and answers for them, which makes a registered
	// program eligible for rated play. The rules must have one shot a turn, because the client does not
	// learn how many ships it has left.
	Uniform bool
}

// directives returns the invitation as lines.
func (i Invitation) directives() string {
	d := Directives{
		Name: i.Name, Token: i.Token, Rules: i.Rules.Name, Games: max(1, i.Games), Versus: i.Versus, Ladder: i.Ladder,
	}
	if i.Uniform {
		d.Layout = "uniform"
	}
	return strings.Join(d.Lines(), "\n") + "\n"
}

// PlaySeries connects once to a Broadside server and plays a series of games. It calls
// player for each game and ended after it, from the calling goroutine. It returns nil when
// all games have been played or the cup is over; otherwise the error contains the server's
// message.
func PlaySeries(ctx context.Context, inv Invitation, player func() (Player, error), ended func(Outcome)) error {
	return connect(ctx, inv.Address, func(nc net.Conn) error {
		s := clientSeries{nc: nc, inv: inv, player: player, ended: ended}
		return s.run()
	})
}

// clientSeries is the state of a series in a client.
type clientSeries struct {
	nc     net.Conn
	inv    Invitation
	player func() (Player, error)
	ended  func(Outcome)
	game   *clientGame // nil between games
	played int
	first  bool  // of the game played last
	said   error // the server's error message
}

// errRelay wraps the server's error messages.
var errRelay = errors.New("the relay says")

func (s *clientSeries) run() error {
	if err := s.send(s.inv.directives()); err != nil {
		return err
	}
	lines := Lines{r: s.nc}
	for {
		line, err := lines.Next()
		if err != nil {
			return errors.Join(fmt.Errorf("%w: %w", ErrBroken, err), s.said)
		}
		if line[0] == '%' {
			if done, err := s.handleDirective(ParseDirective(line)); done || err != nil {
				return err
			}
			continue
		}
		m, err := Parse(line)
		if err != nil {
			return fmt.Errorf("the relay sent %.40q: %w", line, err)
		}
		if err := s.handle(m); err != nil {
			return err
		}
	}
}

// handleDirective handles a directive from the server. It reports whether the series is done.
func (s *clientSeries) handleDirective(d Directive) (done bool, err error) {
	switch d.Verb {
	case "error":
		if len(d.Args) > 0 && (d.Args[0] == "ignored" || d.Args[0] == "unrated") {
			return false, nil // a shot sent before the client knew that the game had ended; or only casual matches are possible
		}
		s.said = fmt.Errorf("%w: %s", errRelay, strings.Join(d.Args, " "))
		if late := len(d.Args) > 0 && d.Args[0] == "late"; late || s.game == nil && s.played == 0 {
			return true, s.said // a directive was refused, so the series would differ from the requested one
		}
	case "result":
		if len(d.Args) < 2 {
			return true, fmt.Errorf("the relay sent a result of %q", d.Args)
		}
		out := Outcome{Won: d.Args[0] == "won", First: s.first, Reason: d.Args[1]}
		for _, arg := range d.Args[2:] {
			fmt.Sscanf(arg, "shots=%d", &out.Shots)
		}
		s.game = nil
		s.played++
		s.ended(out)
		if s.played < s.inv.Games && out.Reason != "sunk" { // later messages belong to the next game
			return false, s.send("% ready\n")
		}
	case "end":
		cupOver := len(d.Args) > 0 && d.Args[0] == "over"
		if s.played < s.inv.Games && !cupOver {
			return true, errors.Join(fmt.Errorf("the series ended after %d of %d games", s.played, s.inv.Games), s.said)
		}
		return true, nil
	}
	return false, nil
}

func (s *clientSeries) handle(m Message) (err error) {
	if s.game == nil {
		if s.game, err = s.newGame(); err != nil {
			return err
		}
	}
	if _, err = s.game.handle(m); err != nil { // the server announces the end
		return err
	}
	s.first = s.game.out.First
	return nil
}

func (s *clientSeries) newGame() (*clientGame, error) {
	p, err := s.player()
	if err != nil {
		return nil, err
	}
	if s.inv.Uniform {
		return newClientGame(s.nc, s.inv.Rules, p, nil), nil
	}
	layout := p.Place()
	if err := s.inv.Rules.Check(layout); err != nil {
		return nil, fmt.Errorf("the player's layout is illegal: %w", err)
	}
	return newClientGame(s.nc, s.inv.Rules, p, match.NewFleet(layout)), nil
}

func (s *clientSeries) send(lines string) error {
	if _, err := s.nc.Write([]byte(lines)); err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return nil
}
