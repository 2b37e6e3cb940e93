//go:build unix

package program_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"broadside/internal/test/leaks"
	"broadside/relay/program"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// patience ends a test that hangs. It is much longer than any step takes.
const patience = time.Minute

func newScript(t *testing.T, text string) *program.Program {
	t.Helper()
	return newProgram(t, "sh", "-c", text)
}

func newProgram(t *testing.T, words ...string) *program.Program {
	t.Helper()
	p := program.New(program.Config{Words: words, Dir: "/", Env: []string{"WORD=echoed"}, Stdio: true})
	t.Cleanup(p.Close)
	return p
}

func startGame(t *testing.T, p *program.Program) {
	t.Helper()
	if err := p.StartGame(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// exchangeLine sends a line and returns the answer.
func exchangeLine(t *testing.T, p *program.Program, line string) string {
	t.Helper()
	if err := p.SendLine(line); err != nil {
		t.Fatal(err)
	}
	answer, err := p.ReadLine(patience)
	if err != nil {
		t.Fatalf("after %q: %v", line, err)
	}
	return answer
}

// TestOneProcessForAllGames checks that a program that keeps running plays all games, until it is stopped.
func TestOneProcessForAllGames(t *testing.T) {
	t.Parallel()
	p := newScript(t, `n=0; while read line; do n=$((n+1)); echo $WORD $line $n $PWD; done`)
	for _, want := range []string{"echoed a 1 /", "echoed a 2 /"} {
		startGame(t, p)
		if got := exchangeLine(t, p, "a"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		p.FinishGame(true)
	}
	p.Stop()
	startGame(t, p)
	if got := exchangeLine(t, p, "a"); got != "echoed a 1 /" {
		t.Errorf("got %q after a restart, want n = 1", got)
	}
}

// TestProcessForEachGame checks that a program that ends after a game is restarted, even if it ends only
// when the next game has started.
func TestProcessForEachGame(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"early": `read line; echo $line; read line; echo $line`,
		"late":  `read line; echo $line; read line; echo $line; read line`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newScript(t, text)
			for range 5 {
				startGame(t, p)
				for _, line := range []string{"one", "two"} {
					if got := exchangeLine(t, p, line); got != line {
						t.Errorf("got %q, want %q", got, line)
					}
				}
			}
		})
	}
}

func TestFaultKinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		kind       program.Kind
		want       string
	}{
		{"crash", `read line; echo first >&2; echo why >&2; exit 3`, program.Crash, "crash: the program ended during the game: exit status 3: why"},
		{"crash in the second game", `read line; echo ok; read line; echo ok; echo why >&2; exit 3`, program.Crash, "exit status 3: why"},
		{"hang", `read line; while :; do sleep 1000; done`, program.Hang, "hang: the program did not respond in time"},
		{"garbage", `read line; echo "|: hello"; read line`, program.Garbage, "garbage: "},
		{"flood", `read line; yes >&2`, program.Flood, "flood: the program wrote more than 1024 KiB to standard error without an answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newScript(t, c.text)
			startGame(t, p)
			if c.name == "crash in the second game" {
				exchangeLine(t, p, "(4,[]).")
				p.FinishGame(true)
				startGame(t, p)
				exchangeLine(t, p, "(4,[]).")
			}
			limit := patience
			if c.kind == program.Hang {
				limit = 100 * time.Millisecond
			}
			p.SendLine("(4,[]).")
			_, err := p.Receive(limit)
			f := p.Fail(err)
			if f.Kind != c.kind || !strings.Contains(f.Error(), c.want) {
				t.Errorf("Fail = %v, want kind %s and %q", f, c.kind, c.want)
			}
			if c.name == "crash" && f.Stderr != "first\nwhy\n" {
				t.Errorf("Stderr = %q, want both lines", f.Stderr)
			}
			if len(f.Stderr) > 64<<10 {
				t.Errorf("got %d bytes of standard error, want at most 64 KiB", len(f.Stderr))
			}
		})
	}
}

func TestMissingProgramFails(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "/no/such/program")
	err := p.StartGame(t.Context())
	if f := p.Fail(err); f.Kind != program.Start || !errors.Is(f, os.ErrNotExist) {
		t.Errorf("Fail = %v, want kind start and os.ErrNotExist", f)
	}
}

// TestCloseWrite checks that a program reads the end of its input after CloseWrite.
func TestCloseWrite(t *testing.T) {
	t.Parallel()
	p := newScript(t, `while read line; do echo $line; done; echo bye`)
	startGame(t, p)
	exchangeLine(t, p, "one")
	p.CloseWrite()
	if got, err := p.ReadLine(patience); got != "bye" || err != nil {
		t.Errorf("got %q, %v, want bye", got, err)
	}
	if got, err := p.ReadLine(patience); !errors.Is(err, io.EOF) {
		t.Errorf("got %q, %v, want the end", got, err)
	}
	p.FinishGame(true)
	startGame(t, p)
	if got := exchangeLine(t, p, "two"); got != "two" {
		t.Errorf("got %q in the next game, want two", got)
	}
}
