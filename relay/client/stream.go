package client

import (
	"errors"
	"fmt"
	"io"

	"broadside/match"
)

// PlayStream plays one game after another on a stream, such as standard input and output,
// with the base protocol only. It calls newPlayer before each game. It returns nil at the end of
// the stream. It is for programs that run under "broadside connect", which connects, asks for
// opponents and counts the games.
func PlayStream(in io.Reader, out io.Writer, rules match.Rules, newPlayer func() Player) error {
	var game *game
	message := func(m Message) (done bool, err error) {
		if m.Op == Defend || m.Op == Assault {
			if game, err = newGame(rules, newPlayer(), false); err != nil {
				return false, err
			}
			game.w = out
		}
		if game == nil {
			return false, fmt.Errorf("the relay sent %v before a role", m)
		}
		_, err = game.handleMessage(m)
		return false, err
	}
	err := readMessages(NewLines(in), func(Directive) (bool, error) { return false, nil }, message)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
