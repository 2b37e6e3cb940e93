package screen

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/widget"
)

// setting is a setting with its current value.
type setting struct {
	group i18n.Key // heading for this and the following settings; empty: continues the previous group
	name  i18n.Key
	value string
	about string // a note on the value
	// change selects the next or previous value. Like set, it returns an error message
	// for the player.
	change func(s *account.Settings, by int) error
	// A number can also be typed: low to high, or 0 if none is set.
	low, high int
	none      bool
	set       func(s *account.Settings, n int) error
}

// settingsOf returns all settings, with text in language l.
func settingsOf(l i18n.Language, c *account.Settings) []setting {
	r := c.Rules
	ships := len(r.Fleet)
	list := []setting{
		{group: "Next match", name: "Rules", value: r.Name, about: narrate.Rules(l, r), change: func(s *account.Settings, by int) error {
			changeRules(s, by)
			return nil
		}},
		number("Board size", l.Text("%d to %d cells per side", match.MinSize, match.MaxSize), r.Size, match.MinSize, match.MaxSize, func(s *account.Settings, n int) error {
			return setCustomRules(s, n, ships, r)
		}),
		number("Ships", l.Text("%d to %d per side", match.MinShips, match.MaxShips), ships, match.MinShips, match.MaxShips, func(s *account.Settings, n int) error {
			return setCustomRules(s, r.Size, n, r)
		}),
		{name: "Ships may touch", value: l.Text(contactName(r.Contact)), change: func(s *account.Settings, by int) error {
			like := r
			like.Contact = match.Contact(widget.Cycle(int(r.Contact), by, int(match.TouchAny)+1))
			return setCustomRules(s, r.Size, ships, like)
		}},
		{name: "Each turn", value: l.Text(turnKinds[turnKind(r)].name), change: func(s *account.Settings, by int) error {
			kind := turnKinds[widget.Cycle(turnKind(r), by, len(turnKinds))]
			like := r
			like.Moving, like.Salvo = kind.moving, kind.salvo
			return setCustomRules(s, r.Size, ships, like)
		}},
	}
	low, high := int(account.MinClock/time.Second), int(account.MaxClock/time.Second)
	clock := number("Clock", l.Text("%d to %d seconds per shot, 0 for none", low, high), int(r.Clock/time.Second), low, high,
		func(s *account.Settings, n int) error {
			s.Rules = s.Rules.WithClock(time.Duration(n) * time.Second)
			return nil
		})
	clock.none, clock.value = true, narrate.ClockName(l, r.Clock)
	clock.change = func(s *account.Settings, by int) error {
		changeClock(s, by)
		return nil
	}
	list = append(list, clock)
	if all := session.ListBots(r); len(all) > 0 {
		at := chosenBot(c, all)
		list = append(list, setting{name: "Bot", value: narrate.BotName(l, all[at].Name), about: l.Text("fires %s", all[at].About), change: func(s *account.Settings, by int) error {
			s.Bot = all[widget.Cycle(at, by, len(all))].Name
			return nil
		}})
	}
	language := choice(l, "Screen", "Language", "auto: from your session's environment", languageCodes(), &c.Language, func(s *account.Settings) *string { return &s.Language })
	if chosen, ok := i18n.Parse(c.Language); ok {
		language.value = chosen.Name()
	}
	return append(list, language,
		choice(l, "", "Colours", "auto: depends on the terminal", names(term.Themes()), &c.Theme, func(s *account.Settings) *string { return &s.Theme }),
		choice(l, "", "Symbols", "ascii: if symbols look broken", names(term.GlyphSets()), &c.Glyphs, func(s *account.Settings) *string { return &s.Glyphs }),
		choice(l, "", "Sea", "auto: plain on slow lines; plain sends less", names(term.Seas()), &c.Sea, func(s *account.Settings) *string { return &s.Sea }),
		toggle(l, "", "Animation", "animate shots and sinkings", !c.NoAnimation, func(s *account.Settings) *bool { return &s.NoAnimation }),
		toggle(l, "", "Mouse", "off: the terminal handles the mouse", !c.NoMouse, func(s *account.Settings) *bool { return &s.NoMouse }),
		toggle(l, "You", "Rated", "off: your next match is casual, without ratings", !c.Casual, func(s *account.Settings) *bool { return &s.Casual }),
		notification(l, c),
		toggle(l, "", "Do not disturb", "nobody can challenge you", c.DoNotDisturb, func(s *account.Settings) *bool { return &s.DoNotDisturb }),
		toggle(l, "", "Chat", "show chat messages", !c.HideChat, func(s *account.Settings) *bool { return &s.HideChat }),
	)
}

