package widget

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
)

// Env is the state that all screens of a session share. The root model keeps it up to
// date. It must only be used on the model's goroutine.
type Env struct {
	Nav Navigator
	// Ctx ends with the session.
	Ctx     context.Context
	Session *session.Session
	// State is the session's state when it was last read. See [Env.RefreshState].
	State session.State
	// Lobby is the lobby's state at the last update, so that each change is noticed once. It is never nil.
	Lobby *lobby.Snapshot
	// Settings are changed by [Env.ChangeSettings].
	Settings account.Settings
	Lang     i18n.Language
	Log      *slog.Logger

	// Notice is one sentence, shown until the next key.
	Notice string
	// Newcomer is set if the player may never have played. The lobby then offers the tutorial.
	Newcomer bool
	// AskedName is set once the player was asked to choose a name. See [Env.MustAskName].
	AskedName bool
	// Idle is set if there was no key press for a while.
	Idle        bool
	LastKeyTime time.Time
	Detail      term.Detail
	// Profile and Friends, the players that this player follows, are those that the lobby last read.
	Profile *account.Profile
	Friends []session.Friend
	Watched *WatchedMatch
	// Turns are as read last by [Env.ReadTurns]. The root model reads them when they change.
	Turns session.Turns
	// turnReads counts the reads that have started. Only the last one's result is used.
	turnReads int
	LobbyChat *Chat
	Work      Work
}

// Navigator changes screens. Changes take effect before the next message.
type Navigator interface {
	// Open opens a screen on top of the current one.
	Open(Screen) tea.Cmd
	// Replace shows a screen in place of the current one.
	Replace(Screen) tea.Cmd
	// GoBack closes the current screen. It opens the lobby if there is no screen below.
	GoBack()
	// IsCurrent reports whether a screen is the current one.
	IsCurrent(Screen) bool
	// LeaveToLobby closes all screens, leaves the match if any, and opens the lobby with a
	// notice.
	LeaveToLobby(notice string)
	// OpenStart opens the session's start screen: the player's running match, the
	// screen that the session's command line names, or the lobby with a notice.
	OpenStart(notice string) tea.Cmd
	// ApplySettings applies settings to the screens.
	ApplySettings(account.Settings)
	// OpenReplay opens a match's replay at a turn, with the admiral's advice. Turn 0
	// stands for the player's worst mistake if it is known, and otherwise for the start.
	OpenReplay(id string, turn int) tea.Cmd
}

// RefreshState reads the session's state after an action.
func (e *Env) RefreshState() { e.State = e.Session.State() }

// CheckAction takes an action's error. It shows the error, if any, reads the session's state,
// and reports whether the action succeeded.
func (e *Env) CheckAction(err error) bool {
	if err != nil {
		e.Notice = e.ErrorText(err)
	}
	e.RefreshState()
	return err == nil
}

// CanRegister reports whether the player can create an account with the session's SSH key.
func (e *Env) CanRegister() bool {
	return e.State.Me.Account == "" && e.Session.Client().Fingerprint != "" && e.Session.State().HasStore
}

// MustAskName reports whether to ask the player for a name when they leave the match. Players are asked
// once.
func (e *Env) MustAskName() bool { return !e.AskedName && e.CanRegister() }

// OwnMatch returns one of the player's running matches, or nil if the lobby shows none.
func (e *Env) OwnMatch() *lobby.RunningMatch {
	for i := range e.Lobby.Running {
		r := &e.Lobby.Running[i]
		if r.Players[0].ID == e.State.Me.ID || r.Players[1].ID == e.State.Me.ID {
			return r
		}
	}
	return nil
}

// ChangeSettings applies new settings and saves them to the account.
func (e *Env) ChangeSettings(next account.Settings) tea.Cmd {
	if reflect.DeepEqual(next, e.Settings) {
		return nil
	}
	e.Nav.ApplySettings(next)
	stored := e.Session.SaveSettings(next)
	return func() tea.Msg {
		select {
		case err := <-stored:
			return CommandResult{Then: func() tea.Cmd {
				if err != nil {
					e.Notice = e.Lang.Text("Changes apply to this session only: %s.", err)
				}
				return nil
			}}
		case <-e.Ctx.Done():
			return nil
		}
	}
}

