package e2e

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"broadside/internal/test/need"
)

// startCommandOutput starts a client program. The returned function waits until it ends and returns its
// output.
func startCommandOutput(t *testing.T, name string, args ...string) (wait func() string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() string {
		t.Helper()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out.String())
		}
		return out.String()
	}
}

// TestPrologClients checks that two clients in SWI-Prolog, which read from the socket with read/1, play a match.
func TestPrologClients(t *testing.T) {
	t.Parallel()
	swipl := need.Tool(t, "swipl")
	h := open(t, nil)
	host, port, err := net.SplitHostPort(h.relay)
	if err != nil {
		t.Fatal(err)
	}
	first := startCommandOutput(t, swipl, "test/e2e/testdata/client.pl", host, port)
	second := startCommandOutput(t, swipl, "test/e2e/testdata/client.pl", host, port)
	a, b := strings.TrimSpace(first()), strings.TrimSpace(second())
	if !(a == "won" && b == "lost" || a == "lost" && b == "won") {
		t.Errorf("one says %q, the other %q", a, b)
	}
}

// TestPrologClientAgainstPerson checks that such a client plays against a player at a terminal.
func TestPrologClientAgainstPerson(t *testing.T) {
	t.Parallel()
	swipl := need.Tool(t, "swipl")
	h := open(t, nil)
	host, port, err := net.SplitHostPort(h.relay)
	if err != nil {
		t.Fatal(err)
	}
	ann := h.enterLobby(t, "ann")
	ann.Press("p")
	ann.WaitText("You offered the match")
	client := startCommandOutput(t, swipl, "test/e2e/testdata/client.pl", host, port)
	place(ann)
	verdict := finishMatch(ann)
	said := strings.TrimSpace(client())
	want := "won"
	if strings.Contains(verdict, "YOU WON") {
		want = "lost"
	}
	if said != want {
		t.Errorf("the client says %q, want %q, the person sees\n%s", said, want, verdict)
	}
}

// TestPythonPlayerFromREADME checks the player that the README shows, and connects it.
func TestPythonPlayerFromREADME(t *testing.T) {
	t.Parallel()
	python := need.Tool(t, "python3")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```python\n(.*?)```").FindSubmatch(readme)
	if block == nil {
		t.Fatal("README shows no player in Python")
	}
	source := string(block[1])
	if lines := strings.Count(source, "\n"); lines > 10 {
		t.Errorf("the ten-line player has %d lines", lines)
	}
	file := filepath.Join(t.TempDir(), "player.py")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := runCLI(t.Context(), "check-client", "--stdio", "--move-timeout", "1m", "--", python, file); err != nil || !strings.Contains(out, " 0 with a warning, 0 failed.") {
		t.Errorf("%v: %s", err, out)
	}
	h := open(t, heed)
	if out, err := runCLI(t.Context(), "connect", h.relay, "--vs", "bot easy", "--games", "2", "--", python, file); err != nil || !strings.HasPrefix(out, "End of game. ") {
		t.Errorf("%v: %s", err, out)
	}
}

// nulPadding is a player that writes its whole buffer, with zero bytes after the line.
const nulPadding = `
import re, sys
def say(line):
    sys.stdout.buffer.write(line.encode().ljust(64, b"\0")); sys.stdout.flush()
n = 0
for line in sys.stdin:
    op, *cell = map(int, re.findall(r"\d+", line))
    if op in (3, 4): first = op == 4
    if op == 1: say("(2,[%d,%d,1]).\n" % tuple(cell))
    if op == 1 or op == 5 and first: say("(1,[%d,%d]).\n" % (n % 10, n // 10)); n += 1
`

// TestBytesThatAreNotText checks that check-client and connect quote the bytes that make a
// program's line wrong, and say once what is wrong with it.
func TestBytesThatAreNotText(t *testing.T) {
	t.Parallel()
	python := need.Tool(t, "python3")
	file := writeText(t, t.TempDir(), "padding.py", nulPadding)
	const said = "not a command: expected"
	out, err := runCLI(t.Context(), "check-client", "--stdio", "--move-timeout", "1m", "--", python, file)
	if err == nil {
		t.Error("the player passed")
	}
	for finding := range strings.SplitSeq(strings.TrimSpace(out), "FAIL ") {
		if finding != "" && (!strings.Contains(finding, `the program sent "\x00\x00`) || !strings.Contains(finding, `  < \x00\x00`) || strings.Count(finding, said) != 1) {
			t.Errorf("a finding of the check: %s", finding)
		}
	}
	h := open(t, heed)
	out, err = runCLI(t.Context(), "connect", h.relay, "--vs", "bot easy", "--", python, file)
	if err != nil || strings.Count(out, said) != 1 || !strings.Contains(out, `the program sent "\x00\x00`) {
		t.Errorf("connect: %v, %s", err, out)
	}
}

// writeText writes a text to a file and returns its name.
func writeText(t *testing.T, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
