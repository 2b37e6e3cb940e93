package tui

import (
	"context"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/replay"
)

// replayScreen shows a match that has ended, picture by picture.
type replayScreen struct {
	film  *replay.Replay
	back  screen // where it was opened
	at    int    // the picture shown
	typed string // of the number of a picture to jump to

	running bool               // the film runs by itself
	speed   int                // index into paces
	reel    context.CancelFunc // stops the wait for the next picture; nil if there is none

	overlay  bool           // what the admiral would do is shown
	thoughts *replay.Advice // of the picture that they name; nil: none yet
	thinking bool           // thoughts are on their way
}

// paces are how long a picture is shown while the film runs.
var paces = []time.Duration{4 * time.Second, 2 * time.Second, time.Second, time.Second / 2, time.Second / 4, time.Second / 8}

// usualPace is the pace to begin with.
const usualPace = 2

// leap is how many pictures a long jump passes over.
const leap = 10

func newReplayScreen(f *replay.Replay, back screen) *replayScreen {
	return &replayScreen{film: f, back: back, speed: usualPace}
}

func (s *replayScreen) key(m *Model, key string) tea.Cmd {
	before := s.at
	defer func() {
		if s.at != before {
			s.turnTo(m)
		}
	}()
	if len(key) == 1 && key[0] >= '0' && key[0] <= '9' {
		if len(s.typed) < maxTyped {
			s.typed += key
		}
		return nil
	}
	typed := s.typed
	s.typed = ""
	switch key {
	case "enter":
		switch n, err := strconv.Atoi(typed); {
		case err != nil: // nothing is typed
		case n >= s.film.Len():
			m.notice = m.lang.Say("There is no shot %s: the last one is %d.", typed, s.film.Len()-1)
		default:
			s.show(n)
		}
	case "right", "l":
		s.show(s.at + 1)
	case "left", "h":
		s.show(s.at - 1)
	case "up", "k", "pgup":
		s.show(s.at - leap)
	case "down", "j", "pgdown":
		s.show(s.at + leap)
	case "home", "g":
		s.show(0)
	case "end", "G":
		s.show(s.film.Len() - 1)
	case "space":
		if s.running {
			s.stop()
		} else if s.running = true; s.at == s.film.Len()-1 {
			s.at = 0
		}
	case "+", "=":
		s.speed = min(s.speed+1, len(paces)-1)
		s.halt()
	case "-":
		s.speed = max(s.speed-1, 0)
		s.halt()
	case "a":
		s.overlay = !s.overlay
	case "esc", "q", "backspace":
		s.stop()
		m.comeBack(s.back)
		return nil
	case "ctrl+c":
		s.stop()
		return tea.Quit
	}
	return tea.Batch(s.roll(m), s.ponder(m))
}

// show goes to a picture, or as near to it as there is one. A film that ran
// stands still then.
func (s *replayScreen) show(n int) {
	s.stop()
	s.at = max(0, min(s.film.Len()-1, n))
}

// turnTo shows the board on which the shot fell, where there is room for one.
func (s *replayScreen) turnTo(m *Model) {
	if turn, ok := s.film.Turn(s.at); ok {
		m.chosen = int(turn.Side.Other())
	}
}

func (s *replayScreen) stop() {
	s.running = false
	s.halt()
}

// halt stops the wait for the next picture.
func (s *replayScreen) halt() {
	if s.reel != nil {
		s.reel()
		s.reel = nil
	}
}

