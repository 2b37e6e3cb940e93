package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/tui/format"
)

// accountScreen is where people see and change what opens their account, and
// see whom they have muted for good.
type accountScreen struct {
	keys   []session.Key
	muted  []session.Player
	read   bool // keys and muted are there
	at     int  // what is pointed at: the keys, then those who are muted
	remove bool // the question whether to remove it is asked

	revision int // of the account, when the rest was read
	code     string
	until    time.Time // for the code
}

// toAccount shows the account screen, or how to have an account.
func (m *Model) toAccount(notice string) tea.Cmd {
	if m.me.Account == "" && m.own.Client().Fingerprint != "" && m.own.HasStore() {
		m.screen = newIntroScreen(m.own.Client().Name, false)
		return nil
	}
	s := &accountScreen{}
	m.screen, m.notice = s, notice
	return s.load(m)
}

// load reads what is shown.
func (s *accountScreen) load(m *Model) tea.Cmd {
	if m.me.Account == "" {
		return nil
	}
	s.revision = m.state.AccountRevision
	link := session.LinkOpen{Code: s.code}
	return m.later(s, func(ctx context.Context) func() tea.Cmd {
		keys, err := session.Ask(ctx, m.own, session.Keys{})
		muted, failed := session.Ask(ctx, m.own, session.Muted{})
		open, _ := session.Ask(ctx, m.own, link) // which cannot fail
		if err == nil {
			err = failed
		}
		return func() tea.Cmd {
			if err != nil {
				m.notice = m.sentence(err)
				return nil
			}
			if !open && s.code == link.Code {
				s.code = "" // it has been used
			}
			s.take(m, keys, muted)
			return nil
		}
	})
}

// take shows what was read, which may have changed in another session. What is
// pointed at stays the same, as long as it is there.
func (s *accountScreen) take(m *Model, keys []session.Key, muted []session.Player) {
	before, at := s.at, s.pointed()
	if s.read && len(keys) > len(s.keys) {
		m.notice = m.lang.Say("A key was linked to your account.")
	}
	s.keys, s.muted, s.read = keys, muted, true
	for i := range len(keys) + len(muted) {
		if s.at = i; s.pointed() == at {
			return
		}
	}
	s.at, s.remove = max(0, min(before, len(keys)+len(muted)-1)), false
}

// pointed is the ID of what is pointed at; empty if there is nothing.
func (s *accountScreen) pointed() string {
	switch i := s.at - len(s.keys); {
	case i < 0:
		return s.keys[s.at].Fingerprint
	case i < len(s.muted):
		return s.muted[i].ID
	}
	return ""
}

// takesText: the letters that answer a challenge have other meanings here.
func (s *accountScreen) takesText() bool { return true }

func (s *accountScreen) key(m *Model, key string) tea.Cmd {
	if s.remove {
		s.remove = false
		if key == "y" {
			return s.removeKey(m)
		}
		return nil
	}
	switch key {
	case "esc", "q", "a", "backspace":
		m.toLobby("")
		return nil
	case "ctrl+c":
		return tea.Quit
	}
	if m.me.Account == "" {
		return nil
	}
	switch key {
	case "n":
		m.screen = newIntroScreen(m.me.Name, true)
	case "l":
		link, err := session.Ask(m.ctx, m.own, session.NewLinkCode{})
		if err != nil {
			m.notice = m.sentence(err)
			return nil
		}
		s.code, s.until = link.Code, link.Until
		return m.tick()
	case "up", "k":
		s.at = max(0, s.at-1)
	case "down", "j":
		s.at = max(0, min(len(s.keys)+len(s.muted)-1, s.at+1))
	case "x", "delete":
		switch {
		case s.at >= len(s.keys) && s.read:
			return s.unmute(m)
		case len(s.keys) == 1:
			m.notice = m.sentence(session.ErrLastKey)
		case len(s.keys) > 1:
			s.remove = true
		}
	}
	return nil
}

func (s *accountScreen) removeKey(m *Model) tea.Cmd {
	remove := session.RemoveKey{Fingerprint: s.keys[s.at].Fingerprint}
	return m.later(s, func(ctx context.Context) func() tea.Cmd {
		err := m.own.Do(ctx, remove)
		return func() tea.Cmd {
			m.notice = m.lang.Say("The key is removed. It opens nothing any more.")
			if err != nil {
				m.notice = m.sentence(err)
			}
			return s.load(m)
		}
	})
}

