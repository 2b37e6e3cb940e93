package tui

import (
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/internal/term/look"
	"broadside/tui/component"
	"broadside/tui/play"
	"broadside/tui/screen"
)

// top returns the current screen.
func (m *Model) top() component.Screen { return m.screens[len(m.screens)-1] }

// Open implements [component.Navigator].
func (m *Model) Open(s component.Screen) tea.Cmd {
	m.screens = append(m.screens, s)
	return m.opened(s)
}

// Replace implements [component.Navigator].
func (m *Model) Replace(s component.Screen) tea.Cmd {
	closeScreen(m.top())
	m.screens[len(m.screens)-1] = s
	return m.opened(s)
}

// Back implements [component.Navigator].
func (m *Model) Back() {
	if len(m.screens) == 1 {
		m.Home("")
		return
	}
	closeScreen(m.top())
	m.screens = m.screens[:len(m.screens)-1]
	m.scroll = 0
}

// Home implements [component.Navigator].
func (m *Model) Home(notice string) {
	if m.match != nil {
		m.env.Do(session.LeaveMatch{})
		m.match = nil
	}
	m.reset(screen.NewLobby(m.env))
	m.env.Notice = notice
}

// Begin implements [component.Navigator].
func (m *Model) Begin(notice string) tea.Cmd {
	m.Home(notice)
	if m.rejoin() {
		return nil
	}
	return m.open()
}

// reset leaves all screens for another one.
func (m *Model) reset(s component.Screen) tea.Cmd {
	for _, old := range m.screens {
		closeScreen(old)
	}
	m.screens = []component.Screen{s}
	return m.opened(s)
}

func (m *Model) opened(s component.Screen) tea.Cmd {
	m.scroll = 0
	if s, ok := s.(component.Initer); ok {
		return s.Init()
	}
	return nil
}

func closeScreen(s component.Screen) {
	if s, ok := s.(component.Closer); ok {
		s.Close()
	}
}

// ApplySettings implements [component.Navigator]. A choice that is not known is left to
// the terminal.
func (m *Model) ApplySettings(s session.Settings) {
	m.env.Settings = s
	c := look.Choice{Still: s.NoAnimation, NoMouse: s.NoMouse}
	c.Theme, _ = look.ParseTheme(s.Theme)
	c.Glyphs, _ = look.ParseGlyphs(s.Glyphs)
	m.SetLook(c)
	m.env.Lang = m.native
	if l, ok := i18n.Parse(s.Language); ok {
		m.env.Lang = l
	}
}

// PlayReplay implements [component.Navigator].
func (m *Model) PlayReplay(id string) tea.Cmd { return screen.OpenReplay(m.env, m.top(), id) }

// rejoin reports whether the player is back in a match that is still running.
func (m *Model) rejoin() bool {
	if !m.env.Do(session.Rejoin{HotSeat: true}) {
		return false
	}
	if m.followMatch(); m.match == nil {
		return false
	}
	m.env.Notice = m.env.Lang.Say("Welcome back: your match goes on.")
	return true
}

// followMatch shows the match that the session plays, if it is a new one.
func (m *Model) followMatch() {
	if now := m.env.State.Match; now != nil && now != m.match {
		m.match, m.help = now, false
		m.reset(play.New(m.env, now))
	}
}