// choice returns a setting with several named values. The first value stands for no
// choice.
func choice(l i18n.Language, group, name, about i18n.Key, all []string, now *string, word func(s *account.Settings) *string) setting {
	at := max(0, slices.Index(all, *now))
	return setting{group: group, name: name, about: l.Text(about), value: all[at], change: func(s *account.Settings, by int) error {
		*word(s) = ""
		if next := widget.Cycle(at, by, len(all)); next > 0 {
			*word(s) = all[next]
		}
		return nil
	}}
}

// notification returns the setting of how the player is notified of their turn.
func notification(l i18n.Language, c *account.Settings) setting {
	all := []string{"", account.NotifyBell, account.NotifyOff}
	list := choice(l, "", "Your turn", "how the terminal shows that it is your turn", all, &c.Notify, func(s *account.Settings) *string { return &s.Notify })
	list.value = l.Text([...]i18n.Key{"bell, title", "bell", "off"}[max(0, slices.Index(all, c.Notify))])
	return list
}

// languageCodes returns the languages, preceded by the value for the session's own.
func languageCodes() []string {
	codes := []string{term.Auto.String()}
	for _, l := range i18n.Languages() {
		codes = append(codes, l.String())
	}
	return codes
}

// names returns the names of values.
func names[T fmt.Stringer](values []T) []string {
	var all []string
	for _, v := range values {
		all = append(all, v.String())
	}
	return all
}

// toggle returns an on/off setting.
func toggle(l i18n.Language, group, name, about i18n.Key, on bool, flag func(s *account.Settings) *bool) setting {
	return setting{group: group, name: name, about: l.Text(about), value: l.Text(onOff(on)), change: func(s *account.Settings, _ int) error {
		*flag(s) = !*flag(s)
		return nil
	}}
}

// number returns a numeric setting that can be typed.
func number(name i18n.Key, about string, value, low, high int, set func(s *account.Settings, n int) error) setting {
	return setting{
		name: name, value: strconv.Itoa(value), about: about, low: low, high: high, set: set,
		change: func(s *account.Settings, by int) error {
			if value+by < low || value+by > high {
				return i18n.Errorf("%s: choose %d to %d", name, low, high)
			}
			return set(s, value+by)
		},
	}
}

// setCustomRules sets custom rules; see [account.CustomRules], or the identical preset
// if there is one.
func setCustomRules(s *account.Settings, size, ships int, like match.Rules) error {
	r, err := account.CustomRules(size, ships, like)
	if err != nil {
		return err
	}
	all := offeredRules(s)
	if i := slices.IndexFunc(all, r.Same); i >= 0 {
		r = all[i]
	}
	if r.Name == customName {
		s.Custom = r
	}
	s.Rules = r.WithClock(s.Rules.Clock)
	return nil
}

// customName is the name of rules that are not a preset.
const customName = "custom"

// turnKinds are the available kinds of turns.
var turnKinds = [...]struct {
	name          i18n.Key
	moving, salvo bool
}{{"one shot", false, false}, {"shot and move", true, false}, {"salvo", false, true}}

// turnKind returns the index in turnKinds for rules r.
func turnKind(r match.Rules) int {
	for i, kind := range turnKinds {
		if kind.moving == r.Moving && kind.salvo == r.Salvo {
			return i
		}
	}
	return 0
}

// chosenBot returns the index of the chosen bot in all, or of the weakest bot.
func chosenBot(s *account.Settings, all []bots.Info) int {
	if i := slices.IndexFunc(all, func(b bots.Info) bool { return b.Name == s.Bot }); i >= 0 {
		return i
	}
	return 0
}

func contactName(c match.Contact) i18n.Key {
	switch c {
	case match.TouchNone:
		return "no"
	case match.TouchCorners:
		return "at corners"
	}
	return "yes"
}

func onOff(on bool) i18n.Key {
	if on {
		return "on"
	}
	return "off"
}

func (o *setting) allows(n int) bool { return n >= o.low && n <= o.high || o.none && n == 0 }

// canBecome reports whether typing more digits can lead to a valid number.
func (o *setting) canBecome(n int) bool {
	if n == 0 {
		return o.none
	}
	for low, high := n, n; low <= o.high; low, high = 10*low, 10*high+9 {
		if high >= o.low {
			return true
		}
	}
	return false
}

// refuse returns an error that states the allowed values.
func (o *setting) refuse(typed string) error {
	if o.none {
		return i18n.Errorf("%s can't be %s: type %d to %d, or 0 for none", o.name, typed, o.low, o.high)
	}
	return i18n.Errorf("%s can't be %s: type %d to %d", o.name, typed, o.low, o.high)
}
