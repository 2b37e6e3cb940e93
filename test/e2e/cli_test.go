package e2e

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"broadside/internal/cli"
	"broadside/internal/server"
	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/sshtest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/relay"
)

// try runs a command line in this process and returns its output.
func try(ctx context.Context, args ...string) (out string, err error) {
	c := cli.Command()
	var b bytes.Buffer
	c.SetOut(&b)
	c.SetErr(&b)
	c.SetArgs(args)
	c.SilenceErrors, c.SilenceUsage = true, true
	err = c.ExecuteContext(ctx)
	return b.String(), err
}

func TestWhatIsWrongIsSaidInOneLine(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "ssh_host_ed25519_key"), []byte("not a key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	foreign, newer := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, store.FileName), []byte("not a database\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ofTheFuture(t, newer)
	serve := func(args ...string) []string {
		return append([]string{"--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0", "--data", t.TempDir()}, args...)
	}
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"SSH port in use", serve("--ssh", taken.Addr().String()), "address already in use: choose another address with --ssh"},
		{"relay port in use", serve("--relay", taken.Addr().String()), "address already in use: choose another address with --relay"},
		{"no such address", serve("--ssh", "nowhere"), "choose another address with --ssh"},
		{"data is a file", serve("--data", file), "choose another one with --data"},
		{"broken host key", serve("--host-keys", broken), "restore it from a backup"},
		{"no database beside host keys", serve("--data", broken), "restore a backup"},
		{"another program's database", serve("--data", foreign), "not a database of Broadside"},
		{"a newer database", serve("--data", newer), "use that version, or restore an older backup"},
		{"log level", serve("--log-level", "loud"), "choose debug, info, warn or error"},
		{"log format", serve("--log-format", "xml"), "choose text, json or logfmt"},
		{"audit", serve("--relay-audit", "maybe"), "choose flag, forfeit or off"},
		{"duration", serve("--drain", "soon"), "choose a duration from"},
		{"unknown flag", serve("--colour"), "unknown flag"},
		{"unknown command", []string{"sevre"}, "unknown command"},
		{"bot without a name", []string{"bot"}, "accepts 1 arg"},
		{"unknown bot", []string{"bot", "kraken"}, "choose one of easy, prolog, "},
		{"no games", []string{"bot", "easy", "--games", "0"}, "choose 1 or more"},
		{"unknown rules", []string{"bot", "easy", "--rules", "chess"}, "choose classic, hasbro, "},
		{"no relay", []string{"bot", "easy", "--relay", "127.0.0.1:1"}, "connecting to the relay"},
		{"no relay for a program", []string{"connect", "127.0.0.1:1", "--", "cat"}, "connecting to the server"},
		{"a program that does not exist", []string{"connect", "127.0.0.1:1", "--", "/no/such/program"}, "it cannot be started"},
		{"no layout file", []string{"bot", "easy", "--layout", file + "s"}, "no such file"},
		{"no folder for the course", []string{"bot", "easy", "--course", file + "/course"}, "creating the folder for the course"},
		{"the course is a folder", []string{"bot", "easy", "--course", foreign}, "is a directory"},
		{"unknown placement", []string{"bot", "easy", "--placement", "sideways"}, "choose one of uniform, java, prolog, "},
		{"bad layout file", []string{"bot", "easy", "--layout", file}, "line 1:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			out, err := try(ctx, c.args...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want one with %q", err, c.want)
			}
			if strings.Contains(out, "End of game") {
				t.Errorf("no game was played, but this was printed: %s", out)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %v", err)
			}
		})
	}
}

// ofTheFuture creates a database with the schema of a newer version.
func ofTheFuture(t *testing.T, folder string) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", filepath.Join(folder, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestBotsPlayOnTheRelay(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	var said [2]string
	var wg sync.WaitGroup
	for i, name := range []string{"prolog", "hard"} {
		wg.Go(func() {
			out, err := try(t.Context(), "bot", name, "--relay", h.relay, "--games", "5")
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			said[i] = out
		})
	}
	wg.Wait()
	var won, lost [2]int
	for i, name := range []string{"prolog", "hard"} {
		games, end, _ := strings.Cut(said[i], "End of game.")
		if strings.Count(games, " game ") != 5 {
			t.Errorf("%s said %q before the end", name, games)
		}
		if _, err := fmt.Sscanf(end, " "+name+" won %d times and lost %d times.\n", &won[i], &lost[i]); err != nil {
			t.Errorf("%s said %q: %v", name, said[i], err)
		}
	}
	if won[0]+lost[0] != 5 || won[0] != lost[1] || lost[0] != won[1] {
		t.Errorf("won %v, lost %v", won, lost)
	}
}

