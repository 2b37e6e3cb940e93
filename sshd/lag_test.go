package sshd

import (
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/tui/term"
)

// TestLagDetectsSlowLines checks when a line counts as slow.
func TestLagDetectsSlowLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l lag
		write := func(pause, took time.Duration, slow, changed bool) {
			t.Helper()
			time.Sleep(pause + took)
			if got := l.recordWrite(took); got != changed || l.slow != slow {
				t.Errorf("recordWrite(%v) after %v = %v, slow = %v", took, pause, got, l.slow)
			}
		}
		// The client is distant, but its line is fast.
		for range 100 {
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

// slowScreen is a screen that changes with each frame and records messages about the line.
type slowScreen struct {
	Screen
	frames int
	slow   []bool
}

func (s *slowScreen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if slow, ok := msg.(term.SlowLine); ok {
		s.slow = append(s.slow, bool(slow))
	}
	return s, nil
}

func (s *slowScreen) Frame() term.Frame {
	s.frames++
	return term.Frame{Lines: []string{strconv.Itoa(s.frames)}}
}

// slowWriter is a writer that blocks for a time.
type slowWriter struct{ blocks time.Duration }

func (w *slowWriter) Write(p []byte) (int, error) {
	time.Sleep(w.blocks)
	return len(p), nil
}

// TestScreenLearnsOfSlowLine checks that a screen is notified when writes block.
func TestScreenLearnsOfSlowLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line, screen := &slowWriter{blocks: time.Second}, &slowScreen{}
		p := &program{screen: screen, frames: term.NewWriter(line, 20, 5)}
		update := func(msg tea.Msg) {
			_, cmd := p.Update(msg)
			for cmd != nil {
				_, cmd = p.Update(cmd())
			}
		}
		for range 3 {
			update(nil)
		}
		line.blocks = 0
		time.Sleep(minCalm)
		update(nil)
		if want := []bool{true, false}; !slices.Equal(screen.slow, want) {
			t.Errorf("slow line = %v, want %v", screen.slow, want)
		}
	})
}
