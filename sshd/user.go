package sshd

import (
	"net/netip"
	"strings"

	"broadside/internal/i18n"
)

// Visitor is who has come, and the terminal they have. All text is clean.
type Visitor struct {
	Name          string        // what they call themselves; never empty, at most 16 characters
	Fingerprint   string        // of the key they have proved to own, "SHA256:…"; empty for guests
	Width, Height int           // of the terminal when they came, in cells; within 300×100
	Term          string        // type of the terminal, as in TERM
	Env           []string      // what else of their environment concerns a screen: colours and language
	Command       []string      // the words of the [Command] they came with, its name first; nil without one
	Addr          netip.Addr    // of their connection; zero if that is no IP address
	Conn          int           // the number of their connection, as in the log
	Language      i18n.Language // in which they are spoken to, unless they have chosen another since
}

// What is kept of a client's strings about its terminal.
const maxTerm, maxEnvValue = 64, 64

// keep keeps the characters of s that are letters, digits or among others, and
// at most n of them.
func keep(s, others string, n int) string {
	var b []byte
	for i := 0; i < len(s) && len(b) < n; i++ {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(others, c) >= 0 {
			b = append(b, c)
		}
	}
	return string(b)
}

// cleanTerm keeps the characters that names of terminals have.
func cleanTerm(term string) string { return keep(term, "-.+_", maxTerm) }

// environment is what of a client's environment concerns its screen.
func environment(client []string) []string {
	var env []string
	for _, kv := range client {
		name, value, _ := strings.Cut(kv, "=")
		switch name {
		case "COLORTERM", "NO_COLOR", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES":
			env = append(env, name+"="+keep(value, "-._@:", maxEnvValue))
		case "COLORFGBG":
			env = append(env, name+"="+keep(value, ";", maxEnvValue))
		}
	}
	return env
}
