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

	"broadside/internal/test/sshtest"
)

// run starts a client program. The returned function waits for its end and returns its
// output.
func run(t *testing.T, name string, args ...string) (wait func() string) {
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

// TestPrologClients pairs two clients in real SWI-Prolog, which read from the socket with
// read/1.
func TestPrologClients(t *testing.T) {
	t.Parallel()
	swipl := sshtest.NeedTool(t, "swipl")
	h := open(t, nil)
	host, port, err := net.SplitHostPort(h.relay)
	if err != nil {
		t.Fatal(err)
	}
	first := run(t, swipl, "test/e2e/testdata/client.pl", host, port)
	second := run(t, swipl, "test/e2e/testdata/client.pl", host, port)
	a, b := strings.TrimSpace(first()), strings.TrimSpace(second())
	if !(a == "won" && b == "lost" || a == "lost" && b == "won") {
		t.Errorf("one says %q, the other %q", a, b)
	}
}

// TestPrologClientAgainstPerson pairs the same client with a person.
func TestPrologClientAgainstPerson(t *testing.T) {
	t.Parallel()
	swipl := sshtest.NeedTool(t, "swipl")
	h := open(t, nil)
	host, port, err := net.SplitHostPort(h.relay)
	if err != nil {
		t.Fatal(err)
	}
	ann := h.come(t, "ann")
	ann.Press("p")
	ann.WaitText("You offered the match")
	client := run(t, swipl, "test/e2e/testdata/client.pl", host, port)
	place(ann)
	verdict := shootOut(ann)
	said := strings.TrimSpace(client())
	if strings.Contains(verdict, "YOU HAVE WON") != (said == "lost") {
		t.Errorf("the client says %q, the person sees\n%s", said, verdict)
	}
}

// TestPythonClientFromREADME runs the client that the README shows.
func TestPythonClientFromREADME(t *testing.T) {
	t.Parallel()
	python := sshtest.NeedTool(t, "python3")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```python\n(.*?)```").FindSubmatch(readme)
	if block == nil {
		t.Fatal("README shows no client in Python")
	}
	source := string(block[1])
	if lines := strings.Count(source, "\n"); lines > 10 {
		t.Errorf("the ten-line client has %d lines", lines)
	}
	h := open(t, nil)
	source = strings.Replace(source, `("localhost", 54321)`, pythonAddress(t, h.relay), 1)
	file := filepath.Join(t.TempDir(), "client.py")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	client := run(t, python, file)
	program := h.program(t)
	role, err := program.lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	program.hear("(5,[]).\n")
	if role == "(4,[]).\n" {
		program.say("(1,[9,9]).\n")
		program.hear("(2,[9,9,1]).\n")
	}
	program.play(fleet, "\n")
	client()
}

func pythonAddress(t *testing.T, address string) string {
	t.Helper()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	return `("` + host + `", ` + port + `)`
}
