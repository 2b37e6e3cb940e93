package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/words"
)

// quick are the messages that are said by their number.
var quick = []words.Text{"Hello!", "Good luck!", "Nice shot!", "Oops.", "Good game!"}

// digits are the keys that say them.
var digits = []words.Text{"1", "2", "3", "4", "5"}

// talkTime is how long the last line of a match is shown.
const talkTime = 12 * time.Second

// talk is this session's place where people talk, and what it has heard.
type talk struct {
	place *lobby.TalkPlace
	at    any           // what is talked at: a *game, a *sight, or nil for the lobby
	other *lobby.Player // in a match of this person, the other side
	lines []lobby.Line
	fresh int       // the number of the newest line that is not shown as new any more
	until time.Time // when the newest line fades
	again string    // a line that was refused, to be said again
}

// talkMsg brings what there is to hear.
type talkMsg struct {
	talk  *talk
	lines []lobby.Line
}

// await receives what there is to hear next, but in the lobby: see Model.hear.
func (t *talk) await(ctx context.Context) tea.Cmd {
	heard := t.place.Heard()
	return func() tea.Msg {
		select {
		case lines, open := <-heard:
			if open {
				return talkMsg{t, lines}
			}
		case <-ctx.Done():
		}
		return nil
	}
}

// take takes in what there is to hear.
func (t *talk) take(lines []lobby.Line, now time.Time) {
	newest := t.fresh
	if n := len(lines); n > 0 {
		newest = lines[n-1].Number
	}
	if newest > t.fresh && now.Sub(lines[len(lines)-1].At) < talkTime {
		t.until = lines[len(lines)-1].At.Add(talkTime)
	}
	t.lines, t.fresh = lines, max(t.fresh, newest)
}

// listen takes part in the talk that goes with what is on the screen, and gives
// the place up where the person was before.
func (m *Model) listen() tea.Cmd {
	var at any
	_, watches := m.screen.(*watchScreen)
	switch {
	case m.game != nil && m.hot == nil && m.game.seating.Opponent.Kind == lobby.Person:
		at = m.game
	case m.game == nil && watches && m.sight != nil:
		at = m.sight
	}
	var cmd tea.Cmd
	if m.matchTalk != nil && m.matchTalk.at != at {
		m.matchTalk.place.Leave()
		m.matchTalk = nil
	}
	if m.matchTalk == nil && at != nil {
		t := &talk{at: at}
		switch at := at.(type) {
		case *game:
			t.place, t.other = m.visit.TalkAt(at.seating), &at.seating.Opponent
		case *sight:
			t.place = m.visit.TalkBeside(at.place)
		}
		m.matchTalk = t
		cmd = t.await(m.ctx)
	}
	if m.saying != nil && m.saying.talk != m.talkHere() {
		m.saying = nil
	}
	return cmd
}

// talkHere is where the person talks on this screen; nil if nowhere.
func (m *Model) talkHere() *talk {
	switch m.screen.(type) {
	case *talkScreen:
		return m.hallTalk
	case *battleScreen, *resultScreen, *watchScreen:
		return m.matchTalk
	}
	return nil
}

// startTalk opens the line in which something to say is typed.
func (m *Model) startTalk() tea.Cmd {
	t := m.talkHere()
	switch {
	case t != nil:
		m.saying = t.begin()
	case m.hot != nil:
		m.notice = m.lang.Say("You sit side by side: just say it.")
	case m.game != nil:
		m.notice = m.lang.Say("%s does not talk.", m.game.opponent)
	default:
		m.notice = m.lang.Say("The match is coming.")
	}
	return nil
}

// heardLine is what is shown of the newest line of a match, while it is new.
func (m *Model) heardLine(now time.Time) string {
	t := m.talkHere()
	if m.settings.NoTalk || t == nil || t == m.hallTalk || len(t.lines) == 0 || !now.Before(t.until) {
		return ""
	}
	return m.spoken(t.lines[len(t.lines)-1])
}

// spoken is a line with who said it.
func (m *Model) spoken(l lobby.Line) string {
	name := clean(l.From.Name, nameWidth)
	if l.From.ID == m.me.ID {
		name = m.lang.Say("you")
	}
	if l.Aside {
		name = m.lang.Say("%s (watching)", name)
	}
	return name + ": " + clean(l.Text, 2*lobby.MaxTalk)
}

// muteNext changes how somebody is heard: muted, muted for good, heard again.
func (m *Model) muteNext(who lobby.Player) tea.Cmd {
	m.mutedLast = who
	next := map[lobby.Hearing]lobby.Hearing{
		lobby.Hears: lobby.MutedNow, lobby.MutedNow: lobby.MutedForGood, lobby.MutedForGood: lobby.Hears,
	}[m.visit.Hears(who.ID)]
	if next == lobby.MutedForGood && (m.me.Account == "" || who.Account == "") {
		next = lobby.Hears
	}
	name := clean(who.Name, nameWidth)
	done := map[lobby.Hearing]string{
		lobby.Hears:        m.lang.Say("You hear %s again.", name),
		lobby.MutedNow:     m.lang.Say("You do not hear %s any more, for this visit.", name),
		lobby.MutedForGood: m.lang.Say("You do not hear %s any more, for good.", name),
	}[next]
	return m.beside(func(ctx context.Context) (string, error) { return done, m.visit.Mute(ctx, who, next) })
}

// beside runs work that waits beside the model, and shows the sentence that
// comes of it.
func (m *Model) beside(work func(context.Context) (string, error)) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(m.ctx, laterTime)
		defer cancel()
		notice, err := work(ctx)
		return broughtMsg{func(m *Model) tea.Cmd {
			if err != nil {
				m.notice = m.sentence(err)
			} else if notice != "" {
				m.notice = notice
			}
			return nil
		}}
	}
}

// lastTalk is what the lobby shows of its talk, in at most width cells and so many
// lines, where there is room for it.
func (m *Model) lastTalk(width, room int) []string {
	const most = 3
	all := m.hallTalk.lines
	if m.settings.NoTalk || room < 2 || len(all) == 0 {
		return nil
	}
	lines := []string{looks().strong.Render(m.lang.Say("Talk"))}
	for _, l := range all[max(0, len(all)-min(most, room-1)):] {
		lines = append(lines, "  "+clean(m.spoken(l), width-2))
	}
	return lines
}

// talks tells whether there is somebody to talk to in a match on the screen.
func (m *Model) talks() bool {
	return m.hot == nil && m.talkHere() != nil && m.talkHere() != m.hallTalk
}

// speaks is a hint how to talk, where that is possible.
func (m *Model) speaks(hints []words.Text) []words.Text {
	if m.talks() && !m.leavingAsked() {
		return append([]words.Text{"t", "talk"}, hints...)
	}
	return hints
}
