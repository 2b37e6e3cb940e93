// Package component has the contract between the root model (package tui) and the
// screens (packages tui/screen and tui/play), and the parts that several screens
// share.
//
// A [Screen] is one page of the program. It keeps its own state, and an [Env] with
// what all screens of a session share: the headless session, its state, the language
// and the settings. Update receives key presses (tea.KeyPressMsg), mouse events
// ([Mouse]) and changes of the session ([session.Update]); it acts on the session
// ([Env.Do], [Env.Later]), shows a notice, or navigates ([Env.Open], [Env.Back],
// [Env.Home]), all of which takes effect at once. View returns the lines between the
// title bar and the bottom bar with the zones that can be clicked, and Bindings the
// keys that work at the moment; the bottom bar and the help page are made from them.
// A screen that needs more implements one of the small interfaces in capabilities.go.
// The root model knows screens only by these interfaces, and screens know each other
// only by the functions that make them.
package component

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/format"
)

// Screen is one page of the program.
type Screen interface {
	Update(msg tea.Msg) tea.Cmd
	View(size Size) View
	// Bindings returns the keys that work now, in the order of the bottom bar.
	Bindings() []key.Binding
}

// The smallest terminal that the screens fit into, in cells.
const (
	MinWidth  = 40
	MinHeight = 16
)

// Size is the room for a screen, in cells.
type Size struct {
	Width, Height int // of the terminal
	Body          int // lines between the title bar and the notice
}

// Fit returns the first of some texts that fits on a line, or the last one.
func (s Size) Fit(texts ...string) string { return format.FirstFitting(s.Width, texts...) }

// Low reports whether there is room for at most two lines of text below a board.
func (s Size) Low() bool { return s.Height < 20 }

// View is a screen as it is drawn. Only Lines is required.
type View struct {
	Lines []string
	Zones []Zone
	// Boards draws the boards in Lines. Such lines are shown as they are; others are
	// folded if they are too wide.
	Boards *Boards
	Mouse  bool   // the screen gets Mouse messages
	Title  string // replaces the player's name at the right of the title bar
	// Spectators is how many people watch the match on the screen.
	Spectators int

	// Below the body there is one line of text. These take its place, the first one
	// that is not empty: Question, the notice or Input, whatever is newer, News, Brief.
	Question string // must be answered
	Input    string // a line that is being typed
	News     string // something new, for a few seconds
	Brief    string // there was no room for it in Lines
}

// Zone is a part of a view that can be clicked. Clicking it presses Key.
type Zone struct {
	Line, Left, Width int
	Key               string
}

// Mouse is what the mouse does on a screen that shows boards. X and Y are relative
// to the first of the view's lines.
type Mouse struct {
	Action MouseAction
	X, Y   int
}

// MouseAction is what a mouse can do.
type MouseAction uint8

// The actions of a mouse.
const (
	MousePress   MouseAction = iota
	MouseRelease             // of the left button
	MouseMove                // with no button down
	MouseDrag                // with the left button down
	MouseTurn                // of the wheel, or a click of the right button
)

// Closer is a screen that must be told when it is left for good.
type Closer interface{ Close() }

// Typist is a screen on which text can be typed.
type Typist interface{ Typing() Typing }

// Typing says what keys mean on a screen.
type Typing uint8

// What keys mean.
const (
	NoText   Typing = iota
	SomeText        // letters are text: y and n do not answer a challenge
	AllText         // every key goes to the screen, even those that work everywhere else
)

// Paster is a screen that accepts pasted text.
type Paster interface {
	// Paste reports whether the text was of use.
	Paste(text string) bool
}

// Interrupter is a screen on which ctrl+c does not end the session at once.
type Interrupter interface{ Interrupt() tea.Cmd }

// Player is a screen on which a match may be running.
type Player interface {
	// Playing reports whether it is. Then there are no challenges, and changes in the
	// lobby are not shown.
	Playing() bool
}

// Banner is a screen that can show a line above the notice.
type Banner interface {
	Banner(width int) string
	// Answer handles a key that answers it, and reports whether it was one.
	Answer(key string) bool
}

// Ticker is a screen that shows a running clock.
type Ticker interface {
	// NextTick returns when the clock changes next; 0 if no clock is running.
	NextTick(now time.Time) time.Duration
}

// Subject is a screen with notices that a change of the subject makes obsolete.
type Subject interface {
	// Subject returns a comparable value; nil if nothing is known yet.
	Subject() any
}

// Spectator is a screen that shows a match that others play.
type Spectator interface{ Spectate() Spectate }

// Spectate says which match a screen shows.
type Spectate struct {
	ID      string
	Counted bool // as a spectator; otherwise it is only seen in passing
	// Looking keeps the featured match running.
	Looking bool
}

// Countdown returns when the first running one of some clocks changes; 0 if they have
// all run out.
func Countdown(now time.Time, ends ...time.Time) time.Duration {
	for _, at := range ends {
		if left := at.Sub(now); !at.IsZero() && left > 0 {
			// A little more than to the full second, so that the display is
			// past it whatever the rounding.
			return left%time.Second + 5*time.Millisecond
		}
	}
	return 0
}

// MatchViewer is a screen that shows a match, or is about to.
type MatchViewer interface {
	// MatchShown returns the rules and, if both sides' commitments are known, the
	// last update of a match that is not over and done with; nil otherwise.
	MatchShown() (match.Rules, *session.MatchUpdate)
}

// Initer is a screen that has something to do when it is opened, such as reading
// from the store.
type Initer interface{ Init() tea.Cmd }
