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

// setRules sets the next match's rules, if there is a name, and describes the rules.
func (p preferences) setRules(name string) {
	if name != "" {
		r, err := match.Preset(name)
		if err != nil {
			p.printError(err)
			return
		}
		p.settings.Rules = r.WithClock(p.settings.Rules.Clock)
		p.saveSettings()
	}
	p.printRules()
}

// printRules describes the rules of the running match, or of the next one.
func (p preferences) printRules() {
	r := p.settings.Rules
	if p.isPlaying() {
		r = p.game.Rules
	}
	p.print("The rules are %s.", p.matchTerms(r))
	p.print("The board has %d rows, from A to %s, and %d columns.", r.Size, rowName(r.Size-1), r.Size)
	p.print("The fleet: %s.", strings.Join(p.classesWithLengths(r.Fleet), "; "))
	switch r.Contact {
	case match.TouchNone:
		p.print("Ships may not touch, not even at corners.")
	case match.TouchCorners:
		p.print("Ships may touch at corners, but not along an edge.")
	case match.TouchAny:
		p.print("Ships may touch.")
	}
	if r.Salvo {
		p.print("Players fire in turns, one shot for each of their ships afloat, and get the results together. The first to sink the other fleet wins.")
	} else {
		p.print("Players fire in turns, one shot each. The first to sink the other fleet wins.")
	}
	if !p.isPlaying() {
		p.print("To change the rules, type: rules NAME. The names: %s.", joinList(match.PresetNames()))
	}
}

// setClock sets the next match's turn clock.
func (p preferences) setClock(text string) {
	text = p.englishWord(argumentWords, strings.ToLower(text))
	n, err := strconv.Atoi(strings.TrimSuffix(text, " seconds"))
	clock := time.Duration(min(n, 1e6)) * time.Second
	if text == "off" {
		clock, err = 0, nil
	} else if text != "" && (err != nil || account.CheckClock(clock) != nil) {
		shortest, longest := int(account.MinClock/time.Second), int(account.MaxClock/time.Second)
		p.print("The time per shot is %d to %d seconds, or off.", shortest, longest)
		return
	}
	if text != "" {
		p.settings.Rules = p.settings.Rules.WithClock(clock)
		p.saveSettings()
	}
	p.print("Your next match: %s.", p.matchTerms(p.settings.Rules))
}

// changeSwitch sets a setting to on or off, where an empty text means on, and says what it means. For any other text,
// it says what to type.
func (p preferences) changeSwitch(text string, setting func(on bool), on, off, usage i18n.Key) {
	said := on
	switch p.englishWord(argumentWords, strings.ToLower(text)) {
	case "on", "":
		setting(true)
	case "off":
		setting(false)
		said = off
	default:
		p.print(usage)
		return
	}
	p.saveSettings()
	p.print(said)
}

// setRated sets whether the next match is rated.
func (p preferences) setRated(text string) {
	p.changeSwitch(text, func(on bool) { p.settings.Casual = !on }, "Your next match is rated.",
		"Your next match is casual and changes no rating. Type rated on to change that.", "Type rated on or rated off.")
}

// setDoNotDisturb sets whether others can challenge the player.
func (p preferences) setDoNotDisturb(text string) {
	p.changeSwitch(text, func(on bool) { p.settings.DoNotDisturb = on }, "No one can challenge you now. Type quiet off to change that.",
		"Others can challenge you.", "Type quiet on or quiet off.")
}

// setRemarks sets whether bots comment on the player's matches.
func (p preferences) setRemarks(text string) {
	p.changeSwitch(text, func(on bool) { p.settings.HideRemarks = !on }, "Bots comment on your matches.",
		"Bots say nothing now. Type remarks on to change that.", "Type remarks on or remarks off.")
}

// setLanguage sets the language.
func (p preferences) setLanguage(name string) {
	l, ok := i18n.Parse(name)
	if !ok {
		var all []string
		for _, l := range i18n.Languages() {
			all = append(all, l.String()+": "+l.Name())
		}
		p.print("Type: language CODE. The codes: %s.", joinList(all))
		return
	}
	p.output.setLanguage(l)
	p.settings.Language = l.String()
	p.saveSettings()
	p.print("The language is English.")
}
