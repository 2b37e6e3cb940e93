package i18n_test

import (
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"

	"broadside/internal/i18n"
)

// TestKeys checks the whole program: each text has a translation in each language, each translation is used,
// and the verbs of a text match its calls' arguments.
func TestKeys(t *testing.T) {
	fset, all := loadProgram(t)
	keys, calls, wrong := findKeys(fset, all)
	for _, w := range wrong {
		t.Error(w)
	}
	for language, translated := range i18n.Translations() {
		for key, at := range keys {
			if words.MatchString(verbs.ReplaceAllString(key, "")) && !translated[i18n.Key(key)] {
				t.Errorf("%v: %q has no translation in locales/%v.po", at, key, language)
			}
		}
		for key := range translated {
			if _, ok := keys[string(key)]; !ok {
				t.Errorf("%q is in locales/%v.po and not used", key, language)
			}
		}
	}
	compared := 0
	for _, c := range calls {
		verbs := i18n.Verbs(i18n.English.Text(i18n.Key(c.key)))
		if c.more {
			continue
		}
		if len(verbs) != len(c.args) {
			t.Errorf("%v: %q takes %d arguments and gets %d", c.at, c.key, len(verbs), len(c.args))
			continue
		}
		for i, a := range c.args {
			compared++
			whole := false
			if b, ok := a.Underlying().(*types.Basic); ok {
				whole = b.Info()&types.IsInteger != 0
			}
			if v := verbs[i+1]; v == "d" != whole && v != "s" && v != "v" && v != "q" && v != "c" {
				t.Errorf("%v: argument %d of %q is %v", c.at, i+1, c.key, a)
			}
		}
	}
	if compared < 500 {
		t.Errorf("only %d arguments were compared with their verbs", compared)
	}
}

var (
	words = regexp.MustCompile(`[A-Za-z]{2}`)
	verbs = regexp.MustCompile(`%[-+ #0-9.\[\]]*[a-z]`)
)

// frontends lists the packages with texts for people.
var frontends = []string{"broadside/tui", "broadside/tui/widget", "broadside/tui/screen", "broadside/tui/play", "broadside/tui/text", "broadside/tui/lines", "broadside/sshd", "broadside/sshd/command", "broadside/internal/narrate", "broadside/internal/view"}

// verbatim lists the strings in those packages that are the same in every language or
// contain no words.
var verbatim = []string{
	`command/relay.go: "vs room "`,
	`command/relay.go: "vs tournament "`,
	`command/help.go: "  ssh HOST help [COMMAND]\t%s\n"`,
	`sshd/refusal.go: "SSH-2.0-Broadside"`,
	// Shown by the client before the session has a language.
	`sshd/channel.go: "the server is shutting down"`,
	`sshd/channel.go: "too many sessions on this connection"`,
	`sshd/channel.go: "unsupported channel type"`,
	// For the log: the operation that failed, and the reason for closing a connection.
	`sshd/connection.go: "client left"`,
	`sshd/connection.go: "no reply to keep-alive requests"`,
	`sshd/connection.go: "no login"`,
	`sshd/connection.go: "no session"`,
	`sshd/filter.go: "does not close its session"`,
	`sshd/flow.go: "opens too many channels"`,
	`sshd/flow.go: "sends data before it requests a session"`,
	`sshd/flow.go: "sends extended data"`,
	`sshd/program.go: "Init"`,
	`sshd/program.go: "Update"`,
	`sshd/session.go: "does not close its session"`,
	`sshd/output.go: "does not read"`,
	`screen/history.go: "   ssh HOST replay "`,
	`narrate/share.go: "Broadside"`,
	`tui/page.go: "Broadside"`,
}

// isUsage reports whether a literal is in a list of commands. Their names and usages are the same in every
// language.
func isUsage(literal string) bool {
	return strings.HasPrefix(literal, "command/list.go: ") || strings.HasPrefix(literal, "lines/commands.go: ")
}

// TestFrontendsHaveNoTexts checks that no English text for people lacks a key.
func TestFrontendsHaveNoTexts(t *testing.T) {
	fset, all := loadProgram(t)
	left := slices.Clone(verbatim)
	for _, path := range frontends {
		at := slices.IndexFunc(all, func(s source) bool { return s.path == path })
		if at < 0 {
			t.Fatalf("%s has no texts", path)
		}
		for _, l := range listLiterals(fset, all[at]) {
			if !slices.Contains(verbatim, l) && !isUsage(l) {
				t.Errorf("%s is read by people and has no key: give it one, or list it in verbatim", l)
			}
			left = slices.DeleteFunc(left, func(p string) bool { return p == l })
		}
	}
	for _, l := range left {
		t.Errorf("%s is listed in verbatim and not there", l)
	}
}
