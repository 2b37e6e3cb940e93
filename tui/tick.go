package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/match"
)

// tick asks for a redraw when the next second of a running clock is over, in
// place of the one asked for before. No clock, no tick: an idle screen costs
// nothing.
func (m *Model) tick() tea.Cmd {
	m.stopTick()
	next, ok := m.nextSecond(time.Now())
	if !ok {
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.stopTick = cancel
	return func() tea.Msg {
		t := time.NewTimer(next)
		defer t.Stop()
		select {
		case <-t.C:
			return tickMsg{ctx}
		case <-ctx.Done():
			return nil
		}
	}
}

// nextSecond is the time until something that the screen shows in seconds
// changes, or a notice or what an operator has said goes.
func (m *Model) nextSecond(now time.Time) (time.Duration, bool) {
	if next, ok := m.work.next(now); ok {
		return next, true
	}
	if w, ok := m.screen.(*waitScreen); ok {
		return time.Second - now.Sub(w.offer.Since)%time.Second, true
	}
	var ends []time.Time
	if a, ok := m.screen.(*accountScreen); ok {
		ends = append(ends, a.until)
	}
	if c := m.called(); c != nil {
		ends = append(ends, c.Until)
	}
	if m.game != nil {
		u := &m.game.last
		ends = append(ends, u.Deadline, u.AwayUntil[0], u.AwayUntil[1])
	}
	if by := m.takeover(); by != nil {
		ends = append(ends, by.Until)
	}
	if _, ok := m.screen.(*watchScreen); ok && m.sight != nil && m.sight.last.View.Phase == match.Battle {
		u := &m.sight.last
		ends = append(ends, u.Deadline, u.AwayUntil[0], u.AwayUntil[1])
	}
	if m.heardLine(now) != "" {
		ends = append(ends, m.talkHere().until)
	}
	for _, at := range ends {
		if left := at.Sub(now); !at.IsZero() && left > 0 {
			// A little more than to the full second, so that the display is
			// past it whatever the rounding.
			return left%time.Second + 5*time.Millisecond, true
		}
	}
	next := m.noticeLeft(now)
	if said := m.news.Announcement; said.Text != "" {
		if left := announceTime - now.Sub(said.At); left > 0 && (next <= 0 || left < next) {
			next = left
		}
	}
	return next, next > 0
}
