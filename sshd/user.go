package sshd

import (
	"net/netip"
	"strings"

	"broadside/internal/i18n"
)

// User describes a session's user and their terminal. All text is safe to display.
type User struct {
	// Name is the login name. It is not empty and has at most 16 characters.
	Name string
	// Fingerprint is that of the verified key, such as "SHA256:…". It is empty for guests.
	Fingerprint string
	// Terminal is set if the session has a terminal.
	Terminal bool
	// Width and Height are the terminal's initial size in cells, at most 300×100.
	Width, Height int
	// Term is the terminal's type, as in TERM.
	Term string
	// Env has the environment variables that set colours and language.
	Env []string
	// Addr is zero if the client has no IP address.
	Addr netip.Addr
	// ServerAddr is the host and port that the connection reached.
	ServerAddr string
	// Conn is the connection's number, as in the server log.
	Conn int
	// HadScreen is set if an earlier session of the connection had a screen.
	HadScreen bool
	// Language is the language at the session's start. The user can choose another.
	Language i18n.Language
	// StartScreen is that of the session's [Command], or nil.
	StartScreen any
}

// setUser sets the session's user, with the language of their environment.
func (s *session) setUser() {
	login := s.conn.currentLogin()
	u := &s.user
	*u = User{
		Name: login.name, Fingerprint: login.fingerprint,
		Addr: s.conn.addr, ServerAddr: s.conn.LocalAddr().String(), Conn: s.conn.id,
		Env: relevantEnvironment(s.Environ()),
	}
	u.Term, u.Terminal = s.window.terminal()
	u.Width, u.Height = s.window.size()
	u.Language = i18n.ParseEnviron(u.Env)
}

// maxValue is the maximum length in bytes of a text that describes a terminal.
const maxValue = 64

// keepLettersAndDigits returns the letters and digits of s, and its characters that are in extra, at most maxValue of
// them.
func keepLettersAndDigits(s, extra string) string {
	var b []byte
	for i := 0; i < len(s) && len(b) < maxValue; i++ {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(extra, c) >= 0 {
			b = append(b, c)
		}
	}
	return string(b)
}

// cleanTerm removes characters that names of terminals do not have.
func cleanTerm(term string) string { return keepLettersAndDigits(term, "-.+_") }

// relevantEnvironment returns the variables that set colours and language.
func relevantEnvironment(client []string) []string {
	var env []string
	for _, kv := range client {
		name, value, _ := strings.Cut(kv, "=")
		switch name {
		case "COLORTERM", "NO_COLOR", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES":
			env = append(env, name+"="+keepLettersAndDigits(value, "-._@:"))
		case "COLORFGBG":
			env = append(env, name+"="+keepLettersAndDigits(value, ";"))
		}
	}
	return env
}
