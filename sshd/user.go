package sshd

import (
	"net/netip"
	"strings"

	"broadside/internal/i18n"
)

// User describes a session's user and their terminal. All text is safe to display.
type User struct {
	Name          string        // login name, not empty, at most 16 characters
	Fingerprint   string        // the verified key's, such as "SHA256:…"; empty for guests
	Terminal      bool          // the session has a terminal
	Width, Height int           // initial size of the terminal in cells, at most 300×100
	Term          string        // type of the terminal, as in TERM
	Env           []string      // the environment variables that set colours and language
	Addr          netip.Addr    // the connection's; zero if it is not an IP address
	ServerAddr    string        // host and port that the connection reached
	Conn          int           // the connection's number, as in the server log
	HadScreen     bool          // an earlier session of the connection had a screen
	Language      i18n.Language // at the start of the session; the user can choose another
	StartScreen   any           // see [Command]; nil without one
}

// setUser sets the session's user, with the language of their environment.
func (s *session) setUser() {
	login := s.conn.currentLogin()
	u := &s.user
	*u = User{
		Name: login.name, Fingerprint: login.fingerprint, Addr: s.conn.addr, ServerAddr: s.conn.LocalAddr().String(), Conn: s.conn.id,
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
