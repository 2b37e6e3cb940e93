package relay_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"broadside/lobby"
	"broadside/match"
	"broadside/match/audit"
	"broadside/relay"
)

func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// documentedLine matches a line of a documented game.
var documentedLine = regexp.MustCompile(`(server|[A-D]) → (server|[A-D]) +(\(\S+\)\.|%.*)`)

// TestDocumentedGames plays the games to which the protocol's page links, line by line.
func TestDocumentedGames(t *testing.T) {
	for _, name := range []string{"testdata/classic.txt", "testdata/salvo.txt"} {
		all := documentedLine.FindAllStringSubmatch(readPage(t, name), -1)
		if len(all) < 60 {
			t.Fatalf("%s shows a game of %d lines, want 60 or more", name, len(all))
		}
		runInBubble(t, relay.Config{}, lobby.Config{Audit: audit.Forfeit}, func(t *testing.T, r *internalRelay) {
			clients := map[string]*testClient{}
			// turn has the lines that are passed on together.
			var turn []string
			for i, m := range all {
				for _, who := range m[1:3] {
					if who != "server" && clients[who] == nil {
						clients[who] = r.dial(t, "")
					}
				}
				from, to := clients[m[1]], clients[m[2]]
				if from != nil {
					from.send(m[3])
				}
				if to == nil {
					continue
				}
				turn = append(turn, m[3])
				if next := all[min(i+1, len(all)-1)]; from != nil && i+1 < len(all) && next[1] == m[1] && next[3][1] == m[3][1] {
					continue
				}
				to.expect(strings.Join(turn, "\n") + "\n")
				turn = nil
			}
			for _, c := range clients {
				c.expectClosed()
			}
		})
	}
}

// TestDocumentHasEveryErrorCode checks that the document has every error code.
func TestDocumentHasEveryErrorCode(t *testing.T) {
	text := readPage(t, "../docs/protocol.md")
	codes := []string{"unknown", "late", "hello", "rules", "vs", "layout", "games", "name", "token", "refused", "ignored", "unrated"}
	for r := match.Contradiction; r.IsBreach(); r++ {
		codes = append(codes, r.String())
	}
	for _, code := range codes {
		if !regexp.MustCompile("(?m)^\\|[^|]*`" + code + "`").MatchString(text) {
			t.Errorf("the code %s is on no line of a table", code)
		}
	}
	for _, reason := range []match.Reason{match.FleetSunk, match.Resigned, match.Left, match.Closed} {
		if !strings.Contains(text, "`"+reason.String()+"`") {
			t.Errorf("the reason %v is not on the page", reason)
		}
	}
	// The document has every code that the server writes.
	written := map[string]bool{}
	for _, pattern := range []string{"*.go", "check/*.go", "../bots/arena/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`"(?:%% )?error ([a-z]+)`).FindAllStringSubmatch(string(source), -1) {
				written[m[1]] = true
			}
		}
	}
	if len(written) < 12 {
		t.Errorf("found only the codes %v", written)
	}
	for code := range written {
		if !regexp.MustCompile("(?m)^\\|[^|]*`" + code + "`").MatchString(text) {
			t.Errorf("the code %s is written, but on no line of a table", code)
		}
	}
}
