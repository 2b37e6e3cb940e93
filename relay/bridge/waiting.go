package bridge

import (
	"fmt"
	"strings"
	"time"
)

// A program's author is told after FirstNotice that the program waits for its first opponent, and after
// NextNotice that it waits for another one.
const FirstNotice, NextNotice = 2 * time.Second, time.Minute

// WaitingText says for whom a program waits, and how it gets an opponent. versus is the argument of the
// vs directive, or empty.
func WaitingText(versus string, ladder bool) string {
	kind, name, _ := strings.Cut(versus, " ")
	switch {
	case ladder:
		return "waiting for the ladder to choose an opponent: another program must be on the ladder"
	case kind == "bot":
		return fmt.Sprintf("waiting for the bot %s", name)
	case kind == "player":
		return fmt.Sprintf(`waiting for %s, who must be connected and accept: to play immediately, use --vs "bot easy"`, name)
	case kind == "room":
		return fmt.Sprintf("waiting for the other player of the private match %s, who must be connected and place a fleet", name)
	case kind == "cup":
		return fmt.Sprintf("waiting for the next match of the cup %s: its owner starts the cup, and each round starts by itself", name)
	}
	return `waiting for an opponent: another player or program must connect and accept any opponent; to play immediately, use --vs "bot easy"`
}
