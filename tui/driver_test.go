package tui

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"broadside/internal/test/leaks"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
)

// more multiplies the seeds of tests that press random keys: 1, or 5 with the tag slow.
var more = 1

func TestMain(m *testing.M) { leaks.Main(m) }

// patience limits every wait of these tests. It only ends those that hang.
const patience = 2 * time.Minute

// driver runs a model as a Bubble Tea program would, without a terminal.
type driver struct {
	t       testing.TB
	lobby   *lobby.Lobby
	m       *Model
	msgs    chan tea.Msg
	cancel  context.CancelFunc
	running sync.WaitGroup
	closed  sync.Once
	// onFrame, if not nil, gets every frame.
	onFrame func(screen string)
	// onMessage, if not nil, gets every message.
	onMessage func(msg tea.Msg)
	// lookedScreen is the screen at a scenario's step "looks".
	lookedScreen string
	// bellCount counts how often the bell rang.
	bellCount int
	// quit means that a key has ended the session.
	quit bool
	// widths has each line's width so far.
	widths map[string]int
}

// startDriver starts a model of the given size for a player. The caller closes it.
func startDriver(t testing.TB, l *lobby.Lobby, p account.Player, width, height int) *driver {
	t.Helper()
	return startDriverAt(t, l, p, width, height, session.StartScreen{})
}

// startDriverAt is like startDriver for a session that does not start in the lobby.
func startDriverAt(t testing.TB, l *lobby.Lobby, p account.Player, width, height int, o session.StartScreen) *driver {
	t.Helper()
	return startDriverWith(t, session.Config{Lobby: l, Player: p}, Config{Width: width, Height: height, Opening: o})
}

func startDriverWith(t testing.TB, who session.Config, cfg Config) *driver {
	t.Helper()
	who.Client.WatchPace = WatchPace
	cfg.Session = session.New(who)
	ctx, cancel := context.WithCancel(context.Background())
	d := &driver{t: t, lobby: who.Lobby, msgs: make(chan tea.Msg), cancel: cancel, widths: map[string]int{}}
	d.m = New(ctx, cfg)
	d.runCmd(d.m.Init())
	if who.Client.Fingerprint == "" && d.showsPage("welcomeScreen") {
		// Guests in tests start in the lobby.
		d.press("l")
	}
	return d
}

// close ends the session like a dropped connection.
func (d *driver) close() {
	d.closed.Do(func() {
		d.cancel()
		drained := make(chan struct{})
		go func() {
			defer close(drained)
			for range d.msgs {
			}
		}()
		d.running.Wait()
		close(d.msgs)
		<-drained
		d.m.Close()
		d.m.Close()
	})
}

// runCmd runs a command in its own goroutine, as a program would.
func (d *driver) runCmd(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	d.running.Go(func() {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, c := range batch {
				d.runCmd(c)
			}
			return
		}
		d.msgs <- msg
	})
}

// send passes a message to the model. It ignores requests to quit, so that random keys
// continue.
func (d *driver) send(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.QuitMsg:
		d.quit = true
		return
	case tea.RawMsg:
		if msg.Msg == "\a" {
			d.bellCount++
		}
	}
	if d.onMessage != nil {
		d.onMessage(msg)
	}
	_, cmd := d.m.Update(msg)
	d.runCmd(cmd)
	d.checkFrame()
}

// checkFrame checks conditions that hold for every frame.
func (d *driver) checkFrame() {
	d.t.Helper()
	content := d.content()
	if d.onFrame != nil {
		d.onFrame(ansi.Strip(content))
	}
	lines := strings.Split(content, "\n")
	if len(lines) > max(1, d.m.height) {
		d.t.Fatalf("%d lines in a terminal of %d×%d", len(lines), d.m.width, d.m.height)
	}
	for _, l := range lines {
		w, known := d.widths[l]
		if !known {
			w = ansi.StringWidth(l)
			d.widths[l] = w
		}
		if w > d.m.width {
			d.t.Fatalf("a line of %d cells in a terminal of %d×%d: %q", w, d.m.width, d.m.height, ansi.Strip(l))
		}
	}
}

