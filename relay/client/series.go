package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"broadside/match"
)

// PlaySeries connects once to a Broadside server and plays a series of games under rules, which must be a
// preset. It calls player for each game and ended after it, from the calling goroutine. It returns nil when
// all games have been played or the cup is over; otherwise the error contains the server's message.
//
// If the series has a layout, the server holds the fleets. The rules must then have one shot a turn,
// because the client does not learn how many ships it has left.
func PlaySeries(
	ctx context.Context, address string, rules match.Rules, wanted Directives,
	player func() (Player, error), ended func(Outcome),
) error {
	wanted.Rules, wanted.Games = rules.Name, max(1, wanted.Games)
	return dialAndPlay(ctx, address, func(nc net.Conn) error {
		s := series{nc: nc, rules: rules, directives: wanted, newPlayer: player, onEnd: ended}
		return s.run()
	})
}

// series is the state of a series in a client.
type series struct {
	nc          net.Conn
	rules       match.Rules
	directives  Directives
	newPlayer   func() (Player, error)
	onEnd       func(Outcome)
	game        *game // nil between games
	played      int
	first       bool  // of the game played last
	serverError error // the server's error message
}

// errRelay wraps the server's error messages.
var errRelay = errors.New("the relay says")

func (s *series) run() error {
	if err := s.send(strings.Join(s.directives.Lines(), "\n") + "\n"); err != nil {
		return err
	}
	err := readMessages(NewLines(s.nc), s.handleDirective, s.handleMessage)
	if errors.Is(err, ErrBroken) {
		return errors.Join(err, s.serverError)
	}
	return err
}

// handleDirective handles a directive from the server. It reports whether the series is done.
func (s *series) handleDirective(d Directive) (done bool, err error) {
	switch d.Verb {
	case "error":
		if len(d.Args) > 0 && (d.Args[0] == "ignored" || d.Args[0] == "unrated") {
			return false, nil // a shot sent before the client knew that the game had ended; or only casual matches are possible
		}
		s.serverError = fmt.Errorf("%w: %s", errRelay, strings.Join(d.Args, " "))
		late := len(d.Args) > 0 && d.Args[0] == "late"
		if late || s.game == nil && s.played == 0 {
			return true, s.serverError // a directive was refused, so the series would differ from the requested one
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
		s.onEnd(out)
		if s.played < s.directives.Games && out.Reason != "sunk" { // later messages belong to the next game
			return false, s.send("% ready\n")
		}
	case "end":
		cupOver := len(d.Args) > 0 && d.Args[0] == "over"
		if s.played < s.directives.Games && !cupOver {
			return true, errors.Join(fmt.Errorf("the series ended after %d of %d games", s.played, s.directives.Games), s.serverError)
		}
		return true, nil
	}
	return false, nil
}

func (s *series) handleMessage(m Message) (done bool, err error) {
	if s.game == nil {
		p, err := s.newPlayer()
		if err != nil {
			return false, err
		}
		if s.game, err = newGame(s.rules, p, s.directives.Layout != ""); err != nil {
			return false, err
		}
		s.game.w = s.nc
	}
	if _, err = s.game.handleMessage(m); err != nil { // the server announces the end
		return false, err
	}
	s.first = s.game.out.First
	return false, nil
}

func (s *series) send(lines string) error {
	if _, err := s.nc.Write([]byte(lines)); err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return nil
}
