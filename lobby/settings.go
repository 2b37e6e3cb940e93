package lobby

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/match"
)

// Settings are what a person has chosen. The zero value of each field but
// Rules is what holds for who has chosen nothing. A value is not changed by
// others than its owner.
type Settings struct {
	Rules  match.Rules // for the next match, with its clock; always valid
	Custom match.Rules // made by the person last; without a Name there are none
	Casual bool        // the next match is to be casual
	Bot    string      // to play against; empty: no choice yet

	// Empty: what goes with the terminal. Else a short word; who draws the
	// screens knows what it means, and takes one that is not known for empty.
	Language, Theme, Glyphs string

	NoAnimation  bool // nothing is animated
	NoMouse      bool // the mouse is left to the terminal
	Bell         bool // the terminal's bell rings when it is the person's turn
	DoNotDisturb bool // the person wants no challenges
	HideChat     bool // what others say is not shown
}

// DefaultSettings are those of who has chosen nothing.
func DefaultSettings() Settings { return Settings{Rules: match.Classic()} }

// Stakes returns the stakes of the next match: [Rated] or [Casual].
func (s Settings) Stakes() Stakes {
	if s.Casual {
		return Casual
	}
	return Rated
}

// The turn clocks that people can choose, but for 0, which is none.
const (
	MinClock = 5 * time.Second
	MaxClock = time.Hour
)

// CheckClock tells whether a turn clock can be chosen. The error is a sentence
// for the person.
func CheckClock(d time.Duration) error {
	if d != 0 && (d < MinClock || d > MaxClock || d%time.Second != 0) {
		return i18n.Errorf("a clock of %v: choose 0 for none, or %d to %d seconds", d, int(MinClock/time.Second), int(MaxClock/time.Second))
	}
	return nil
}

// CustomRules are rules that a person has put together: the first ships of the
// standard list on a board of so many cells along a side. The error is a
// sentence for the person.
func CustomRules(size, ships int, contact match.Contact, moving bool) (match.Rules, error) {
	r, err := match.Custom(size, ships, contact)
	if err != nil || !moving {
		return r, err
	}
	r.Moving = true
	return r, r.Validate()
}

// settingsVersion is that of the encoding: an object with a field for each
// setting that is not the default. A newer program's settings are read as far
// as they are understood.
const settingsVersion = 1

// storedRules is how custom rules are stored.
type storedRules struct {
	Size    int           `json:"size"`
	Ships   int           `json:"ships"`
	Contact match.Contact `json:"contact"`
	Moving  bool          `json:"moving,omitempty"`
}

// words and flags are the fields that are no more than a word or a flag, by
// their name in the encoding.
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
		fields["custom"] = storedRules{c.Size, len(c.Fleet), c.Contact, c.Moving}
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

// UnmarshalJSON implements json.Unmarshaler. What is missing, unknown or cannot
// be is as in [DefaultSettings], each field for itself. The error says that
// there are no fields at all.
func (s *Settings) UnmarshalJSON(data []byte) error {
	*s = DefaultSettings()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	var c storedRules
	if json.Unmarshal(fields["custom"], &c) == nil {
		if r, err := CustomRules(c.Size, c.Ships, c.Contact, c.Moving); err == nil {
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

// isWord tells whether a setting is a short word.
func isWord(s string) bool {
	return len(s) <= 16 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz-") == ""
}

// Settings are those of a player's account, or the default. It reads from the
// disk.
func (l *Lobby) Settings(ctx context.Context, p Player) Settings {
	if p.Account == "" || l.cfg.Store == nil {
		return DefaultSettings()
	}
	account, err := l.cfg.Store.Accounts.ByID(ctx, p.Account)
	if err != nil {
		l.cfg.Log.Error("somebody's settings cannot be read", "account", p.Account, "error", err)
		return DefaultSettings()
	}
	var s Settings
	if err := json.Unmarshal(account.Settings, &s); err != nil {
		l.cfg.Log.Warn("somebody's settings are spoiled, so the default holds", "account", p.Account, "error", err)
		return DefaultSettings()
	}
	return s
}

// Keep says what the person has chosen. It is stored with their account, if
// they have one, and at once in force as far as the lobby is concerned: see
// [Member.SetQuiet]. The channel yields once, when it is stored or is not; then
// the error is a sentence for the person. Nobody needs to receive it.
func (v *Member) SaveSettings(s Settings) <-chan error {
	l := v.lobby
	kept := make(chan error, 1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.setQuiet(v.player.ID, s.DoNotDisturb)
	switch {
	case v.player.Account == "" || l.cfg.Store == nil:
		kept <- nil
		return kept
	case l.ctx.Err() != nil:
		kept <- ErrStore
		return kept
	}
	// What is chosen while the disk is at work replaces what waits for it.
	v.unsaved, v.unsavedOf = s, v.player.Account
	v.savers = append(v.savers, kept)
	if len(v.savers) == 1 {
		l.work.Go(v.save)
	}
	return kept
}

// save stores settings until all are.
func (v *Member) save() {
	l := v.lobby
	for {
		l.mu.Lock()
		s, account, n := v.unsaved, v.unsavedOf, len(v.savers)
		l.mu.Unlock()
		// Whoever has left, or closes the lobby, has chosen nevertheless.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(l.ctx), storeTime)
		text, err := json.Marshal(s)
		if err == nil {
			err = l.cfg.Store.Accounts.SaveSettings(ctx, account, text)
		}
		cancel()
		if err != nil {
			err = l.explain(err)
		}
		l.mu.Lock()
		for _, kept := range v.savers[:n] {
			kept <- err
		}
		v.savers = v.savers[n:]
		done := len(v.savers) == 0
		l.mu.Unlock()
		if done {
			return
		}
	}
}
