package sshd_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/i18n"
	"broadside/internal/test/memnet"
	"broadside/internal/test/sshtest"
	"broadside/sshd"
	"broadside/tui/term"
	"broadside/tui/term/colour"
)

// patience limits every wait, including those for minutes of a test's own clock. It only ends tests that hang.
const patience = 10 * time.Minute

// testScreen is a screen that reacts to its keys and records what happens to it. Some user names make it panic.
type testScreen struct {
	notice string
	ctx    context.Context
	who    sshd.User
	notes  *screenLog
	keys   string
	size   [2]int
	frame  int
	// broken makes Frame panic.
	broken bool
	// ticking changes a number ten times a second.
	ticking bool
	// noisy changes every cell with the number.
	noisy bool

	terminal term.Terminal
}

// trueColour is the environment in which a noisy screen is largest: at most noisyCell bytes for
// each cell.
var trueColour = map[string]string{"COLORTERM": "truecolor"}

const noisyCell = len("\x1b[48;2;100;100;100;38;2;100;100;100ma")

// screenLog records what happens to a server's screens.
type screenLog struct {
	mu sync.Mutex
	// change is closed and replaced at every change.
	change chan struct{}
	// users and contexts are in the order of the sessions.
	users    []sshd.User
	contexts []context.Context
	// sizes has the sizes that screens got, in this order.
	sizes [][2]int
	// closedNames has the names of users whose screens were closed.
	closedNames []string
	// events counts the messages to screens.
	events int
	// frames counts the frames of ticking screens.
	frames int

	// unblock is closed to release a blocked screen.
	unblock chan struct{}
}

func newScreenLog() *screenLog {
	return &screenLog{change: make(chan struct{}), unblock: make(chan struct{})}
}

func (n *screenLog) update(f func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	f()
	close(n.change)
	n.change = make(chan struct{})
}

// waitFor waits until a condition on the log is true.
func (n *screenLog) waitFor(t testing.TB, what string, ok func() bool) {
	t.Helper()
	timeout := time.After(patience)
	for {
		n.mu.Lock()
		done, change := ok(), n.change
		n.mu.Unlock()
		if done {
			return
		}
		select {
		case <-change:
		case <-timeout:
			t.Fatalf("timed out waiting for %s", what)
		}
	}
}

// waitStall waits until a noisy screen of 80×24 cells can't write any more, because its client
// does not read and the SSH window of 2 MiB is full.
func (n *screenLog) waitStall(t testing.TB) {
	t.Helper()
	n.waitFor(t, "a full window", func() bool { return n.frames*80*19*noisyCell > 2<<20 })
	frames := func() int {
		n.mu.Lock()
		defer n.mu.Unlock()
		return n.frames
	}
	for before := -1; before != frames(); time.Sleep(2 * time.Second) {
		before = frames()
	}
}

// waitClosed waits until a user's screen is closed. It fails if any screen was closed twice.
func (n *screenLog) waitClosed(t testing.TB, name string) {
	t.Helper()
	n.waitFor(t, "the screen of "+name+" to be closed", func() bool { return slices.Contains(n.closedNames, name) })
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.closedNames) > len(n.users) {
		t.Errorf("opened %d screens, but closed %v", len(n.users), n.closedNames)
	}
}

// lastUser returns the newest session's user.
func (n *screenLog) lastUser() sshd.User {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.users[len(n.users)-1]
}

// newScreen implements [sshd.App].
func (n *screenLog) newScreen(ctx context.Context, who sshd.User) (sshd.Screen, error) {
	n.update(func() {
		n.users = append(n.users, who)
		n.contexts = append(n.contexts, ctx)
	})
	if who.Name == "panic-app" {
		panic("the app was told to")
	}
	return &testScreen{ctx: ctx, who: who, notes: n, size: [2]int{who.Width, who.Height}, terminal: term.DetectTerminal(who.Term, who.Env)}, nil
}

// runTestLines implements [sshd.Lines]. It ends immediately.
func runTestLines(_ context.Context, _ sshd.User, c *term.Console) int {
	c.Print("This is line mode.")
	return 4
}

type tickMsg struct{}

// noticeMsg is a message of the server to the user.
type noticeMsg string

// over is a shutdown's message.
var over = i18n.NewMessage("The server has been shut down.")

func newNotice(said i18n.Message) tea.Msg { return noticeMsg(said.Text(i18n.English)) }

