package screen

import (
	"slices"

	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/tui/term"
	"broadside/tui/widget"
)

// NewSettings returns the settings screen.
func NewSettings(env *widget.Env) widget.Screen {
	return &settingsSheet{Env: env, title: "Settings", list: generalSettings}
}

// generalSettings returns all settings but those of the next match, with text in language l.
func generalSettings(l i18n.Language, c *account.Settings) []setting {
	language := choiceSetting(l, "Screen", "Language", "auto: from your session's environment", languageCodes(), &c.Language, func(s *account.Settings) *string { return &s.Language })
	if chosen, ok := i18n.Parse(c.Language); ok {
		language.value = chosen.Name()
	}
	return []setting{
		language,
		choiceSetting(l, "", "Colours", "auto: depends on the terminal", term.ThemeNames(), &c.Theme, func(s *account.Settings) *string { return &s.Theme }),
		choiceSetting(l, "", "Symbols", "ascii: if symbols look broken", term.GlyphSetNames(), &c.Glyphs, func(s *account.Settings) *string { return &s.Glyphs }),
		choiceSetting(l, "", "Sea", "auto: plain on slow lines; plain sends less", term.SeaNames(), &c.Sea, func(s *account.Settings) *string { return &s.Sea }),
		toggleSetting(l, "", "Animation", "animate shots and sinkings", !c.NoAnimation, func(s *account.Settings) *bool { return &s.NoAnimation }),
		toggleSetting(l, "", "Mouse", "off: the terminal handles the mouse", !c.NoMouse, func(s *account.Settings) *bool { return &s.NoMouse }),
		notificationSetting(l, c),
		toggleSetting(l, "", "Do not disturb", "no one can challenge you", c.DoNotDisturb, func(s *account.Settings) *bool { return &s.DoNotDisturb }),
		toggleSetting(l, "", "Chat", "show chat messages", !c.HideChat, func(s *account.Settings) *bool { return &s.HideChat }),
		toggleSetting(l, "", "Bots' remarks", "bots comment on your match", !c.HideRemarks, func(s *account.Settings) *bool { return &s.HideRemarks }),
	}
}

// notificationSetting returns the setting for how players are notified of their turn.
func notificationSetting(l i18n.Language, c *account.Settings) setting {
	all := []string{"", account.NotifyBell, account.NotifyOff}
	list := choiceSetting(l, "You", "Your turn", "how the terminal shows that it is your turn", all, &c.Notify, func(s *account.Settings) *string { return &s.Notify })
	list.value = l.Text([...]i18n.Key{"bell, title", "bell", "off"}[max(0, slices.Index(all, c.Notify))])
	return list
}

// languageCodes returns the languages, preceded by the value for the session's own.
func languageCodes() []string {
	codes := []string{"auto"}
	for _, l := range i18n.Languages() {
		codes = append(codes, l.String())
	}
	return codes
}
