package client

import (
	"errors"
	"fmt"
	"io"

	"broadside/match"
)

// PlayStream plays one game after another on a stream, such as standard input and output,
// with the base protocol only. It calls player for each game. It returns nil at the end of
// the stream. It is for programs that run under "broadside connect", which connects, asks for
// opponents and counts the games.
func PlayStream(in io.Reader, out io.Writer, rules match.Rules, player func() Player) error {
	var game *clientGame
	for lines := NewLines(in); ; {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if line[0] == '%' {
			continue
		}
		m, err := Parse(line)
		if err != nil {
			return fmt.Errorf("the server sent %.40q: %w", line, err)
		}
		if m.Op == Defend || m.Op == Assault {
			p := player()
			layout := p.Place()
			if err := rules.Check(layout); err != nil {
				return fmt.Errorf("the player's layout is illegal: %w", err)
			}
			game = newClientGame(out, rules, p, match.NewFleet(layout))
		}
		if game == nil {
			return fmt.Errorf("the server sent %v before a role", m)
		}
		if _, err := game.handle(m); err != nil {
			return err
		}
	}
}