// unmute has the person hear somebody again, if anybody is muted.
func (s *accountScreen) unmute(m *Model) tea.Cmd {
	if s.at-len(s.keys) >= len(s.muted) {
		return nil
	}
	other := s.muted[s.at-len(s.keys)]
	return m.later(s, func(ctx context.Context) func() tea.Cmd {
		err := m.own.Do(ctx, session.Mute{Player: other, Hearing: session.Audible})
		return func() tea.Cmd {
			m.notice = m.lang.Say("You hear %s again.", format.Name(other.Name))
			if err != nil {
				m.notice = m.sentence(err)
			}
			return s.load(m)
		}
	})
}

func (s *accountScreen) draw(m *Model) []string {
	t := looks()
	const width = 76
	if m.me.Account == "" {
		return s.howTo(m)
	}
	lines := []string{
		format.Pad(t.strong.Render(m.lang.Say("Your account: %s", format.Name(m.me.Name))), width), "",
		" " + t.key.Render("n") + "  " + m.lang.Say("Another name"),
		" " + t.key.Render("l") + "  " + m.lang.Say("Link another key, as that of another machine"),
	}
	if left := time.Until(s.until); s.code != "" && left > 0 {
		lines = append(lines, "",
			"    "+m.lang.Say("Connect from the other machine, press tab, and type this code there:"), "",
			"        "+t.strong.Render(s.code)+t.faint.Render("   "+m.lang.Say("works once, for %s", phrase.Clock(left))))
	}
	lines = append(lines, "", t.strong.Render(m.lang.Say("Keys"))+t.faint.Render(fmt.Sprintf("  %d", len(s.keys))))
	if !s.read {
		return append(lines, t.faint.Render("  "+m.lang.Say("one moment …")))
	}
	const room = 6 // keys shown at once, and people
	first := max(0, min(s.at-room/2, len(s.keys)-room))
	for i := first; i < min(len(s.keys), first+room); i++ {
		k := s.keys[i]
		mark, here := "  ", ""
		if i == s.at {
			mark = "▸ "
		}
		if k.Fingerprint == m.own.Client().Fingerprint {
			here = "  " + m.lang.Say("(here)")
		}
		lines = append(lines, mark+format.Pad(format.Clean(k.Fingerprint, 18), 19)+format.Pad(format.Clean(k.Label, 12), 13)+
			t.faint.Render(m.lang.Say("added %s  used %s", m.lang.Day(k.Added), m.lang.Day(k.Used))+here))
	}
	if len(s.muted) > 0 {
		lines = append(lines, "", t.strong.Render(m.lang.Say("Muted for good"))+t.faint.Render(fmt.Sprintf("  %d", len(s.muted))))
		first := max(0, min(s.at-len(s.keys)-room/2, len(s.muted)-room))
		for i := first; i < min(len(s.muted), first+room); i++ {
			mark := "  "
			if i == s.at-len(s.keys) {
				mark = "▸ "
			}
			lines = append(lines, mark+format.Name(s.muted[i].Name))
		}
	}
	lines = append(lines, "")
	if s.at >= len(s.keys) {
		return append(lines, t.faint.Render("  "+m.lang.Say("Press x to hear who is pointed at again.")))
	}
	if s.remove {
		return append(lines, t.warn.Render(m.lang.Say("Remove this key?"))+" "+m.lang.Say("Press y to remove it, any other key to keep it."))
	}
	return append(lines, t.faint.Render("  "+m.lang.Say("Press x to remove the key pointed at.")))
}

// howTo says how a guest gets an account.
func (s *accountScreen) howTo(m *Model) []string {
	t := looks()
	if !m.own.HasStore() {
		return []string{"", m.sentence(session.ErrNoStore)}
	}
	return []string{
		t.strong.Render(m.lang.Say("You are a guest")), "",
		m.lang.Say("Your matches are not rated, and nobody will know you next time."),
		m.lang.Say("An account needs no password, only a key of SSH. If you have none:"), "",
		"    " + t.key.Render("ssh-keygen -t ed25519"), "",
		m.lang.Say("Then connect again, not as guest or anonymous, and choose a name."),
		m.lang.Say("A match that you are playing waits for you: note its resume code,"),
		m.lang.Say("and type it after you have come back, with %s in the lobby.", t.key.Render("m")),
	}
}

func (s *accountScreen) hints(m *Model) []i18n.Text {
	if s.remove {
		return []i18n.Text{"y", "remove", "any other key", "keep"}
	}
	if m.me.Account == "" {
		return []i18n.Text{"?", "help", "esc", "back"}
	}
	return []i18n.Text{"n", "name", "l", "link a key", "↑↓", "choose", "x", "remove", "?", "help", "esc", "back"}
}
