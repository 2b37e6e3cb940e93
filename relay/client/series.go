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
	ctx context.Context, address string, rules match.Rules, series Directives,
	player func() (Player, error), ended func(Outcome),
) error {
	series.Rules, series.Games = rules.Name, max(1, series.Games)
	return connect(ctx, address, func(nc net.Conn) error {
		s := clientSeries{nc: nc, rules: rules, asked: series, player: player, ended: ended}
		return s.run()
	})
}

// clientSeries is the state of a series in a client.
type clientSeries struct {
	nc     net.Conn
	rules  match.Rules
	asked  Directives
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
	if err := s.send(strings.Join(s.asked.Lines(), "\n") + "\n"); err != nil {
		return err
	}
	err := readMessages(NewLines(s.nc), s.handleDirective, s.handle)
	if errors.Is(err, ErrBroken) {
		return errors.Join(err, s.said)
	}
	return err
}

// handleDirective handles a directive from the server. It reports whether the series is done.
func (s *clientSeries) handleDirective(d Directive) (done bool, err error) {
	switch d.Verb {
	case "error":
		if len(d.Args) > 0 && (d.Args[0] == "ignored" || d.Args[0] == "unrated") {
			return false, nil // a shot sent before the client knew that the game had ended; or only casual matches are possible
		}
		s.said = fmt.Errorf("%w: %s", errRelay, strings.Join(d.Args, " "))
		late := len(d.Args) > 0 && d.Args[0] == "late"
		if late || s.game == nil && s.played == 0 {
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
		if s.played < s.asked.Games && out.Reason != "sunk" { // later messages belong to the next game
			return false, s.send("% ready\n")
		}
	case "end":
		cupOver := len(d.Args) > 0 && d.Args[0] == "over"
		if s.played < s.asked.Games && !cupOver {
			return true, errors.Join(fmt.Errorf("the series ended after %d of %d games", s.played, s.asked.Games), s.said)
		}
		return true, nil
	}
	return false, nil
}

func (s *clientSeries) handle(m Message) (done bool, err error) {
	if s.game == nil {
		p, err := s.player()
		if err != nil {
			return false, err
		}
		if s.game, err = newClientGame(s.rules, p, s.asked.Layout != ""); err != nil {
			return false, err
		}
		s.game.w = s.nc
	}
	if _, err = s.game.handle(m); err != nil { // the server announces the end
		return false, err
	}
	s.first = s.game.out.First
	return false, nil
}

func (s *clientSeries) send(lines string) error {
	if _, err := s.nc.Write([]byte(lines)); err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return nil
}
