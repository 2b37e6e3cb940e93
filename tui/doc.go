// Package tui is the full-screen interface: the lobby, matches and everything around
// them.
//
// A [Model] is the Bubble Tea root model of one session. It passes messages to the
// current screen and draws the title bar, the notice and the bottom bar around it. It
// also shows the help page, opens the player's match when one starts and returns to
// the lobby afterwards. It depends on screens only through the interfaces in package
// widget. The screens are in tui/screen and, for matches that the session plays, in
// tui/play.
//
// One command waits until the session has an update or a clock on the screen changes. It ends
// with a message, after which Update starts it again.
//
// Update never waits for the database. What may wait runs in a command ([widget.Query] and
// [widget.Exec]), which ends with the session. A message carries its result back to the screen
// that asked. Update itself calls only methods of the session that
// take a short lock in memory: for the state and its updates, for what happens in a match
// (such as Place, Fire and Resign), for offers, seats and spectators, and for link codes.
package tui
