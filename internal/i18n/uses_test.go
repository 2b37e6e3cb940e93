package i18n_test

import (
	"go/types"
	"regexp"
	"slices"
	"testing"

	"broadside/internal/i18n"
)

// letters is what makes a text one that has to be translated.
var letters = regexp.MustCompile(`[A-Za-z]{2}`)

// TestEveryTextIsThere reads the whole program.
func TestEveryTextIsThere(t *testing.T) {
	fset, all := program(t)
	texts, calls, wrong := used(fset, all)
	for _, w := range wrong {
		t.Error(w)
	}
	for text, at := range texts {
		if !i18n.Has(text) && letters.MatchString(withoutVerbs.ReplaceAllString(text, "")) {
			t.Errorf("%v: %q has no German: see german_*.go", at, text)
		}
	}
	for _, key := range i18n.Keys() {
		if _, ok := texts[key]; !ok {
			t.Errorf("%q is in the catalogs, and nobody says it", key)
		}
	}
	for _, c := range calls {
		verbs := i18n.Verbs(c.text)
		if c.more {
			continue
		}
		if len(verbs) != len(c.args) {
			t.Errorf("%v: %q takes %d arguments and gets %d", c.at, c.text, len(verbs), len(c.args))
			continue
		}
		for i, a := range c.args {
			whole := false
			if b, ok := a.Underlying().(*types.Basic); ok {
				whole = b.Info()&types.IsInteger != 0
			}
			if v := verbs[i+1]; v == "d" != whole && v != "s" && v != "v" && v != "q" && v != "c" {
				t.Errorf("%v: argument %d of %q is %v", c.at, i+1, c.text, a)
			}
		}
	}
}

var withoutVerbs = regexp.MustCompile(`%[-+ #0-9.\[\]]*[a-z]`)

// doors are the packages that talk with people.
var doors = []string{"broadside/tui", "broadside/tui/component", "broadside/tui/screen", "broadside/tui/play", "broadside/tui/replay", "broadside/tui/lines", "broadside/sshd", "broadside/sshd/command"}

// plainly are the strings of those packages that are the same in every
// language, or are no words.
var plainly = []string{
	`command/relay.go: "vs room %s"`,
	`lines/chats.go: "for good"`,
	`sshd/help.go: "ssh HOST help [COMMAND]"`,
	`sshd/refuse.go: "SSH-2.0-Broadside"`,
	// Told by the client before the session has a language.
	`sshd/channel.go: "the server is shutting down"`,
	`sshd/channel.go: "too many sessions on this connection"`,
	`sshd/channel.go: "unsupported channel type"`,
	// For the log: what has failed, and why a connection is cut.
	`sshd/announce.go: "does not read"`,
	`sshd/connection.go: "client left"`,
	`sshd/connection.go: "no answer"`,
	`sshd/connection.go: "no login"`,
	`sshd/connection.go: "no session"`,
	`sshd/filter.go: "does not close its session"`,
	`sshd/flow.go: "opens too many channels"`,
	`sshd/flow.go: "sends data before it requests a session"`,
	`sshd/flow.go: "sends extended data"`,
	`sshd/flow.go: "sends more than its session reads"`,
	`sshd/loop.go: "Init"`,
	`sshd/loop.go: "Update"`,
	`sshd/loop.go: "View"`,
	`sshd/screen.go: "App"`,
	`sshd/screen.go: "Close"`,
	`sshd/program.go: "Farewell"`,
	`sshd/program.go: "Language"`,
	`sshd/session.go: "does not close its session"`,
	`sshd/output.go: "does not read"`,
	`screen/games.go: "   ssh HOST replay "`,
	`screen/waiting.go: "ssh -t HOST join "`,
	`tui/page.go: "Broadside"`,
}

// TestDoorsSayTexts finds English that people read and that is no text.
func TestDoorsSayTexts(t *testing.T) {
	fset, all := program(t)
	left := slices.Clone(plainly)
	for _, door := range doors {
		at := slices.IndexFunc(all, func(s source) bool { return s.path == door })
		if at < 0 {
			t.Fatalf("%s does not speak", door)
		}
		for _, l := range literals(fset, all[at]) {
			if !slices.Contains(plainly, l) {
				t.Errorf("%s is read by people and no text: have it said, or list it in plainly", l)
			}
			left = slices.DeleteFunc(left, func(p string) bool { return p == l })
		}
	}
	for _, l := range left {
		t.Errorf("%s is listed in plainly and not there", l)
	}
}
