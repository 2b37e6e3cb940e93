package sshd

import (
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"broadside/tui/term"
)

// TestLag checks when a line counts as slow.
func TestLag(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l lag
		write := func(pause, took time.Duration, slow, changed bool) {
			t.Helper()
			time.Sleep(pause + took)
			if got := l.wrote(took); got != changed || l.slow != slow {
				t.Errorf("a write of %v after %v: changed %v to slow=%v", took, pause, got, l.slow)
			}
		}
		for range 100 { // a distant client, but a fast line
			write(2*time.Second, 150*time.Millisecond, false, false)
		}
		time.Sleep(time.Minute)
		write(0, 400*time.Millisecond, false, false)
		write(0, 400*time.Millisecond, false, false)
		write(0, 40*time.Millisecond, false, false)
		write(0, 400*time.Millisecond, true, true)
		write(0, 5*time.Second, true, false)
		write(59*time.Second, 0, true, false)
		write(time.Second, 0, false, true)
		write(time.Second, 0, false, false)
		write(time.Second, 2*time.Second, true, true)
		write(119*time.Second, 0, true, false)
		write(time.Second, 0, false, true)
		for range 10 {
			write(0, time.Second, true, true)
			time.Sleep(maxCalm)
			write(0, 0, false, true)
		}
	})
}

// slowScreen is a screen that changes with each frame and records calls of SetSlowLine.
type slowScreen struct {
	frames int
	slow   []bool
}

func (*slowScreen) Init() tea.Cmd { return nil }

func (s *slowScreen) Update(tea.Msg) (tea.Model, tea.Cmd) { return s, nil }

func (s *slowScreen) View() tea.View {
	s.frames++
	return tea.View{Content: strconv.Itoa(s.frames)}
}

func (s *slowScreen) SetSlowLine(slow bool) { s.slow = append(s.slow, slow) }

// slowWriter blocks for a time.
type slowWriter struct{ blocks time.Duration }

func (w *slowWriter) Write(p []byte) (int, error) {
	time.Sleep(w.blocks)
	return len(p), nil
}

// TestSlowLine checks that a screen is notified when writes block, and drawn again.
func TestSlowLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line, screen := &slowWriter{blocks: time.Second}, &slowScreen{}
		p := &program{model: screen, frames: term.NewWriter(line, colorprofile.ANSI256, 20, 5)}
		for range 3 {
			p.show()
		}
		line.blocks = 0
		time.Sleep(minCalm)
		p.show()
		p.show()
		if want := []bool{true, false}; !slices.Equal(screen.slow, want) || screen.frames != 7 {
			t.Errorf("after %d frames, the line was slow: %v, want %v after 7", screen.frames, screen.slow, want)
		}
	})
}
