package client

import (
	"context"
	"crypto/rand"
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
	Token   string      // of a registered program, which then commits to its fleets; empty: none
	Versus  string      // the opponent, as in "bot hard" or "player ann"; empty: any
	Ladder  bool        // the ladder chooses the opponents
	Games   int         // 0: one
}

// directives returns the invitation as lines, with the commitment to the first fleet if
// it is not empty.
func (i Invitation) directives(commitment string) string {
	var b strings.Builder
	hello := "hello " + Protocol
	if i.Name != "" {
		hello += " name=" + i.Name
	}
	fmt.Fprintf(&b, "%% %s\n%% rules %s\n%% games %d\n", hello, i.Rules.Name, max(1, i.Games))
	if i.Token != "" {
		fmt.Fprintf(&b, "%% token %s\n", i.Token)
	}
	if commitment != "" {
		fmt.Fprintf(&b, "%% commit %s\n", commitment)
	}
	if i.Ladder {
		b.WriteString("% ladder\n")
	}
	if i.Versus != "" {
		fmt.Fprintf(&b, "%% vs %s\n", i.Versus)
	}
	b.WriteString("% ready\n")
	return b.String()
}

// commits reports whether the client commits to its fleet before each game. A
// commitment to a fleet that moves would prove nothing.
func (i Invitation) commits() bool { return i.Token != "" && !i.Rules.Moving }

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
	next   *clientGame // the first game, before it begins
	played int
	first  bool  // of the game played last
	said   error // the server's error message
}

// errRelay wraps the server's error messages.
var errRelay = errors.New("the relay says")

func (s *clientSeries) run() error {
	commitment := ""
	if s.inv.commits() {
		var err error
		if s.next, err = s.newGame(); err != nil {
			return err
		}
		commitment = s.next.commitment()
	}
	if err := s.send(s.inv.directives(commitment)); err != nil {
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
	case "reveal":
		if s.game != nil && s.inv.commits() {
			return false, s.send(s.game.reveal())
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

func (s *clientSeries) handle(m Message) error {
	if s.game == nil {
		if err := s.startGame(); err != nil {
			return err
		}
	}
	if _, err := s.game.handle(m); err != nil { // the server announces the end
		return err
	}
	s.first = s.game.out.First
	return nil
}

// startGame starts a game and commits to its fleet, unless the invitation did.
func (s *clientSeries) startGame() (err error) {
	if s.game, s.next = s.next, nil; s.game != nil {
		return nil
	}
	if s.game, err = s.newGame(); err != nil || !s.inv.commits() {
		return err
	}
	return s.send("% commit " + s.game.commitment() + "\n")
}

func (s *clientSeries) newGame() (*clientGame, error) {
	p, err := s.player()
	if err != nil {
		return nil, err
	}
	layout := p.Place()
	if err := s.inv.Rules.Check(layout); err != nil {
		return nil, fmt.Errorf("the player's layout is illegal: %w", err)
	}
	g := newClientGame(s.nc, s.inv.Rules, p, layout)
	g.salt = rand.Text()
	return g, nil
}

func (s *clientSeries) send(lines string) error {
	if _, err := s.nc.Write([]byte(lines)); err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return nil
}

// commitment returns the commitment to the fleet of the game.
func (g *clientGame) commitment() string {
	return match.Commitment(match.Opening(g.salt, g.layout))
}

// reveal returns the directive that reveals the fleet.
func (g *clientGame) reveal() string {
	var ships []string
	for i, ship := range g.layout {
		ships = append(ships, fmt.Sprintf("%s %v %v", g.rules.Fleet[i].Name, ship.Stern, ship.Bow()))
	}
	return "% reveal " + g.salt + " " + strings.Join(ships, "; ") + "\n"
}
