// Package tui is the full-screen interface: the lobby, matches and everything around
// them.
//
// A [Model] is the Bubble Tea root model of one session. It passes messages to the
// current screen and draws the title bar, the notice and the bottom bar around it. It
// also shows the help page, opens the player's match when one begins and returns to
// the lobby afterwards. It depends on screens only through the interfaces in package
// component. The screens are in tui/screen and, for matches that the session plays, in
// tui/play.
//
// Update never blocks. A command receives session updates, one at a time, and ends
// with the session's context.
package tui