// roll waits for the next picture, if the film runs.
func (s *replayScreen) roll(m *Model) tea.Cmd {
	if !s.running || s.reel != nil {
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	s.reel = cancel
	pace := paces[s.speed]
	return func() tea.Msg {
		t := time.NewTimer(pace)
		defer t.Stop()
		select {
		case <-t.C:
			return broughtMsg{func(m *Model) tea.Cmd { return s.advance(m, ctx) }}
		case <-ctx.Done():
			return nil
		}
	}
}

// advance shows the next picture of a running film, if nobody has stopped it
// since.
func (s *replayScreen) advance(m *Model, waited context.Context) tea.Cmd {
	if waited.Err() != nil {
		return nil
	}
	s.halt()
	if m.screen != s { // a match has begun meanwhile
		s.stop()
		return nil
	}
	if s.at++; s.at >= s.film.Len()-1 {
		s.at = s.film.Len() - 1
		s.stop()
	}
	s.turnTo(m)
	return tea.Batch(s.roll(m), s.ponder(m))
}

// ponder asks for what the admiral thinks of the picture, if that is to be
// shown. One thought at a time: what nobody waits for any more is not asked.
func (s *replayScreen) ponder(m *Model) tea.Cmd {
	if !s.overlay || s.thinking || s.thoughts != nil && s.thoughts.Frame == s.at {
		return nil
	}
	if s.film.View(s.at).Phase != match.Battle {
		return nil
	}
	s.thinking = true
	m.work.begin(time.Now())
	advise := s.film.Advise(s.at)
	return tea.Batch(m.tick(), func() tea.Msg {
		t := advise()
		return broughtMsg{func(m *Model) tea.Cmd {
			m.work.end()
			s.thinking, s.thoughts = false, t
			return s.ponder(m) // the person may have gone on meanwhile
		}}
	})
}

func (s *replayScreen) draw(m *Model) []string {
	var shown *replay.Advice
	if s.overlay && s.thoughts != nil && s.thoughts.Frame == s.at && s.thoughts.Odds != nil {
		shown = s.thoughts
	}
	status, state := s.film.Caption(s.at), s.state(m, shown)
	if m.height < roomyHeight && (s.typed != "" || shown != nil) { // what was asked for matters more
		status = state
	}
	return m.showBoards(board.Scene{Status: status, Panels: s.film.Panels(s.at, shown), Text: append(s.film.Below(s.at, m.width), state), Brief: s.film.Count(s.at)})
}

// state says how the film runs, or what the admiral thinks.
func (s *replayScreen) state(m *Model, shown *replay.Advice) string {
	t := looks()
	if s.typed != "" {
		return m.lang.Say("Jump to shot: %s  enter goes there", s.typed+"_")
	}
	v := s.film.View(s.at)
	switch {
	case s.overlay && v.Phase != match.Battle:
		return t.faint.Render(m.lang.Say("There is nothing left for admiral to shoot at."))
	case s.overlay && shown == nil && s.thinking:
		return t.faint.Render(m.lang.Say("admiral thinks."))
	case s.overlay && shown == nil:
		return t.faint.Render(m.lang.Say("admiral can make nothing of these answers."))
	case s.overlay:
		odds := func(c match.Cell) string {
			return t.strong.Render(m.lang.Say("%s (%.0f %%)", c.String(), 100*shown.Of(c)))
		}
		if s.at+1 < s.film.Len() {
			if turn, ok := s.film.Turn(s.at + 1); ok {
				all := make([]string, len(turn.Cells))
				for i, c := range turn.Cells {
					all[i] = odds(c)
				}
				return m.lang.Say("admiral would shoot at %s, %s shot at %s.", odds(shown.Cell), s.film.Names()[turn.Side], strings.Join(all, ", "))
			}
		}
		return m.lang.Say("admiral would shoot at %s.", odds(shown.Cell))
	case s.running:
		return t.good.Render(m.lang.Say("It runs:")) + " " + m.pace(paces[s.speed])
	}
	return t.faint.Render(s.film.Heading())
}

// pace is how long a picture is shown.
func (m *Model) pace(d time.Duration) string {
	if d >= time.Second {
		return m.lang.Say("a shot every %d seconds", int(d/time.Second))
	}
	return m.lang.Say("%d shots a second", int(time.Second/d))
}

func (s *replayScreen) hints(*Model) []i18n.Text {
	run := i18n.Text("run")
	if s.running {
		run = "stop"
	}
	return []i18n.Text{"←→", "shot", "↑↓", "ten", "0–9", "jump", "space", run, "+-", "speed", "a", "admiral", "?", "help", "esc", "back"}
}
