package lines

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/match"
)

func (s *Session) setRules(name string) {
	if name == "" {
		s.tellRules()
		return
	}
	r, err := match.Preset(name)
	if err != nil {
		s.fail(err)
		return
	}
	s.chosen.Rules = r.WithClock(s.chosen.Rules.Clock)
	s.keepSettings()
	s.tellRules()
}

// tellRules tells the rules of the match that runs, or else of the next one.
func (s *Session) tellRules() {
	r := s.chosen.Rules
	if s.playing() {
		r = s.game.Rules
	}
	s.say("The rules are %s.", terms(s.l, r))
	s.say("The board has %d rows, from A to %s, and %d columns.", r.Size, lastRow(r), r.Size)
	var ships []string
	for _, c := range r.Fleet {
		ships = append(ships, s.l.Say("%s, %d cells", s.ship(c), c.Length))
	}
	s.say("The fleet: %s.", strings.Join(ships, "; "))
	switch r.Contact {
	case match.TouchNone:
		s.say("Ships may not touch, not even at corners.")
	case match.TouchCorners:
		s.say("Ships may touch at corners, but not along an edge.")
	case match.TouchAny:
		s.say("Ships may touch.")
	}
	if r.Salvo {
		s.say("You fire in turns, a shot for each of your ships afloat, and hear the results together. Who sinks the last ship wins.")
	} else {
		s.say("You fire in turns, one shot each. Who sinks the last ship wins.")
	}
	if !s.playing() {
		s.say("To choose others, say rules and one of these: %s.", s.list(match.Presets()))
	}
}

func (s *Session) setClock(text string) {
	text = strings.ToLower(text)
	n, err := strconv.Atoi(strings.TrimSuffix(text, " seconds"))
	clock := time.Duration(min(n, 1e6)) * time.Second
	switch {
	case text == "":
	case text == "off" || text == "aus":
		s.chosen.Rules = s.chosen.Rules.WithClock(0)
	case err != nil || session.CheckClock(clock) != nil:
		s.say("The time for one shot is %d to %d seconds, or off.", int(session.MinClock/time.Second), int(session.MaxClock/time.Second))
		return
	default:
		s.chosen.Rules = s.chosen.Rules.WithClock(clock)
	}
	s.keepSettings()
	s.say("Your next match: %s.", terms(s.l, s.chosen.Rules))
}

// keepSettings has what the player has chosen stored, without waiting for it.
func (s *Session) keepSettings() { s.own.SaveSettings(s.chosen) }

func (s *Session) setRated(text string) {
	switch strings.ToLower(text) {
	case "on", "an", "":
		s.chosen.Casual = false
	case "off", "aus":
		s.chosen.Casual = true
	default:
		s.say("Say rated on, or rated off.")
		return
	}
	s.keepSettings()
	if s.chosen.Casual {
		s.say("Your next match is casual and changes no rating. To change that, say rated on.")
	} else {
		s.say("Your next match is rated.")
	}
}

func (s *Session) setQuiet(text string) {
	switch strings.ToLower(text) {
	case "on", "an", "":
		s.chosen.DoNotDisturb = true
	case "off", "aus":
		s.chosen.DoNotDisturb = false
	default:
		s.say("Say quiet on, or quiet off.")
		return
	}
	s.keepSettings()
	if s.chosen.DoNotDisturb {
		s.say("Nobody can challenge you now. To change that, say quiet off.")
	} else {
		s.say("Others can challenge you.")
	}
}

func (s *Session) setLanguage(name string) {
	l, ok := i18n.Parse(name)
	if !ok {
		var all []string
		for _, l := range i18n.Languages() {
			all = append(all, l.String()+": "+l.Name())
		}
		s.say("Say language and one of these: %s.", s.list(all))
		return
	}
	s.l, s.chosen.Language = l, l.String()
	s.con.Speak(l)
	s.keepSettings()
	s.say("You are spoken to in English.")
}

// settled tells whether the person may become somebody else now.
func (s *Session) settled() bool {
	if s.playing() || s.state.Offer != nil {
		s.say("Not while you play or wait for an opponent.")
		return false
	}
	return true
}

func (s *Session) setName(name string) {
	if name == "" {
		s.say("You are called %s.", s.state.Me.Name)
		return
	}
	if !s.settled() {
		return
	}
	if s.state.Me.Account != "" {
		if s.do(session.Rename{Name: name}) {
			s.say("You are %s from now on.", s.state.Me.Name)
		}
		return
	}
	if s.do(session.Register{Name: name}) {
		s.keepSettings() // what a guest has chosen is theirs from now on
		s.become()
	}
}

// become greets a player who has signed in.
func (s *Session) become() {
	s.do(session.LeaveMatch{})
	s.do(session.Unwatch{})
	s.say("Welcome, %s. Your key is your account from now on.", s.state.Me.Name)
	s.arrive()
}

func (s *Session) link(code string) {
	if code == "" {
		link, err := session.Ask(s.ctx, s.own, session.NewLinkCode{})
		if err != nil {
			s.fail(err)
			return
		}
		s.say("The code is %s. Connect from the other machine within %s, and say link %s there.", link.Code, s.duration(time.Until(link.Until)), link.Code)
		return
	}
	if s.state.Me.Account != "" {
		s.say("This key belongs to your account already. Say link without a code to hear a code for another machine.")
		return
	}
	if !s.settled() {
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, laterTime)
	defer cancel()
	if !s.do(session.LinkKey{Code: code}) {
		return
	}
	s.chosen, _ = session.Ask(ctx, s.own, session.GetSettings{}) // the defaults, if they cannot be read
	if l, ok := i18n.Parse(s.chosen.Language); ok {
		s.l = l
		s.con.Speak(l)
	}
	s.become()
}

// newRand is a source for a layout at random.
func newRand() *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) }
