package lines

import (
	"strconv"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/match"
)

// preferences has the commands for the player's settings.
type preferences struct{ *player }

// setRules sets the rules of the next match, or describes the rules.
func (p preferences) setRules(name string) {
	if name != "" {
		r, err := match.Preset(name)
		if err != nil {
			p.fail(err)
			return
		}
		p.chosen.Rules = r.WithClock(p.chosen.Rules.Clock)
		p.saveSettings()
	}
	p.tellRules()
}

// tellRules describes the rules of the running match, or else of the next one.
func (p preferences) tellRules() {
	r := p.chosen.Rules
	if p.playing() {
		r = p.game.Rules
	}
	p.say("The rules are %s.", p.terms(r))
	p.say("The board has %d rows, from A to %s, and %d columns.", r.Size, letter(r.Size-1), r.Size)
	p.say("The fleet: %s.", strings.Join(p.fleet(r.Fleet), "; "))
	switch r.Contact {
	case match.TouchNone:
		p.say("Ships may not touch, not even at corners.")
	case match.TouchCorners:
		p.say("Ships may touch at corners, but not along an edge.")
	case match.TouchAny:
		p.say("Ships may touch.")
	}
	if r.Salvo {
		p.say("You fire in turns, a shot for each of your ships afloat, and hear the results together. Who sinks the last ship wins.")
	} else {
		p.say("You fire in turns, one shot each. Who sinks the last ship wins.")
	}
	if !p.playing() {
		p.say("To choose others, say rules and one of these: %s.", list(match.Presets()))
	}
}

// setClock sets the turn clock of the next match.
func (p preferences) setClock(text string) {
	text = strings.ToLower(text)
	n, err := strconv.Atoi(strings.TrimSuffix(text, " seconds"))
	clock := time.Duration(min(n, 1e6)) * time.Second
	switch {
	case text == "":
	case text == "off" || text == "aus":
		p.chosen.Rules = p.chosen.Rules.WithClock(0)
	case err != nil || session.CheckClock(clock) != nil:
		p.say("The time for one shot is %d to %d seconds, or off.", int(session.MinClock/time.Second), int(session.MaxClock/time.Second))
		return
	default:
		p.chosen.Rules = p.chosen.Rules.WithClock(clock)
	}
	p.saveSettings()
	p.say("Your next match: %s.", p.terms(p.chosen.Rules))
}

// isOn reads on or off; an empty text is on. It is false if text is neither.
func isOn(text string) (on, ok bool) {
	switch strings.ToLower(text) {
	case "on", "an", "":
		return true, true
	case "off", "aus":
		return false, true
	}
	return false, false
}

// setRated sets whether the next match is rated.
func (p preferences) setRated(text string) {
	on, ok := isOn(text)
	if !ok {
		p.say("Say rated on, or rated off.")
		return
	}
	p.chosen.Casual = !on
	p.saveSettings()
	if on {
		p.say("Your next match is rated.")
	} else {
		p.say("Your next match is casual and changes no rating. To change that, say rated on.")
	}
}

// setQuiet sets whether others can challenge the player.
func (p preferences) setQuiet(text string) {
	on, ok := isOn(text)
	if !ok {
		p.say("Say quiet on, or quiet off.")
		return
	}
	p.chosen.DoNotDisturb = on
	p.saveSettings()
	if on {
		p.say("Nobody can challenge you now. To change that, say quiet off.")
	} else {
		p.say("Others can challenge you.")
	}
}

// setLanguage sets the language.
func (p preferences) setLanguage(name string) {
	l, ok := i18n.Parse(name)
	if !ok {
		var all []string
		for _, l := range i18n.Languages() {
			all = append(all, l.String()+": "+l.Name())
		}
		p.say("Say language and one of these: %s.", list(all))
		return
	}
	p.speak(l)
	p.chosen.Language = l.String()
	p.saveSettings()
	p.say("You are spoken to in English.")
}
