// Package widget defines what a screen is, and has parts that several screens share. The root
// model (package tui) runs the screens of packages tui/screen and tui/play.
//
// A [Screen] is one page of the interface. It has its own state and an [Env], which
// all screens of a session share: the session, its state, the language and
// the settings. Update receives key presses (tea.KeyPressMsg), mouse events ([MouseEvent])
// and session updates ([session.Update]). It acts on the session ([Query],
// [Exec]), shows a notice, or changes the screen (see [Navigator]).
// View returns the lines between the title bar and the bottom
// bar, with their clickable zones. Actions lists what keys do now. The bottom bar and the
// help page show the same list.
//
// A screen that needs more implements some of the small interfaces in this file. The
// root model depends on screens only through these interfaces, and screens depend on
// each other only through their constructors.
package widget

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/narrate"
	"broadside/match"
	"broadside/tui/text"
)

// Screen is one page of the interface.
type Screen interface {
	// Update handles a message. Of the keys, it receives those without an action.
	Update(msg tea.Msg) tea.Cmd
	View(size Size) View
	// Actions returns what the player can do now, most important first. The bottom bar shows the
	// first actions that fit, and help.
	Actions() []Action
}

// The minimum terminal size, in cells.
const (
	MinWidth  = 40
	MinHeight = 16
)

// Size is the space for a screen, in cells.
type Size struct {
	// Width and Height are the terminal's.
	Width, Height int
	// Body is the number of lines between the title bar and the notice.
	Body int
}

// Margin returns the number of columns between a block and the edge of the screen, and
// between blocks.
func (s Size) Margin() int {
	if s.Width < 90 {
		return 1
	}
	return 2
}

// FirstFitting returns the first text that fits on a line, or the last one if none does.
func (s Size) FirstFitting(texts ...string) string { return text.FirstFitting(s.Width, texts...) }

// IsLow reports whether at most two lines of text fit below a board.
func (s Size) IsLow() bool { return s.Height < 20 }

// View is a screen's content. Only Lines is required.
type View struct {
	Lines []string
	// Width is the width of every line, or 0 if they differ.
	Width int
	// Boards draws the boards in Lines.
	Boards *Boards
	// Mouse is set if the screen wants [MouseEvent] messages.
	Mouse bool
	// Heading says what is happening, in the middle of the title line.
	Heading string
	// Title replaces the player's name in the title line.
	Title string
	// Header replaces the title line. A screen with a taller header has fewer lines for
	// its body than [Size] says.
	Header []string
	// Spectators is the number of spectators of the match on the screen.
	Spectators int

	// The line below the body shows the first of these that is not empty: a question, the notice
	// or an open input line, whichever is newer, recent news, or text that did not fit in Lines.
	Question string
	Input    string
	Recent   string
	Brief    string
}

// Pick is the message for a click on an item of a screen.
type Pick struct{ Item int }

// MouseEvent is a mouse event on a screen that shows boards. X and Y are relative to the
// first of the view's lines.
type MouseEvent struct {
	Action MouseAction
	X, Y   int
}

// MouseAction is a kind of mouse event.
type MouseAction uint8

// The kinds of mouse events.
const (
	MousePress MouseAction = iota
	// MouseRelease is a release of the left button.
	MouseRelease
	// MouseMove is a move with no button down.
	MouseMove
	// MouseDrag is a move with the left button down.
	MouseDrag
	// MouseRotate is a turn of the wheel or a right click.
	MouseRotate
)

// Manual is a screen with more keys than the bottom bar shows.
type Manual interface {
	// Keys returns the actions for the help page.
	Keys() []Action
}

// Typist is a screen with text input.
type Typist interface{ Typing() Typing }

// Typing is the meaning of keys on a screen.
type Typing uint8

// The meanings of keys.
const (
	NoText Typing = iota
	// SomeText means that letters are text, so y and n do not answer a challenge.
	SomeText
	// AllText means that the screen receives every key, including global ones.
	AllText
)

// Paster is a screen that accepts pasted text even if keys are no text.
type Paster interface{ AcceptsPaste() bool }

// Interrupter is a screen on which ctrl+c does not end the session immediately.
type Interrupter interface{ Interrupt() tea.Cmd }

// MatchPlayer is a screen that can run a match.
type MatchPlayer interface {
	// IsPlaying reports whether a match is running. If so, challenges and lobby changes are
	// hidden.
	IsPlaying() bool
	// IsMyTurn reports whether the match waits for the player.
	IsMyTurn() bool
}

// BannerScreen is a screen that can show a line above the notice.
type BannerScreen interface {
	Banner(width int) string
	// AnswerBanner reports whether the key answers the banner, and handles it if so.
	AnswerBanner(key string) bool
}

// Ticker is a screen with a running clock.
type Ticker interface {
	// NextTick returns the time until a clock's text changes, or 0 if no clock runs.
	NextTick(now time.Time) time.Duration
}

// Subject is a screen whose notices become obsolete when its subject changes.
type Subject interface {
	// Subject returns a comparable value, or nil if it is unknown.
	Subject() any
}

// MatchSpectator is a screen that shows a match between other players.
type MatchSpectator interface{ WatchTarget() WatchTarget }

// WatchTarget identifies the match that a screen shows.
type WatchTarget struct {
	ID string
	// Counted is set if the session counts as a spectator. Otherwise it only previews the match.
	Counted bool
	// KeepsFeatured keeps the featured match running.
	KeepsFeatured bool
}

// TimeToClockChange returns the time until the text of a clock changes, given the times when the clocks end.
// It is 0 if all have ended.
func TimeToClockChange(now time.Time, ends ...time.Time) (next time.Duration) {
	for _, at := range ends {
		left := at.Sub(now)
		if !at.IsZero() && left > 0 {
			next = ShorterWait(next, narrate.NextTimeLeftChange(left))
		}
	}
	return next
}

// ShorterWait returns the shorter of two waiting times. A time that is not positive means forever.
func ShorterWait(a, b time.Duration) time.Duration {
	if a <= 0 || b > 0 && b < a {
		return b
	}
	return a
}

// RulesScreen is a screen that shows a match or is about to.
type RulesScreen interface {
	// ShownRules returns the match's rules.
	ShownRules() match.Rules
}

// Initializer is a screen that does something when it opens, such as reading from the store.
type Initializer interface{ Init() tea.Cmd }
