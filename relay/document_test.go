package relay_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/match"
	"broadside/match/audit"
	"broadside/relay"
)

// page is the document for authors of clients.
func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var passed = regexp.MustCompile(`(server|[AB]) → ([AB]) +(\(\S+\)\.)`)

// TestDocumentedGame plays the game shown in the document, line by line.
func TestDocumentedGame(t *testing.T) {
	t.Parallel()
	address, l := serve(t, relay.Config{HelloDelay: time.Millisecond}, lobby.Config{Audit: audit.Forfeit})
	clients := map[string]*testClient{"A": dial(t, address)}
	waiting(t, l, 1)
	clients["B"] = dial(t, address)
	all := passed.FindAllStringSubmatch(page(t), -1)
	if len(all) < 60 {
		t.Fatalf("the page shows a game of %d lines", len(all))
	}
	for _, m := range all {
		if from := clients[m[1]]; from != nil {
			from.say(m[3])
		}
		clients[m[2]].hear(m[3] + "\n")
	}
	clients["A"].end()
	clients["B"].end()
}

// TestDocumentedCodes checks that the document has every error code.
func TestDocumentedCodes(t *testing.T) {
	text := page(t)
	codes := []string{"unknown", "late", "hello", "rules", "vs", "layout", "games", "name", "token", "refused", "ignored", "unrated"}
	for r := match.Contradiction; r.Breach(); r++ {
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
		t.Errorf("only these codes are found: %v", written)
	}
	for code := range written {
		if !regexp.MustCompile("(?m)^\\|[^|]*`" + code + "`").MatchString(text) {
			t.Errorf("the code %s is written, but on no line of a table", code)
		}
	}
}
