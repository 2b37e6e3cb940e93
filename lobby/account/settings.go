package account

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/lobby/ratingmode"
	"broadside/match"
)

// Settings are a player's settings. Except for Rules, the zero value of each field is the default.
type Settings struct {
	// Rules are those of the next match, including its clock. They are always valid.
	Rules match.Rules
	// Custom holds the last custom rules. It has no Name if there are none.
	Custom match.Rules
	// Casual makes the next match casual.
	Casual bool
	// Bot is the last opponent among the bots, or empty.
	Bot string

	// These are lower-case words that the frontends define. If one is empty or unknown, the
	// frontend chooses what suits the terminal.
	Language, Theme, Glyphs, Sea string

	// Notify is how the player is notified of their turn: NotifyBell, NotifyOff, or empty for the
	// bell and the window title.
	Notify string

	// NoAnimation disables all animation.
	NoAnimation bool
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
	// DoNotDisturb refuses challenges.
	DoNotDisturb bool
	// HideChat hides what others write.
	HideChat bool
	// HideRemarks hides what bots say during a match.
	HideRemarks bool
}

// Values of [Settings].Notify.
const (
	NotifyBell = "bell"
	NotifyOff  = "off"
)

// DefaultSettings returns a new player's settings.
func DefaultSettings() Settings { return Settings{Rules: match.Classic()} }

// RatingMode returns the rating mode of the next match: [ratingmode.Rated] or [ratingmode.Casual].
func (s Settings) RatingMode() ratingmode.Mode {
	if s.Casual {
		return ratingmode.Casual
	}
	return ratingmode.Rated
}

// Limits of the turn clocks that players can choose. 0 means no clock.
const (
	MinClock = 5 * time.Second
	MaxClock = time.Hour
)

// CheckClock returns an error if d is not a valid turn clock.
func CheckClock(d time.Duration) error {
	if d != 0 && (d < MinClock || d > MaxClock || d%time.Second != 0) {
		return i18n.Errorf("clock %v: choose 0 for none, or %d to %d seconds", d, int(MinClock/time.Second), int(MaxClock/time.Second))
	}
	return nil
}

// CustomRules returns custom rules: the first ships of the standard list on a square
// board of the given size. Everything else is copied from like.
func CustomRules(size, ships int, like match.Rules) (match.Rules, error) {
	r, err := match.CustomRules(size, ships, like.Contact)
	if err != nil {
		return r, err
	}
	r.Moving, r.Salvo = like.Moving, like.Salvo
	return r, r.Validate()
}

// settingsVersion is the encoding's version. Settings are encoded as an object with a field for
// each setting that differs from its default. Unknown fields from newer versions are ignored.
const settingsVersion = 1

type storedRules struct {
	Size    int           `json:"size"`
	Ships   int           `json:"ships"`
	Contact match.Contact `json:"contact"`
	Moving  bool          `json:"moving,omitempty"`
	Salvo   bool          `json:"salvo,omitempty"`
}

// wordFields and flags return the fields that hold a word or a flag, by their name in the
// encoding.
func (s *Settings) wordFields() map[string]*string {
	return map[string]*string{"bot": &s.Bot, "language": &s.Language, "theme": &s.Theme, "glyphs": &s.Glyphs, "sea": &s.Sea, "notify": &s.Notify}
}

func (s *Settings) flagFields() map[string]*bool {
	return map[string]*bool{"still": &s.NoAnimation, "no_mouse": &s.NoMouse, "quiet": &s.DoNotDisturb, "no_talk": &s.HideChat, "no_remarks": &s.HideRemarks, "casual": &s.Casual}
}

// MarshalJSON implements json.Marshaler.
func (s Settings) MarshalJSON() ([]byte, error) {
	fields := map[string]any{"version": settingsVersion, "rules": s.Rules.Name, "clock": int(s.Rules.Clock / time.Second)}
	c := s.Custom
	if c.Name != "" {
		fields["custom"] = storedRules{c.Size, len(c.Fleet), c.Contact, c.Moving, c.Salvo}
	}
	for name, word := range s.wordFields() {
		if *word != "" {
			fields[name] = *word
		}
	}
	for name, flag := range s.flagFields() {
		if *flag {
			fields[name] = true
		}
	}
	return json.Marshal(fields)
}

// UnmarshalJSON implements json.Unmarshaler. Missing or invalid fields get their value
// from [DefaultSettings]. It returns an error if data is not an object.
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
		d := time.Duration(seconds) * time.Second
		if CheckClock(d) == nil {
			s.Rules.Clock = d
		}
	}
	for name, word := range s.wordFields() {
		if json.Unmarshal(fields[name], word) != nil || !isWord(*word) {
			*word = ""
		}
	}
	if _, err := bots.Find(s.Bot); err != nil {
		s.Bot = ""
	}
	for name, flag := range s.flagFields() {
		if json.Unmarshal(fields[name], flag) != nil {
			*flag = false
		}
	}
	return nil
}

func isWord(s string) bool {
	return len(s) <= 16 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz-") == ""
}

// Settings returns the settings stored with a player's account, or the defaults if they cannot be
// read. They include changes that [Accounts.SaveSettings] has not stored yet.
func (a *Accounts) Settings(ctx context.Context, p Player) Settings {
	if p.Account == "" || a.cfg.Store == nil {
		return DefaultSettings()
	}
	if s, ok := a.unsavedSettings(p.Account); ok {
		return s
	}
	stored, err := a.cfg.Store.Accounts.FindByID(ctx, p.Account)
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

type unsaved struct {
	newest Settings
	// waiting has a channel for each call of SaveSettings.
	waiting []chan<- error
}

// unsavedSettings returns an account's newest settings if they are not stored yet.
func (a *Accounts) unsavedSettings(account string) (newest Settings, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	u := a.unsaved[account]
	if u == nil {
		return Settings{}, false
	}
	return u.newest, true
}

// SaveSettings stores settings with the player's account, if there is one, without
// waiting. The channel yields one value: nil once they are stored, or a sentence for the
// player. The caller need not receive it.
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
		a.work.Go(func() { a.saveSettings(p.Account, u) })
	}
	u.newest, u.waiting = s, append(u.waiting, saved)
	return saved
}

// saveSettings stores an account's settings until the store has the newest ones. [Accounts.Close]
// does not interrupt it.
func (a *Accounts) saveSettings(account string, u *unsaved) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(u.waiting) > 0 {
		s, n := u.newest, len(u.waiting)
		a.mu.Unlock()
		err := a.storeSettings(account, s)
		a.mu.Lock()
		for _, saved := range u.waiting[:n] {
			saved <- err
		}
		u.waiting = u.waiting[n:]
	}
	delete(a.unsaved, account)
}

func (a *Accounts) storeSettings(account string, s Settings) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), StoreTimeout)
	defer cancel()
	if err := a.cfg.Store.Accounts.SaveSettings(ctx, account, text); err != nil {
		return a.explain(err)
	}
	return nil
}
