// Package live runs one match between two seats in real time.
//
// A [Match] has a referee, the only user of the match.Game. It takes commands from the two
// seats, keeps the clocks, and publishes events. It has no goroutine. It works in the caller's
// goroutine, under the match's lock. It never waits for a reader. Every reader has a [Mailbox] of
// limited size, and a reader that falls behind gets the newest view instead of the events it
// missed. It does not wait for the database either. A goroutine saves events that need one, and
// the commands that arrive meanwhile wait.
//
// A [Spectator] sees what both sides may know. All spectators of a match share one feed, so
// their number does not slow the referee down.
//
// A [Seat] is one side's handle, for a player's screen, a built-in bot or a program. The
// package does not distinguish these. [SeatConfig] defines which clocks apply and whether an
// illegal command is forgiven.
//
// Rules and boards are in package match, pairing in package lobby, and frontends in packages
// tui, relay and bots.
package live
