package narrate

import (
	"broadside/internal/i18n"
	"broadside/match"
)

// ending says why a match ended. The loser is the side that lost, or that ended the match without a result.
type ending struct {
	// won is for the loser's opponent, and for the others if their message is zero.
	won i18n.Message
	// lost is for the loser, seen for spectators.
	lost, seen i18n.Message
	// word has at most eleven characters, for lists.
	word i18n.Key
}

// slot stands for an argument in an ending's message.
type slot int

const (
	loser slot = iota
	winner
	protocolBreach
)

var endings = map[match.Reason]ending{
	match.FleetSunk: {
		won:  i18n.NewMessage("You sank %s's entire fleet.", loser),
		lost: i18n.NewMessage("%s sank your last ship.", winner),
		seen: i18n.NewMessage("%s's last ship is sunk.", loser),
		word: "sunk",
	},
	match.Resigned: {
		won:  i18n.NewMessage("%s resigned.", loser),
		lost: i18n.NewMessage("You resigned."),
		word: "resigned",
	},
	match.Left:   leftEnding,
	match.Hangup: leftEnding,
	match.Silent: {
		won:  i18n.NewMessage("%s did not move in time.", loser),
		lost: i18n.NewMessage("You did not move in time."),
		word: "timed out",
	},
	match.Contradiction: {
		won:  i18n.NewMessage("%s's results contradicted each other.", loser),
		lost: i18n.NewMessage("Your results contradicted each other."),
		word: "disputed",
	},
	match.Closed: {
		won:  i18n.NewMessage("The server ended the match."),
		word: "closed",
	},
	match.Endless: {
		won:  i18n.NewMessage("The match took too long."),
		word: "too long",
	},
	match.Aborted: {
		won:  i18n.NewMessage("%s aborted the match before it counted.", loser),
		lost: i18n.NewMessage("You aborted the match before it counted."),
		word: "aborted",
	},
	match.Removed: {
		won:  i18n.NewMessage("The owner of the match removed you."),
		lost: i18n.NewMessage("You removed %s from your match.", winner),
		seen: i18n.NewMessage("%s removed %s from the match.", loser, winner),
		word: "removed",
	},
}

// leftEnding is for a loser who left.
var leftEnding = ending{
	won:  i18n.NewMessage("%s left and did not come back.", loser),
	lost: i18n.NewMessage("You were away too long."),
	seen: i18n.NewMessage("%s left.", loser),
	word: "left",
}

// protocolEnding is for a program that broke the protocol.
var protocolEnding = ending{
	won:  i18n.NewMessage("%s broke the protocol (%s).", loser, protocolBreach),
	lost: i18n.NewMessage("You broke the protocol."),
	word: "protocol",
}

func endingFor(r match.Reason) ending {
	if e, ok := endings[r]; ok {
		return e
	}
	return protocolEnding
}

// ReasonWord returns why a match ended, in a word of at most eleven characters for lists.
func ReasonWord(r match.Reason) i18n.Key { return endingFor(r).word }

// Verdict says who won a match that is over, or that no one did.
func (n *Narrator) Verdict(v *match.View) Line {
	var line Line
	switch {
	case v.Winner == match.Nobody:
		line = sentenceLine(NobodyWonText)
		line.Tone = Warning
	case v.Winner == n.Side:
		line = sentenceLine("You won.")
		line.Tone = Good
	case n.Side == match.Nobody:
		line = sentenceLine(WonText, n.Names[v.Winner])
		line.Tone = Good
	default:
		line = sentenceLine("You lost.")
		line.Tone = Bad
	}
	return line
}

// EndReason says why a match ended, in a sentence.
func (n *Narrator) EndReason(v *match.View) i18n.Message {
	lost := v.Winner.Other()
	if v.Winner == match.Nobody {
		lost = v.Aborter
	}
	e := endingFor(v.Reason)
	m := e.won
	if v.Reason == match.Endless && v.Ready == [2]bool{} {
		return i18n.NewMessage("No fleet was placed in time.")
	}
	if n.Side == match.Nobody && e.seen.Key != "" {
		m = e.seen
	} else if n.Side == lost && e.lost.Key != "" {
		m = e.lost
	}
	args := make([]any, len(m.Args))
	for i, arg := range m.Args {
		switch arg {
		case loser:
			args[i] = n.Names[lost]
		case winner:
			args[i] = n.Names[lost.Other()]
		default:
			args[i] = v.Reason.String()
		}
	}
	return i18n.NewMessage(m.Key, args...)
}

// VerdictAndReason says who won a match that is over, and why.
func (n *Narrator) VerdictAndReason(v *match.View) i18n.Message {
	return joinMessages(n.Verdict(v).Full, n.EndReason(v))
}