// bellTime is how long after the last key press a player may be looking elsewhere.
const bellTime = 3 * time.Second

// RingBell rings the terminal's bell, unless the player has disabled it or has just pressed a
// key.
func (e *Env) RingBell() tea.Cmd {
	if e.Settings.Notify == account.NotifyOff || time.Since(e.LastKeyTime) < bellTime {
		return nil
	}
	return tea.Raw("\a")
}

// PublicAddress returns where others find a page of the website, see [narrate.PublicAddress].
func (e *Env) PublicAddress(path string) string {
	c := e.Session.Client()
	return narrate.PublicAddress(c.Website, c.Address, path)
}

// CopyAction returns the action that copies a line to the terminal's clipboard. It also shows the line, because
// terminals may ignore that.
func (e *Env) CopyAction(line string) Action {
	return Action{Keys: "c", Label: "copy", Off: line == "", Do: func() tea.Cmd {
		e.Notice = e.Lang.Text("Copied. If not, select the line:") + " " + line
		return func() tea.Msg { return term.Clip(line) }
	}}
}

// DisplayName returns a player's name, safe to display.
func (e *Env) DisplayName(p account.Player) string {
	if p.Kind == account.Bot {
		return narrate.BotName(e.Lang, p.Name)
	}
	return text.CleanName(p.Name)
}

// NameWithKind returns a player's name, followed by "(bot)" or "(program)" for these.
func (e *Env) NameWithKind(p account.Player) string {
	name := e.DisplayName(p)
	switch p.Kind {
	case account.Bot:
		return e.Lang.Text("%s (bot)", name)
	case account.Program:
		return e.Lang.Text("%s (program)", name)
	}
	return name
}

// NameWithRating returns a player's NameWithKind and the rating under rules r, if any.
func (e *Env) NameWithRating(p account.Player, r match.Rules) string {
	name, rating := e.NameWithKind(p), p.Rating(r)
	if rating == "" {
		return name
	}
	return name + " " + term.Faint.Render(rating)
}

// PlayerLabel returns the session player's name with the rank and the rating, or "(guest)".
func (e *Env) PlayerLabel() string {
	name := text.CleanName(e.State.Me.Name)
	if e.State.Me.Guest && !strings.HasPrefix(name, "guest") {
		return e.Lang.Text("%s (guest)", name)
	}
	if e.Profile != nil {
		r := e.Profile.ForRules(e.Settings.Rules.Name).Standing
		if r.RuleSet != "" {
			return name + "  " + RankForRating(r.Value).Insignia + " " + r.String()
		}
	}
	return name
}

// MaxErrorWidth is the maximum width of an error message, in cells.
const MaxErrorWidth = 160

// OfferText describes an offer's rules and stakes.
func (e *Env) OfferText(r match.Rules, s lobby.RatingMode) string {
	return narrate.AppendStakes(e.Lang, narrate.MatchTerms(e.Lang, r), s)
}

// ErrorText returns an error message for the player. It logs errors that are not meant for players, and
// returns [CannotRead] instead.
func (e *Env) ErrorText(err error) string {
	var said i18n.LocalizedError
	if err != nil && !errors.As(narrate.Localize(err), &said) {
		e.Log.Error("request failed", "error", err)
		return e.Lang.Text(CannotRead)
	}
	s := text.Clean(narrate.ErrorText(e.Lang, err), MaxErrorWidth)
	if s == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:] + "."
}

// CannotRead is the notice shown when the store cannot be read.
const CannotRead i18n.Key = "The data can't be read right now. Try again in a minute."

// RunningMatch returns the running match with an ID, or nil if it cannot be watched.
func (e *Env) RunningMatch(id string) *lobby.RunningMatch {
	if id == "" {
		return nil
	}
	if e.Lobby.Featured.ID == id {
		return &e.Lobby.Featured
	}
	for i := range e.Lobby.Running {
		r := &e.Lobby.Running[i]
		if r.ID == id {
			return r
		}
	}
	return nil
}

// SpectatorCount returns the number of spectators of a match.
func (e *Env) SpectatorCount(id string) int {
	r := e.RunningMatch(id)
	if r != nil {
		return r.Watching
	}
	return 0
}
