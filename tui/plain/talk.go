package plain

import (
	"context"
	"strings"

	"broadside/lobby"
)

// hearing is a place where people talk, and what was heard there. The zero
// value is no place.
type hearing struct {
	place *lobby.TalkPlace
	lines []lobby.Line
	began bool // what was said before is known
	fresh int  // the number of the newest line that was told
}

// heard yields what there is to hear; nil if this is no place.
func (h *hearing) heard() <-chan []lobby.Line {
	if h.place == nil {
		return nil
	}
	return h.place.Heard()
}

// leave gives the place up.
func (h *hearing) leave() {
	if h.place != nil {
		h.place.Leave()
	}
	*h = hearing{}
}

// hear takes in what there is to hear, and tells what is new. In a match that
// is only what belongs to it.
func (s *Session) hear(h *hearing, lines []lobby.Line, open bool) {
	if !open {
		h.place = nil
		return
	}
	for _, l := range lines {
		if l.Number <= h.fresh {
			continue
		}
		h.fresh = l.Number
		if h.began && l.From.ID != s.me.ID && !(h == &s.hallTalk && s.playing()) {
			s.said = append(s.said, s.spoken(l))
		}
	}
	h.lines, h.began = lines, true
}

// spoken is a line with who said it.
func (s *Session) spoken(l lobby.Line) string {
	switch {
	case l.From.ID == s.me.ID:
		return s.l.Say("You said: %s", l.Text)
	case l.Aside:
		return s.l.Say("%s, who watches, says: %s", clean(l.From.Name), l.Text)
	}
	return s.l.Say("%s says: %s", clean(l.From.Name), l.Text)
}

// here is where the person talks now.
func (s *Session) here() *hearing {
	if s.matchTalk.place != nil {
		return &s.matchTalk
	}
	return &s.hallTalk
}

func (s *Session) speak(text string) {
	if text == "" {
		s.say("Say what: say and your words.")
		return
	}
	if s.playing() && s.matchTalk.place == nil {
		s.say("%s does not talk.", s.game.opponent)
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, laterTime)
	defer cancel()
	if err := s.here().place.Say(ctx, text); err != nil {
		s.fail(err)
		return
	}
	s.say("Said.")
}

func (s *Session) tellTalk(string) {
	const most = 5
	lines := s.here().lines
	if len(lines) == 0 {
		s.say("Nobody has said anything yet.")
		return
	}
	for _, l := range lines[max(0, len(lines)-most):] {
		s.said = append(s.said, s.spoken(l))
	}
}

// whom finds a person by name: who is here, or who has said something.
func (s *Session) whom(name string) (lobby.Player, bool) {
	if name == "" && s.playing() {
		return s.game.seating.Opponent, true
	}
	for _, p := range s.news.Here {
		if strings.EqualFold(p.Player.Name, name) {
			return p.Player, true
		}
	}
	for _, h := range []*hearing{&s.matchTalk, &s.hallTalk} {
		for _, l := range h.lines {
			if strings.EqualFold(l.From.Name, name) {
				return l.From, true
			}
		}
	}
	s.say("Nobody here is called %s.", short(name))
	return lobby.Player{}, false
}

func (s *Session) mute(text string) {
	how := lobby.MutedNow
	if name, ok := strings.CutSuffix(strings.ToLower(text), "for good"); ok {
		text, how = strings.TrimSpace(name), lobby.MutedForGood
	}
	s.setHearing(text, how)
}

func (s *Session) unmute(name string) { s.setHearing(name, lobby.Hears) }

func (s *Session) setHearing(name string, how lobby.Hearing) {
	if name == "" && !s.playing() {
		s.say("Say whose name.")
		return
	}
	p, ok := s.whom(name)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, laterTime)
	defer cancel()
	if err := s.visit.Mute(ctx, p, how); err != nil {
		s.fail(err)
		return
	}
	switch how {
	case lobby.Hears:
		s.say("You hear %s again.", clean(p.Name))
	case lobby.MutedNow:
		s.say("You do not hear %s any more, for this visit.", clean(p.Name))
	default:
		s.say("You do not hear %s any more, for good.", clean(p.Name))
	}
}