// tick ends with its session, as every command that waits must.
func (m *testScreen) tick() tea.Msg {
	t := time.NewTimer(100 * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
		return tickMsg{}
	case <-m.ctx.Done():
		return nil
	}
}

func (m *testScreen) Init() tea.Cmd {
	if m.who.Name == "panic-init" {
		panic("Init was told to")
	}
	return nil
}

func (m *testScreen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.notes.update(func() { m.notes.events++ })
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.size = [2]int{msg.Width, msg.Height}
		m.notes.update(func() { m.notes.sizes = append(m.notes.sizes, m.size) })
	case term.Terminal:
		m.terminal = msg
	case noticeMsg:
		m.notice = string(msg)
	case tickMsg:
		m.frame++
		m.notes.update(func() { m.notes.frames++ })
		return m, m.tick
	case tea.PasteMsg:
		m.keys = fmt.Sprintf("<%d pasted>", len(msg.Content))
	case tea.KeyPressMsg:
		return m, m.handleKey(msg.String())
	}
	return m, nil
}

func panicInCommand() tea.Msg { panic("a command was told to") }

func returnNil() tea.Msg { return nil }

func (m *testScreen) handleKey(key string) tea.Cmd {
	switch key {
	case "q":
		return tea.Quit
	case "Z":
		return tea.Suspend
	case "U":
		panic("Update was told to")
	case "V":
		m.broken = true
	case "C":
		return panicInCommand
	case "B":
		return tea.Batch(returnNil, panicInCommand)
	case "T":
		m.ticking = true
		return m.tick
	case "N":
		m.ticking, m.noisy = true, true
		return m.tick
	case "R":
		return tea.Batch(tea.Raw("\a"), tea.Raw("\x1b]0;not for programs\a"))
	case "W":
		<-m.notes.unblock
	default:
		if m.keys += key; len(m.keys) > 40 {
			m.keys = m.keys[len(m.keys)-40:]
		}
	}
	return nil
}

// View is not called, because Frame replaces it.
func (m *testScreen) View() tea.View { return tea.View{} }

func (m *testScreen) Language() i18n.Language { return i18n.English }

// Frame implements the method described at [sshd.Screen].
func (m *testScreen) Frame() term.Frame {
	if m.broken {
		panic("Frame was told to")
	}
	lines := []string{
		"hello " + m.who.Name, "keys: " + m.keys, fmt.Sprintf("size: %dx%d", m.size[0], m.size[1]), fmt.Sprintf("frame: %d", m.frame), m.notice,
	}
	for i, line := range lines {
		lines[i] = term.Good.Render(line)
	}
	if m.noisy {
		// Colours produce the most bytes per cell.
		for y := range max(0, m.size[1]-5) {
			var b strings.Builder
			for x := range m.size[0] {
				n := colour.Name(m.frame + x + y)
				pen := term.Pen{Text: colour.Sky0 + n%20, Ground: colour.Heat0 + (n+1)%9}
				b.WriteString(pen.Render(string(rune('a' + m.frame%26))))
			}
			lines = append(lines, b.String())
		}
	}
	return term.Frame{Lines: lines, Palette: term.PaletteFor(term.Appearance{}, m.terminal)}
}

func (m *testScreen) ExitMessage() (string, int) {
	switch m.who.Name {
	case "leaver":
		return "Farewell.", 3
	case "panic-farewell":
		panic("Farewell was told to")
	}
	return "", 0
}

func (m *testScreen) Close() {
	m.notes.update(func() { m.notes.closedNames = append(m.notes.closedNames, m.who.Name) })
	if m.who.Name == "panic-close" {
		panic("Close was told to")
	}
}

// logRecorder is a log handler that keeps unescaped lines.
type logRecorder struct {
	mu *sync.Mutex
	// lines has messages with their attributes. mu guards it.
	lines *[]string
	more  chan struct{}
	with  string
}

func newLogRecorder() logRecorder {
	return logRecorder{mu: new(sync.Mutex), lines: new([]string), more: make(chan struct{}, 1)}
}

func (r logRecorder) Enabled(context.Context, slog.Level) bool { return true }

func (r logRecorder) WithGroup(string) slog.Handler { return r }

func (r logRecorder) WithAttrs(attrs []slog.Attr) slog.Handler {
	for _, a := range attrs {
		r.with += " " + a.String()
	}
	return r
}

