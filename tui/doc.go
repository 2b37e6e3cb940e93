// Package tui is the interface on a screen: the lobby, matches and everything around
// them.
//
// A [Model] is the root model of one session, as of Bubble Tea. It passes messages on
// to the current screen, draws the title bar, the notice and the bottom bar around it,
// shows the help page and follows the session: into a match, and back to the lobby. It
// knows screens only by the interfaces of package component; the screens are in
// tui/screen and, for matches that the session plays, in tui/play.
//
// Nothing in Update waits. Updates of the session are received in a command, one at a
// time, which ends with the session's context.
package tui