// TestBotPlaysRated checks that the matches of a bot with a token are rated.
func TestBotPlaysRated(t *testing.T) {
	t.Parallel()
	accounts, err := store.Open(t.Context(), store.Config{Folder: storetest.Folder(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer accounts.Close()
	ann, err := accounts.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"})
	if err != nil {
		t.Fatal(err)
	}
	_, token, err := accounts.Programs.Register(t.Context(), ann.ID, "squid", 1)
	if err != nil {
		t.Fatal(err)
	}
	l := lobbytest.Open(lobby.Config{Store: accounts})
	defer l.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := relay.New(relay.Config{Host: &session.Host{Lobby: l}, HelloDelay: time.Minute}) // the bot ends the delay with ready
	var served sync.WaitGroup
	served.Go(func() { server.Serve(listener) })
	defer func() {
		listener.Close()
		server.Shutdown(context.Background())
		served.Wait()
	}()
	out, err := try(t.Context(), "bot", "hard", "--relay", listener.Addr().String(), "--token", token, "--vs", "bot easy", "--games", "2")
	if err != nil || !strings.Contains(out, "End of game. hard won ") {
		t.Errorf("%v: %s", err, out)
	}
	games, err := accounts.Matches.List(t.Context(), store.Cursor{}, 3)
	if err != nil || len(games) != 2 {
		t.Fatalf("%d matches, %v", len(games), err)
	}
	for _, g := range games {
		if !g.Rated || g.Seats[0].Name != "squid" && g.Seats[1].Name != "squid" {
			t.Errorf("%+v", g)
		}
	}
}

// TestShutdownLetsMatchesEnd stops the server while two people play.
func TestShutdownLetsMatchesEnd(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *server.Config) { c.Drain = patience })
	ann, bob, cid := h.come(t, "ann"), h.come(t, "bob"), h.come(t, "cid")
	ann.Press("p")
	ann.WaitText("You offered the match")
	bob.Press("p")
	place(ann)
	place(bob)
	bob.WaitText("YOUR TURN")
	cid.Press("p")
	cid.WaitText("You offered the match")

	h.stop()
	ann.WaitText("The server is shutting down")
	cid.WaitText("The server is shutting down")
	if nc, err := net.Dial("tcp", h.ssh); err == nil {
		nc.Close()
		t.Error("a new connection was accepted")
	}
	bob.Type("B7")
	bob.Press("enter")
	ann.WaitText("bob fired at B7")
	ann.Press("q", "y")
	for _, p := range []*sshtest.Terminal{ann, bob, cid} {
		if status := p.Wait(); status != 0 {
			t.Errorf("exit status %d", status)
		}
		if left := p.Leftovers(); len(left) > 0 {
			t.Errorf("left behind in the terminal: %v", left)
		}
		if s := p.Screen(); !strings.Contains(s, "The server has been shut down.") {
			t.Errorf("people are not told why:\n%s", s)
		}
	}
	if err := <-h.stopped; err != nil {
		t.Error(err)
	}
	h.stopped <- nil
}

// TestShutdownEndsMatchesInTime stops the server during a match that does not end.
func TestShutdownEndsMatchesInTime(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	ann := h.come(t, "ann")
	ann.Press("b")
	ann.WaitText("Play a bot")
	ann.Press("1")
	place(ann)
	ann.WaitText("YOUR TURN")
	program := h.program(t)
	program.hear("(3,[]).\n")
	h.stop()
	ann.Wait()
	if _, err := program.lines.ReadString('\n'); err == nil {
		t.Error("the waiting program was sent something")
	}
	if err := <-h.stopped; err != nil {
		t.Error(err)
	}
	h.stopped <- nil
}

// launch runs the program as a server until the test ends.
func launch(t *testing.T, binary, data string) (*exec.Cmd, *testServer) {
	t.Helper()
	return launchLogging(t, binary, data, nil)
}

// launchLogging is like launch, with a writer for the log and more options.
func launchLogging(t *testing.T, binary, data string, log io.Writer, options ...string) (*exec.Cmd, *testServer) {
	t.Helper()
	options = append(options, "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0", "--data", data, "--drain", "1m", "--bot-pace", "0s", "--relay-hello", "1m")
	cmd := exec.Command(binary, options...)
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	h := &testServer{}
	h.read(out)
	return cmd, h
}

// TestSignals runs the program in its own process.
func TestSignals(t *testing.T) {
	t.Parallel()
	binary := build(t)
	start := func(t *testing.T) (*exec.Cmd, string) {
		cmd, h := launch(t, binary, t.TempDir())
		return cmd, h.relay
	}
	wait := func(t *testing.T, cmd *exec.Cmd) int {
		done := make(chan struct{})
		go func() { cmd.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(patience):
			t.Fatal("the server does not end")
		}
		return cmd.ProcessState.ExitCode()
	}
	t.Run("one", func(t *testing.T) {
		cmd, _ := start(t)
		cmd.Process.Signal(syscall.SIGTERM)
		if code := wait(t, cmd); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
	t.Run("two", func(t *testing.T) {
		cmd, address := start(t)
		h := &testServer{relay: address}
		program := h.program(t)
		program.say("% vs bot easy\n")
		program.hear("% ok vs bot easy\n")
		program.hear("(4,[]).\n") // a match runs, and will not end
		cmd.Process.Signal(syscall.SIGINT)
		for { // until it has stopped accepting, it may not have seen the signal
			nc, err := net.Dial("tcp", address)
			if err != nil {
				break
			}
			nc.Close()
			time.Sleep(time.Millisecond)
		}
		cmd.Process.Signal(syscall.SIGINT)
		if code := wait(t, cmd); code == 0 {
			t.Error("exit code 0 although a match was cut short")
		}
	})
}

// TestCheckClient checks the exit status for each finding.
func TestCheckClient(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code int
		args []string
		says string
	}{
		{2, []string{"--rules", "chess"}, ""},
		{2, []string{"--listen", "nowhere:-1"}, ""},
		{1, []string{"--", "/no/such/program"}, "it cannot be started"},
		{1, []string{"--", "go", "version"}, "FAIL  defends first"},
		{1, []string{"--json", "--", "go", "version"}, `"grade": "fail"`},
	} {
		out, err := try(t.Context(), append([]string{"check-client"}, c.args...)...)
		if cli.Status(err) != c.code || !strings.Contains(out, c.says) {
			t.Errorf("%q: %v\n%s", c.args, err, out)
		}
	}
	if _, err := try(t.Context(), "check-client", "python3", "client.py"); err == nil || !strings.Contains(err.Error(), "write -- before") {
		t.Errorf("without --: %v", err)
	}
}
