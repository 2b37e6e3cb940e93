package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/tui/format"
)

// quick are the messages that are said by their number.
var quick = []i18n.Text{"Hello!", "Good luck!", "Nice shot!", "Oops.", "Good game!"}

// digits are the keys that say them.
var digits = []i18n.Text{"1", "2", "3", "4", "5"}

// talkTime is how long the last line of a match is shown.
const talkTime = 12 * time.Second

// talk is what was said in a room.
type talk struct {
	room  session.Room
	id    string          // of the match
	at    any             // what is talked at: a *game, a *sight, or nil for the lobby
	other *session.Player // in a match of this player, the other side
	lines []session.Line
	fresh int       // the number of the newest line that is not shown as new any more
	until time.Time // when the newest line fades
	again string    // a line that was refused, to be said again
}

// take takes in what there is to hear.
func (t *talk) take(lines []session.Line, now time.Time) {
	newest := t.fresh
	if n := len(lines); n > 0 {
		newest = lines[n-1].Number
	}
	if newest > t.fresh && now.Sub(lines[len(lines)-1].At) < talkTime {
		t.until = lines[len(lines)-1].At.Add(talkTime)
	}
	t.lines, t.fresh = lines, max(t.fresh, newest)
}

// listen follows the talk that goes with what is on the screen.
func (m *Model) listen() {
	var at any
	_, watches := m.screen.(*watchScreen)
	switch {
	case m.game != nil && m.hot == nil && m.game.about.Opponent.Kind == session.Person:
		at = m.game
	case m.game == nil && watches && m.sight != nil:
		at = m.sight
	}
	if m.matchTalk != nil && m.matchTalk.at != at {
		m.matchTalk = nil
	}
	if m.matchTalk == nil && at != nil {
		m.matchTalk = m.joinTalk(at)
	}
	if m.saying != nil && m.saying.talk != m.talkHere() {
		m.saying = nil
	}
}

// heard updates the chat of a room.
func (m *Model) heard(u session.Update, now time.Time) {
	switch {
	case u.Room == session.InLobby:
		m.hallTalk.take(u.Lines, now)
	case m.matchTalk != nil && m.matchTalk.id == u.ID:
		m.matchTalk.take(u.Lines, now)
	}
}

// joinTalk is the talk of a match that is played or watched.
func (m *Model) joinTalk(at any) *talk {
	t := &talk{room: session.InMatch, at: at}
	switch at := at.(type) {
	case *game:
		t.id, t.other = at.about.ID, &at.about.Opponent
	case *sight:
		t.id = at.id
	}
	return t
}

// hears asks how a player is heard.
func (m *Model) hears(who session.Player) session.Hearing {
	how, _ := session.Ask(m.ctx, m.own, session.GetHearing{Player: who.ID}) // which cannot fail
	return how
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
	if m.settings.HideChat || t == nil || t == m.hallTalk || len(t.lines) == 0 || !now.Before(t.until) {
		return ""
	}
	return m.spoken(t.lines[len(t.lines)-1])
}

// spoken is a line with who said it.
func (m *Model) spoken(l session.Line) string {
	name := format.Name(l.From.Name)
	if l.From.ID == m.me.ID {
		name = m.lang.Say("you")
	}
	if l.BySpectator {
		name = m.lang.Say("%s (watching)", name)
	}
	return name + ": " + format.Clean(l.Text, 2*session.MaxLine)
}

// muteNext changes how somebody is heard: muted, muted for good, heard again.
func (m *Model) muteNext(who session.Player) tea.Cmd {
	m.mutedLast = who
	next := map[session.Hearing]session.Hearing{
		session.Audible: session.MutedNow, session.MutedNow: session.MutedPermanently, session.MutedPermanently: session.Audible,
	}[m.hears(who)]
	if next == session.MutedPermanently && (m.me.Account == "" || who.Account == "") {
		next = session.Audible
	}
	name := format.Name(who.Name)
	done := map[session.Hearing]string{
		session.Audible:          m.lang.Say("You hear %s again.", name),
		session.MutedNow:         m.lang.Say("You do not hear %s any more, for this visit.", name),
		session.MutedPermanently: m.lang.Say("You do not hear %s any more, for good.", name),
	}[next]
	return m.beside(func(ctx context.Context) (string, error) {
		return done, m.own.Do(ctx, session.Mute{Player: who, Hearing: next})
	})
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
	if m.settings.HideChat || room < 2 || len(all) == 0 {
		return nil
	}
	lines := []string{looks().strong.Render(m.lang.Say("Talk"))}
	for _, l := range all[max(0, len(all)-min(most, room-1)):] {
		lines = append(lines, "  "+format.Clean(m.spoken(l), width-2))
	}
	return lines
}

// talks tells whether there is somebody to talk to in a match on the screen.
func (m *Model) talks() bool {
	return m.hot == nil && m.talkHere() != nil && m.talkHere() != m.hallTalk
}

// speaks is a hint how to talk, where that is possible.
func (m *Model) speaks(hints []i18n.Text) []i18n.Text {
	if m.talks() && !m.leavingAsked() {
		return append([]i18n.Text{"t", "talk"}, hints...)
	}
	return hints
}
