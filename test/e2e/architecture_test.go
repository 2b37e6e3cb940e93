package e2e

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// floors are the packages of the house from the ground up, as
// docs/architecture.md draws them. A package knows those on floors below its
// own and none else.
var floors = [][]string{
	{"internal/i18n", "internal/sanitize", "internal/ratelimit", "internal/store/rating", "internal/store/replication", "internal/store/schema", "internal/term/look", "internal/proxy", "internal/owner", "internal/spelling"},
	{"match", "internal/term/console", "internal/term/frame", "tui/format", "internal/config", "internal/control", "internal/group"},
	{"match/audit", "match/layoutfile", "bots/infer", "internal/store/tail"},
	{"match/live", "tui/board"},
	{"bots", "bots/arena/stats", "internal/i18n/phrase", "internal/store"},
	{"lobby/code", "lobby/stakes"},
	{"lobby/account"},
	{"lobby/bot", "lobby/chat", "lobby/daily"},
	{"lobby", "internal/test/storetest", "internal/access"},
	{"internal/session"},
	{"tui/replay", "tui/component"},
	{"tui/screen", "tui/play"},
	{"tui", "relay", "internal/cluster"},
	{"bots/arena", "relay/check", "sshd", "internal/export", "tui/lines"},
	{"sshd/command", "examples/goclient", "internal/metrics"},
	{"internal/logging", "internal/server"},
	{"internal/cli"}, {"test/e2e"},
	{""}, // main
}

// TestImportsPointOneWay compares what packages import with the house's plan.
func TestImportsPointOneWay(t *testing.T) {
	t.Parallel()
	floor := map[string]int{}
	for i, packages := range floors {
		for _, p := range packages {
			floor[p] = i
		}
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...").Output()
	if err != nil {
		t.Fatalf("listing packages: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		words := slices.DeleteFunc(strings.Fields(line), func(w string) bool {
			return w != "broadside" && !strings.HasPrefix(w, "broadside/")
		})
		from := strings.TrimPrefix(strings.TrimPrefix(words[0], "broadside"), "/")
		_, placed := floor[from]
		if strings.HasPrefix(from, "internal/test/") && !placed || from == "examples" {
			continue
		}
		here, ok := floor[from]
		if !ok {
			t.Errorf("package %s is on no floor: put it where it belongs, here and in docs/architecture.md", from)
			continue
		}
		for _, to := range words[1:] {
			to = strings.TrimPrefix(to, "broadside/")
			if there, ok := floor[to]; ok && there >= here {
				t.Errorf("%s imports %s, which is not below it", from, to)
			}
		}
	}
}

// TestFrontendsUseSessions checks that screens, line mode, commands and the relay use
// the lobby only through sessions.
func TestFrontendsUseSessions(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{range .Imports}}{{.}} {{end}}`, "./tui", "./tui/component", "./tui/screen", "./tui/play", "./tui/lines", "./sshd/command", "./relay").Output()
	if err != nil {
		t.Fatalf("listing packages: %v", err)
	}
	for _, to := range strings.Fields(string(out)) {
		if to == "broadside/match/live" || to == "broadside/lobby" || to == "broadside/internal/store" || strings.HasPrefix(to, "broadside/lobby/") {
			t.Errorf("a frontend imports %s: it should use internal/session", to)
		}
	}
}
