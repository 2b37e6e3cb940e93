package lines

import (
	"strings"

	"broadside/internal/session"
)

// chat is what was said in a room.
type chat struct {
	lines []session.Line
	began bool // what was said before is known
	fresh int  // the number of the newest line that was told
}

// hear updates the chat of a room and announces new lines. In a match that is only
// what belongs to it.
func (s *Session) hear(room session.Room, lines []session.Line) {
	c := &s.chats[room]
	for _, l := range lines {
		if l.Number <= c.fresh {
			continue
		}
		c.fresh = l.Number
		if c.began && l.From.ID != s.state.Me.ID && !(room == session.InLobby && s.playing()) {
			s.said = append(s.said, s.spoken(l))
		}
	}
	c.lines, c.began = lines, true
}

// spoken is a line with who said it.
func (s *Session) spoken(l session.Line) string {
	switch {
	case l.From.ID == s.state.Me.ID:
		return s.l.Say("You said: %s", l.Text)
	case l.BySpectator:
		return s.l.Say("%s, who watches, says: %s", clean(l.From.Name), l.Text)
	}
	return s.l.Say("%s says: %s", clean(l.From.Name), l.Text)
}

// here is where the player talks now.
func (s *Session) here() session.Room {
	if s.own.HasChat() {
		return session.InMatch
	}
	return session.InLobby
}

func (s *Session) speak(text string) {
	switch {
	case text == "":
		s.say("Say what: say and your words.")
	case s.playing() && !s.own.HasChat():
		s.say("%s does not talk.", s.game.opponent)
	case s.do(session.Say{Room: s.here(), Text: text}):
		s.say("Said.")
	}
}

func (s *Session) tellTalk(string) {
	const most = 5
	lines := s.chats[s.here()].lines
	if len(lines) == 0 {
		s.say("Nobody has said anything yet.")
		return
	}
	for _, l := range lines[max(0, len(lines)-most):] {
		s.said = append(s.said, s.spoken(l))
	}
}

// whom finds a person by name: who is here, or who has said something.
func (s *Session) whom(name string) (session.Player, bool) {
	if name == "" && s.playing() {
		return s.game.Opponent, true
	}
	for _, p := range s.state.Lobby.People {
		if strings.EqualFold(p.Player.Name, name) {
			return p.Player, true
		}
	}
	for _, room := range []session.Room{session.InMatch, session.InLobby} {
		for _, l := range s.chats[room].lines {
			if strings.EqualFold(l.From.Name, name) {
				return l.From, true
			}
		}
	}
	s.say("Nobody here is called %s.", short(name))
	return session.Player{}, false
}

func (s *Session) mute(text string) {
	how := session.MutedNow
	if name, ok := strings.CutSuffix(strings.ToLower(text), "for good"); ok {
		text, how = strings.TrimSpace(name), session.MutedPermanently
	}
	s.setHearing(text, how)
}

func (s *Session) unmute(name string) { s.setHearing(name, session.Audible) }

func (s *Session) setHearing(name string, how session.Hearing) {
	if name == "" && !s.playing() {
		s.say("Say whose name.")
		return
	}
	p, ok := s.whom(name)
	if !ok {
		return
	}
	if !s.do(session.Mute{Player: p, Hearing: how}) {
		return
	}
	switch how {
	case session.Audible:
		s.say("You hear %s again.", clean(p.Name))
	case session.MutedNow:
		s.say("You do not hear %s any more, for this visit.", clean(p.Name))
	default:
		s.say("You do not hear %s any more, for good.", clean(p.Name))
	}
}
