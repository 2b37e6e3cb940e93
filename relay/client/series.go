package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	"broadside/match"
)

// PlaySeries connects once to a Broadside server and plays a series of games under rules, which must be a
// preset. It calls newPlayer before each game and onEnd after it, from the calling goroutine. It returns nil
// when all games were played or the tournament is over. Otherwise the error contains the server's message.
//
// If the series has a layout, the server holds the fleets. The rules must then have one shot a turn,
// because the client does not learn how many ships it has left.
//
// If a correspondence match continues, the new player must have the same fleet, unless the server holds it.
func PlaySeries(
	ctx context.Context, address string, rules match.Rules, directives Directives,
	newPlayer func() (Player, error), onEnd func(Outcome),
) error {
	directives.Rules, directives.Games = rules.Name, max(1, directives.Games)
	return dialAndPlay(ctx, address, func(nc net.Conn) error {
		s := series{nc: nc, rules: rules, directives: directives, newPlayer: newPlayer, onEnd: onEnd}
		return s.run()
	})
}

// series is a series of games on one connection.
type series struct {
	nc         net.Conn
	rules      match.Rules
	directives Directives
	newPlayer  func() (Player, error)
	onEnd      func(Outcome)
	// game is nil between games.
	game   *game
	played int
	// defendsFirst is the role in the last game.
	defendsFirst bool
	// serverError is the server's last error message, or nil.
	serverError error
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
	code := ""
	if len(d.Args) > 0 {
		code = d.Args[0]
	}
	switch d.Verb {
	case "seat":
		if s.game != nil && len(d.Args) > 1 {
			s.game.arrived, _ = strconv.Atoi(d.Args[1])
		}
	case "error":
		return s.handleError(code, strings.Join(d.Args, " "))
	case "result":
		return s.handleResult(d.Args)
	case "end":
		if s.played < s.directives.Games && code != "over" {
			return true, errors.Join(fmt.Errorf("the series ended after %d of %d games", s.played, s.directives.Games), s.serverError)
		}
		return true, nil
	}
	return false, nil
}

func (s *series) handleError(code, text string) (done bool, err error) {
	// The client may have sent a shot before it knew that the game had ended, or can play only casual
	// matches. Neither ends the series.
	if code == "ignored" || code == "unrated" {
		return false, nil
	}
	s.serverError = fmt.Errorf("%w: %s", errRelay, text)
	if code == "late" || s.game == nil && s.played == 0 {
		// A directive was refused, so the series would differ from the requested one.
		return true, s.serverError
	}
	return false, nil
}

func (s *series) handleResult(args []string) (done bool, err error) {
	if len(args) < 2 {
		return true, fmt.Errorf("the relay sent a result of %q", args)
	}
	out := Outcome{Won: args[0] == "won", First: s.defendsFirst, Reason: args[1]}
	for _, arg := range args[2:] {
		fmt.Sscanf(arg, "shots=%d", &out.Shots)
	}
	s.game = nil
	s.played++
	s.onEnd(out)
	if s.played < s.directives.Games && out.Reason != "sunk" {
		// Messages after ready belong to the next game.
		return false, s.send("% ready\n")
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
	// The server announces the end of the series.
	if _, err = s.game.handleMessage(m); err != nil {
		return false, err
	}
	s.defendsFirst = s.game.out.First
	return false, nil
}

func (s *series) send(lines string) error {
	if _, err := s.nc.Write([]byte(lines)); err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return nil
}
