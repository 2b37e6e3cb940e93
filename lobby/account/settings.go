package account

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/lobby/stakes"
	"broadside/match"
)

// Settings are what a person has chosen. The zero value of each field except Rules is
// the default.
type Settings struct {
	Rules  match.Rules // of the next match, with its clock; always valid
	Custom match.Rules // the custom rules last made; without a Name there are none
	Casual bool        // the next match is casual
	Bot    string      // the last opponent among the bots; empty: none yet

	// Lower-case words that the frontends define. Empty or unknown: what suits the
	// terminal.
	Language, Theme, Glyphs string

	NoAnimation  bool // nothing is animated
	NoMouse      bool // the mouse is left to the terminal
	Bell         bool // the terminal's bell rings when it is the person's turn
	DoNotDisturb bool // the person wants no challenges
	HideChat     bool // what others say is not shown
}

// DefaultSettings returns the settings of a new player.
func DefaultSettings() Settings { return Settings{Rules: match.Classic()} }

// Stakes returns the stakes of the next match: [stakes.Rated] or [stakes.Casual].
func (s Settings) Stakes() stakes.Stakes {
	if s.Casual {
		return stakes.Casual
	}
	return stakes.Rated
}

// The shortest and the longest turn clock that people can choose. 0 is none.
const (
	MinClock = 5 * time.Second
	MaxClock = time.Hour
)

// CheckClock returns why a turn clock cannot be chosen, or nil.
func CheckClock(d time.Duration) error {
	if d != 0 && (d < MinClock || d > MaxClock || d%time.Second != 0) {
		return i18n.Errorf("a-clock-of-x-to", d, int(MinClock/time.Second), int(MaxClock/time.Second))
	}
	return nil
}

// CustomRules returns custom rules: the first ships of the standard list on a square
// board of the given size. All else is as in like.
func CustomRules(size, ships int, like match.Rules) (match.Rules, error) {
	r, err := match.Custom(size, ships, like.Contact)
	if err != nil {
		return r, err
	}
	r.Moving, r.Salvo = like.Moving, like.Salvo
	return r, r.Validate()
}

// settingsVersion is the version of the encoding: an object with a field for each
// setting that is not the default. Unknown fields of newer versions are ignored.
const settingsVersion = 1

// storedRules is how custom rules are stored.
type storedRules struct {
	Size    int           `json:"size"`
	Ships   int           `json:"ships"`
	Contact match.Contact `json:"contact"`
	Moving  bool          `json:"moving,omitempty"`
	Salvo   bool          `json:"salvo,omitempty"`
}

// words and flags return the fields that are a single word or a flag, by their name in
// the encoding.
func (s *Settings) words() map[string]*string {
	return map[string]*string{"bot": &s.Bot, "language": &s.Language, "theme": &s.Theme, "glyphs": &s.Glyphs}
}

func (s *Settings) flags() map[string]*bool {
	return map[string]*bool{"still": &s.NoAnimation, "no_mouse": &s.NoMouse, "bell": &s.Bell, "quiet": &s.DoNotDisturb, "no_talk": &s.HideChat, "casual": &s.Casual}
}

// MarshalJSON implements json.Marshaler.
func (s Settings) MarshalJSON() ([]byte, error) {
	fields := map[string]any{"version": settingsVersion, "rules": s.Rules.Name, "clock": int(s.Rules.Clock / time.Second)}
	if c := s.Custom; c.Name != "" {
		fields["custom"] = storedRules{c.Size, len(c.Fleet), c.Contact, c.Moving, c.Salvo}
	}
	for name, word := range s.words() {
		if *word != "" {
			fields[name] = *word
		}
	}
	for name, flag := range s.flags() {
		if *flag {
			fields[name] = true
		}
	}
	return json.Marshal(fields)
}

