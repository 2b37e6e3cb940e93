package lines

import (
	"strconv"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/lobby/account"
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
	p.describeRules()
}

// describeRules describes the rules of the running match, or of the next one.
func (p preferences) describeRules() {
	r := p.chosen.Rules
	if p.playing() {
		r = p.game.Rules
	}
	p.print("the-rules-are-x", p.terms(r))
	p.print("the-board-has-n-rows", r.Size, letter(r.Size-1), r.Size)
	p.print("the-fleet-x", strings.Join(p.fleet(r.Fleet), "; "))
	switch r.Contact {
	case match.TouchNone:
		p.print("ships-may-not-touch-not")
	case match.TouchCorners:
		p.print("ships-may-touch-at-corners")
	case match.TouchAny:
		p.print("ships-may-touch-title-sentence")
	}
	if r.Salvo {
		p.print("you-fire-in-turns-a")
	} else {
		p.print("players-fire-in-turns-one")
	}
	if !p.playing() {
		p.print("to-choose-others-say-rules", list(match.Presets()))
	}
}

// setClock sets the turn clock of the next match.
func (p preferences) setClock(text string) {
	text = p.englishWord(argumentWords, strings.ToLower(text))
	n, err := strconv.Atoi(strings.TrimSuffix(text, " seconds"))
	clock := time.Duration(min(n, 1e6)) * time.Second
	switch {
	case text == "":
	case text == "off":
		p.chosen.Rules = p.chosen.Rules.WithClock(0)
	case err != nil || account.CheckClock(clock) != nil:
		p.print("the-time-per-shot-is", int(account.MinClock/time.Second), int(account.MaxClock/time.Second))
		return
	default:
		p.chosen.Rules = p.chosen.Rules.WithClock(clock)
	}
	p.saveSettings()
	p.print("your-next-match-x", p.terms(p.chosen.Rules))
}

// isOn parses on or off; an empty text means on. It returns false for any other text.
func (p preferences) isOn(text string) (on, ok bool) {
	switch p.englishWord(argumentWords, strings.ToLower(text)) {
	case "on", "":
		return true, true
	case "off":
		return false, true
	}
	return false, false
}

// setRated sets whether the next match is rated.
func (p preferences) setRated(text string) {
	on, ok := p.isOn(text)
	if !ok {
		p.print("say-rated-on-or-rated")
		return
	}
	p.chosen.Casual = !on
	p.saveSettings()
	if on {
		p.print("your-next-match-is-rated")
	} else {
		p.print("your-next-match-is-casual")
	}
}

// setQuiet sets whether others can challenge the player.
func (p preferences) setQuiet(text string) {
	on, ok := p.isOn(text)
	if !ok {
		p.print("say-quiet-on-or-quiet")
		return
	}
	p.chosen.DoNotDisturb = on
	p.saveSettings()
	if on {
		p.print("nobody-can-challenge-you-now")
	} else {
		p.print("others-can-challenge-you")
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
		p.print("say-language-and-one-of", list(all))
		return
	}
	p.output.setLanguage(l)
	p.chosen.Language = l.String()
	p.saveSettings()
	p.print("the-language-is-english")
}
