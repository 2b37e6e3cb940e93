package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

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

// await receives what there is to hear next.
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

// saying is a line that is being typed to be said. While it is there, all keys
// go to it.
type saying struct {
	talk *talk
	text []rune
}

// begin is an empty line, or the one that was refused last.
func (t *talk) begin() *saying {
	s := &saying{talk: t}
	s.add(t.again)
	t.again = ""
	return s
}

// add takes typed or pasted text, as far as there is room.
func (s *saying) add(text string) {
	for i, r := range text {
		if i > 64*lobby.MaxTalk || len(s.text) == lobby.MaxTalk {
			return
		}
		if r == '\n' || r == '\r' || r == '\t' {
			r = ' '
		}
		if clean(string(r), 2) != "" {
			s.text = append(s.text, r)
		}
	}
}

func (s *saying) key(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	screen, inLobby := m.screen.(*talkScreen)
	switch key := msg.String(); key {
	case "enter":
		text := string(s.text)
		s.text = nil
		if !inLobby {
			m.saying = nil
		}
		if strings.TrimSpace(text) == "" {
			return nil
		}
		return m.say(s.talk, text)
	case "esc":
		m.saying = nil
		if inLobby {
			m.toLobby("")
		}
	case "ctrl+c":
		m.saying = nil
		if inLobby {
			return tea.Quit
		}
	case "backspace":
		s.text = s.text[:max(0, len(s.text)-1)]
	case "tab":
		if who := s.whom(m); who != nil {
			return m.muteNext(*who)
		}
		m.notice = m.lang.Say("Nobody else has said anything here.")
	case "up", "down":
		if inLobby {
			screen.move(m, key)
		}
	default:
		if n := strings.Index("12345", msg.Text); len(msg.Text) == 1 && len(s.text) == 0 && n >= 0 {
			if !inLobby {
				m.saying = nil
			}
			place, text := s.talk.place, m.lang.Say(quick[n])
			return m.beside(func(ctx context.Context) (string, error) { return "", place.Say(ctx, text) })
		}
		s.add(msg.Text)
	}
	return nil
}

// whom is who would be muted: who said the line pointed at, the other side, or
// who else has spoken last.
func (s *saying) whom(m *Model) *lobby.Player {
	if screen, ok := m.screen.(*talkScreen); ok {
		if l := screen.pointed(m); l != nil && l.From.ID != m.me.ID {
			return &l.From
		}
		if screen.at != 0 {
			return nil
		}
	}
	if s.talk.other != nil {
		return s.talk.other
	}
	for i := len(s.talk.lines) - 1; i >= 0; i-- {
		if l := &s.talk.lines[i]; l.From.ID != m.me.ID {
			return &l.From
		}
	}
	if m.mutedLast.ID != "" { // what they said is out of sight
		return &m.mutedLast
	}
	return nil
}

// say says a line, beside the model: it may wait for the disk. A line that is
// refused is kept to be said again, and is back at once if nothing else has
// been typed.
func (m *Model) say(t *talk, text string) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(m.ctx, laterTime)
		defer cancel()
		err := t.place.Say(ctx, text)
		return broughtMsg{func(m *Model) tea.Cmd {
			if err == nil {
				return nil
			}
			m.notice = m.sentence(err)
			if s := m.saying; s == nil || s.talk != t {
				t.again = text
			} else if len(s.text) == 0 {
				s.add(text)
			}
			return nil
		}}
	}
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

// shown is the line as it is typed, in at most width cells: its end.
func (s *saying) shown(m *Model) string {
	prompt, width := m.lang.Say("Say: "), m.width
	text := s.text
	for len(text) > 0 && ansi.StringWidth(string(text)) > width-1-ansi.StringWidth(prompt) {
		text = text[1:]
	}
	return looks().faint.Render(prompt) + looks().strong.Render(string(text)) + looks().key.Render("_")
}

func (s *saying) hints() []words.Text {
	if len(s.text) > 0 {
		return []words.Text{"enter", "say it", "backspace", "take back", "tab", "mute", "esc", "close"}
	}
	var hints []words.Text
	for i, q := range quick {
		hints = append(hints, digits[i], q)
	}
	return append(hints, "tab", "mute", "esc", "close")
}

// talkScreen is the lobby's talk, with a line to say something.
type talkScreen struct {
	at int // the number of the line pointed at; 0: none
}

// toTalk goes to the lobby's talk.
func (m *Model) toTalk() {
	m.screen = &talkScreen{}
	m.saying = m.hallTalk.begin()
}

// key is never called: all keys go to the line that is typed.
func (s *talkScreen) key(*Model, string) tea.Cmd { return nil }

// pointed is the line pointed at; nil if there is none.
func (s *talkScreen) pointed(m *Model) *lobby.Line {
	for i := range m.hallTalk.lines {
		if l := &m.hallTalk.lines[i]; l.Number == s.at {
			return l
		}
	}
	return nil
}

// move points at the line before or after, as far as they are on the screen.
func (s *talkScreen) move(m *Model, key string) {
	lines := s.visible(m)
	if len(lines) == 0 {
		return
	}
	at := len(lines)
	for i, l := range lines {
		if l.Number == s.at {
			at = i
		}
	}
	if key == "up" {
		at = max(0, at-1)
	} else {
		at++
	}
	s.at = 0
	if at < len(lines) {
		s.at = lines[at].Number
	}
}

// visible are the lines that there is room for.
func (s *talkScreen) visible(m *Model) []lobby.Line {
	lines := m.hallTalk.lines
	return lines[max(0, len(lines)-(m.height-9)):]
}

func (s *talkScreen) draw(m *Model) []string {
	t := looks()
	width := min(m.width, 80) - 4
	lines := []string{pad(t.strong.Render(m.lang.Say("Talk in the lobby")), width), ""}
	all := s.visible(m)
	if len(all) == 0 {
		lines = append(lines, t.faint.Render("  "+m.lang.Say("Nobody has said anything yet.")))
	}
	for _, l := range all {
		mark := "  "
		if l.Number == s.at {
			mark = "▸ "
		}
		lines = append(lines, clean(mark+m.spoken(l), width))
	}
	return append(lines, "", t.faint.Render("  "+m.lang.Say("↑↓ point at a line; tab mutes who said it, and again for good, and back")))
}

func (s *talkScreen) hints(*Model) []words.Text { return nil }

// lastTalk is what the lobby shows of its talk, in at most width cells, where
// there is room for it.
func (m *Model) lastTalk(width int) []string {
	const most, high = 3, 30
	all := m.hallTalk.lines
	if m.settings.NoTalk || m.height < high || len(all) == 0 {
		return nil
	}
	lines := []string{looks().strong.Render(m.lang.Say("Talk"))}
	for _, l := range all[max(0, len(all)-most):] {
		lines = append(lines, "  "+clean(m.spoken(l), width-2))
	}
	return append(lines, "")
}

// talks tells whether there is somebody to talk to in a match on the screen.
func (m *Model) talks() bool {
	return m.hot == nil && m.talkHere() != nil && m.talkHere() != m.hallTalk
}

// speaks is a hint how to talk, where that is possible.
func (m *Model) speaks(hints []words.Text) []words.Text {
	if b, ok := m.screen.(*battleScreen); m.talks() && !(ok && b.leaving.asked) {
		return append([]words.Text{"t", "talk"}, hints...)
	}
	return hints
}