// UnmarshalJSON implements json.Unmarshaler. Each field that is missing or invalid is as
// in [DefaultSettings]. The error means that data is not an object.
func (s *Settings) UnmarshalJSON(data []byte) error {
	*s = DefaultSettings()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	var c storedRules
	if json.Unmarshal(fields["custom"], &c) == nil {
		if r, err := CustomRules(c.Size, c.Ships, match.Rules{Contact: c.Contact, Moving: c.Moving, Salvo: c.Salvo}); err == nil {
			s.Custom = r
		}
	}
	var name string
	if json.Unmarshal(fields["rules"], &name) == nil {
		if r, err := match.Preset(name); err == nil {
			s.Rules = r
		} else if s.Custom.Name != "" && name == s.Custom.Name {
			s.Rules = s.Custom
		}
	}
	var seconds int
	if json.Unmarshal(fields["clock"], &seconds) == nil && seconds <= int(MaxClock/time.Second) {
		if d := time.Duration(seconds) * time.Second; CheckClock(d) == nil {
			s.Rules.Clock = d
		}
	}
	for name, word := range s.words() {
		if json.Unmarshal(fields[name], word) != nil || !isWord(*word) {
			*word = ""
		}
	}
	if _, err := bots.Find(s.Bot); err != nil {
		s.Bot = ""
	}
	for name, flag := range s.flags() {
		if json.Unmarshal(fields[name], flag) != nil {
			*flag = false
		}
	}
	return nil
}

// isWord reports whether s is empty or a short word in lower case.
func isWord(s string) bool {
	return len(s) <= 16 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz-") == ""
}

// Settings returns the settings of a player's account, or the defaults if there are
// none that can be read. They include what [Accounts.SaveSettings] has not stored yet.
func (a *Accounts) Settings(ctx context.Context, p Player) Settings {
	if p.Account == "" || a.cfg.Store == nil {
		return DefaultSettings()
	}
	if s, ok := a.unsavedSettings(p.Account); ok {
		return s
	}
	stored, err := a.cfg.Store.Accounts.ByID(ctx, p.Account)
	if err != nil {
		a.cfg.Log.Error("settings cannot be read", "account", p.Account, "error", err)
		return DefaultSettings()
	}
	var s Settings
	if err := json.Unmarshal(stored.Settings, &s); err != nil {
		a.cfg.Log.Warn("settings are damaged; the defaults apply", "account", p.Account, "error", err)
		return DefaultSettings()
	}
	return s
}

// unsaved is an account's settings that the store does not have yet.
type unsaved struct {
	newest  Settings
	waiting []chan<- error // one for each SaveSettings
}

// unsavedSettings returns the newest settings of an account if the store does not have
// them yet.
func (a *Accounts) unsavedSettings(account string) (newest Settings, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	u := a.unsaved[account]
	if u == nil {
		return Settings{}, false
	}
	return u.newest, true
}

// SaveSettings stores settings with a player's account, if there is one, without
// waiting. The channel yields once: nil when they are stored, or else a sentence for the
// player. Nobody needs to receive it.
func (a *Accounts) SaveSettings(p Player, s Settings) <-chan error {
	saved := make(chan error, 1)
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case p.Account == "" || a.cfg.Store == nil:
		saved <- nil
		return saved
	case a.closed:
		saved <- ErrStore
		return saved
	}
	u := a.unsaved[p.Account]
	if u == nil {
		u = &unsaved{}
		a.unsaved[p.Account] = u
		a.work.Go(func() { a.save(p.Account, u) })
	}
	u.newest, u.waiting = s, append(u.waiting, saved)
	return saved
}

// save stores an account's settings until the store has the newest ones. It is not
// interrupted by [Accounts.Close].
func (a *Accounts) save(account string, u *unsaved) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(u.waiting) > 0 {
		s, n := u.newest, len(u.waiting)
		a.mu.Unlock()
		err := a.store(account, s)
		a.mu.Lock()
		for _, saved := range u.waiting[:n] {
			saved <- err
		}
		u.waiting = u.waiting[n:]
	}
	delete(a.unsaved, account)
}

func (a *Accounts) store(account string, s Settings) error {
	text, err := json.Marshal(s)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), StoreTimeout)
		defer cancel()
		err = a.cfg.Store.Accounts.SaveSettings(ctx, account, text)
	}
	if err != nil {
		return a.explain(err)
	}
	return nil
}