func (r logRecorder) Handle(_ context.Context, rec slog.Record) error {
	line := rec.Message + r.with
	rec.Attrs(func(a slog.Attr) bool { line += " " + a.String(); return true })
	r.mu.Lock()
	defer r.mu.Unlock()
	*r.lines = append(*r.lines, line)
	select {
	case r.more <- struct{}{}:
	default:
	}
	return nil
}

func (r logRecorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(*r.lines, "\n")
}

// waitLog waits until a text is in the log. One goroutine at a time may wait.
func (h *testServer) waitLog(t testing.TB, text string) {
	t.Helper()
	timeout := time.After(patience)
	for !strings.Contains(h.log.String(), text) {
		select {
		case <-h.log.more:
		case <-timeout:
			t.Fatalf("timed out waiting for %q in the log", text)
		}
	}
}

// testServer is a server with test screens. It is shut down with the test.
type testServer struct {
	*sshd.Server
	*screenLog
	address string
	// net is nil if the server listens on a real port.
	net    *memnet.Network
	log    logRecorder
	served chan error
}

// startServer runs a server with test screens on a loopback port.
func startServer(t testing.TB, change func(*sshd.Config)) *testServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return startServerOn(t, l, change)
}

// startServerInBubble runs a server on a network inside the process, for tests with their own clock.
func startServerInBubble(t testing.TB, change func(*sshd.Config)) *testServer {
	t.Helper()
	n := memnet.New()
	h := startServerOn(t, n, change)
	h.net = n
	return h
}

// runInBubble runs a test with its own clock and a server in it.
func runInBubble(t *testing.T, change func(*sshd.Config), test func(t *testing.T, h *testServer)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, startServerInBubble(t, change)) })
}

// openHostKeys opens the host keys in a folder.
func openHostKeys(t testing.TB, folder string, ecdsa bool) []gossh.Signer {
	t.Helper()
	keys, err := sshd.OpenHostKeys(folder, ecdsa)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func startServerOn(t testing.TB, l net.Listener, change func(*sshd.Config)) *testServer {
	t.Helper()
	h := &testServer{screenLog: newScreenLog(), address: l.Addr().String(), log: newLogRecorder(), served: make(chan error, 1)}
	cfg := sshd.Config{HostKeys: openHostKeys(t, t.TempDir(), false), App: h.newScreen, Lines: runTestLines, Command: newTestCommand, Log: slog.New(h.log), Notice: newNotice}
	if change != nil {
		change(&cfg)
	}
	var err error
	if h.Server, err = sshd.New(cfg); err != nil {
		t.Fatal(err)
	}
	go func() { h.served <- h.Serve(l) }()
	t.Cleanup(func() {
		// The test may have closed the listener already.
		_ = l.Close()
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := h.Shutdown(ctx, over); err != nil {
			t.Errorf("Shutdown = %v", err)
		}
		if err := <-h.served; err != nil {
			t.Errorf("Serve = %v", err)
		}
		if t.Failed() {
			t.Logf("the server's log:\n%s", h.log)
		}
	})
	return h
}

// openTerminal opens a session with a terminal and waits for its screen. The default user is
// guest.
func (h *testServer) openTerminal(t testing.TB, o sshtest.Options) *sshtest.Terminal {
	t.Helper()
	var p *sshtest.Terminal
	if h.net == nil {
		p = sshtest.Dial(t, h.address, o)
	} else {
		c := h.connect(t, cmp.Or(o.User, "guest"))
		p = sshtest.Open(t, c.Client, o)
	}
	p.WaitText("hello " + cmp.Or(o.User, "guest"))
	return p
}

// openSSHArgs returns the arguments for ssh to log in as a user, without the keys of the developer who runs the
// tests.
func (h *testServer) openSSHArgs(t *testing.T, user string, args ...string) []string {
	t.Helper()
	host, port, err := net.SplitHostPort(h.address)
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{
		"-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
		"-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-o", "BatchMode=yes", "-o", "HostName=" + host, "-o", "User=" + user, "-o", "Port=" + port,
	}, args...)
}

// newCommand returns a command that is killed at the end of the test.
func newCommand(t *testing.T, path string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	c := exec.CommandContext(ctx, path, args...)
	c.Env = append(os.Environ(), "TERM=xterm-256color")
	return c
}

func exitStatus(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}
