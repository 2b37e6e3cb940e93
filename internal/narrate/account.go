package narrate

import (
	"cmp"
	"fmt"
	"net"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/ratingmode"
)

var accountKinds = map[store.Kind]i18n.Key{store.Person: "person", store.Program: "program", store.Bot: "bot"}

func AccountKindName(k store.Kind) i18n.Key { return accountKinds[k] }

// RatingWithDeviation formats a rating with its deviation at a time. A provisional rating has a question mark.
func RatingWithDeviation(s store.Standing, at time.Time) string {
	return fmt.Sprintf("%v ±%.0f", s, s.RatingAt(at).Deviation)
}

// AppendStakes appends "rated" or "casual" to an offer's terms, unless its player had no choice: a guest's offer is
// always casual.
func AppendStakes(l i18n.Language, terms string, s ratingmode.Mode) string {
	if s != ratingmode.Rated && s != ratingmode.Casual {
		return terms
	}
	return terms + ", " + l.Text(s.Word())
}

// botNames are the built-in bots whose names are words.
var botNames = map[string]i18n.Key{"easy": "easy", "medium": "medium", "hard": "hard"}

// BotName returns a bot's name in a language. Only some bots have translated names.
func BotName(l i18n.Language, name string) string {
	if key, ok := botNames[name]; ok {
		return l.Text(key)
	}
	return name
}

// ParseBotName returns the bot whose [BotName] is name. If there is none, it returns name in lower case.
func ParseBotName(l i18n.Language, name string) string {
	for bot, key := range botNames {
		if strings.EqualFold(l.Text(key), name) {
			return bot
		}
	}
	return strings.ToLower(name)
}

// InvitationCommand returns the shell command with which another player joins a private match on the server at an
// address, which is host, host:port or empty. If it is empty, the command says HOST.
func InvitationCommand(address, code string) string {
	return ConnectCommand(address) + " join " + code
}

// ConnectCommand returns the shell command that opens a session on the server at an address; see [InvitationCommand].
func ConnectCommand(address string) string {
	return "ssh -t " + sshDestination(cmp.Or(address, "HOST"))
}

// SSHCommand returns the shell command that connects to the server at an address, which is host or host:port.
func SSHCommand(address string) string { return "ssh " + sshDestination(address) }

// sshDestination returns the arguments of ssh for an address, which is host or host:port.
func sshDestination(address string) string {
	host, port, err := net.SplitHostPort(address)
	switch {
	case err != nil:
		// The address has no port.
		return address
	case port != "22":
		return "-p " + port + " " + host
	}
	return host
}