// press presses keys, named as Bubble Tea names them.
func (d *driver) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		d.send(keyMsg(k))
	}
}

// typeText presses each character's key.
func (d *driver) typeText(text string) {
	d.t.Helper()
	for _, r := range text {
		if r == ' ' {
			d.press("space")
		} else {
			d.press(string(r))
		}
	}
}

// fire fires at a cell in the player's turn.
func (d *driver) fire(cell string) {
	d.t.Helper()
	d.waitForText("YOUR TURN")
	d.typeText(cell)
	d.press("enter")
	d.waitForText("You fired at " + cell)
}

func keyMsg(name string) tea.KeyPressMsg {
	special := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight, "backspace": tea.KeyBackspace, "tab": tea.KeyTab, "space": tea.KeySpace,
		"pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "home": tea.KeyHome, "end": tea.KeyEnd, "delete": tea.KeyDelete,
	}
	if code, ok := special[name]; ok {
		if name == "space" {
			return tea.KeyPressMsg{Code: code, Text: " "}
		}
		return tea.KeyPressMsg{Code: code}
	}
	if c, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(c[0]), Mod: tea.ModCtrl}
	}
	r := []rune(name)[0]
	return tea.KeyPressMsg{Code: r, Text: name}
}

// screen returns the frame as plain text.
func (d *driver) screen() string { return ansi.Strip(d.content()) }

// content returns the frame as it is sent to a terminal.
func (d *driver) content() string {
	var lines []string
	f := d.m.Frame()
	for _, l := range f.Lines {
		lines = append(lines, f.Palette.Paint(l))
	}
	return strings.Join(lines, "\n")
}

// wait handles messages until the screen satisfies ok.
func (d *driver) wait(what string, ok func(screen string) bool) {
	d.t.Helper()
	deadline := time.After(patience)
	for !ok(d.screen()) {
		if !d.next(deadline) {
			d.t.Fatalf("waiting for %s, the screen is\n%s", what, d.screen())
		}
	}
}

// next handles the next message. It returns false at the deadline.
func (d *driver) next(deadline <-chan time.Time) bool {
	select {
	case msg := <-d.msgs:
		if msg != nil {
			d.send(msg)
		}
		return true
	case <-deadline:
		return false
	}
}

// waitForText waits until the screen contains a text.
func (d *driver) waitForText(text string) {
	d.t.Helper()
	d.wait(text, func(s string) bool { return strings.Contains(s, text) })
}

// handlePending handles all pending messages.
func (d *driver) handlePending() {
	for d.next(time.After(20 * time.Millisecond)) {
	}
}

// handleFor lets time pass and runs the model's timers.
func (d *driver) handleFor(long time.Duration) {
	for over := time.After(long); d.next(over); {
	}
}

// boardSigns returns the last frame's signs. For each board and sign, it has the cells that show it.
func (d *driver) boardSigns() map[int]map[string]match.Set {
	all := map[int]map[string]match.Set{}
	var rows [][]rune
	for _, l := range strings.Split(d.screen(), "\n") {
		rows = append(rows, []rune(l))
	}
	for _, s := range d.boardSpots() {
		signs := map[string]match.Set{}
		w, h := s.Form.OuterSize(s.Window.Columns, s.Window.Rows)
		for y := range h {
			for x := range w {
				cell, ok := s.Form.CellAt(s.Window, x, y)
				row := d.m.frame.top + s.Top + y
				if !ok || row >= len(rows) || s.Left+x >= len(rows[row]) {
					continue
				}
				sign := string(rows[row][s.Left+x])
				set := signs[sign]
				set.Add(cell)
				signs[sign] = set
			}
		}
		all[s.Panel] = signs
	}
	return all
}
