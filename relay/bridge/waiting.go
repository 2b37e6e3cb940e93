package bridge

import (
	"fmt"
	"strings"
	"time"
)

// FirstNotice is how long a program waits for its first opponent before its author learns of it. NextNotice is
// the same for later opponents.
const FirstNotice, NextNotice = 2 * time.Second, time.Minute

// WaitingText returns a text about whom a program waits for, and how it gets an opponent. versus is the
// argument of the vs directive, or empty.
func WaitingText(versus string, ladder bool) string {
	kind, name, _ := strings.Cut(versus, " ")
	if ladder {
		return "waiting for the ladder to choose an opponent: another program must be on the ladder"
	}
	switch kind {
	case "bot":
		return fmt.Sprintf("waiting for the bot %s", name)
	case "player":
		return fmt.Sprintf(`waiting for %s, who must be connected and accept: to play immediately, use --vs "bot easy"`, name)
	case "room":
		return fmt.Sprintf("waiting for the other player of private match %s, who must be connected and place a fleet", name)
	case "tournament", "cup":
		return fmt.Sprintf("waiting for the next match of tournament %s: its owner starts it, and each round starts by itself", name)
	}
	return `waiting for an opponent: another player or program must connect and accept any opponent. To play immediately, use --vs "bot easy"`
}
