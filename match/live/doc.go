// Package live runs one match between two seats in real time.
//
// A [Match] is a referee: one goroutine that owns a match.Game and is the only
// one to change it. It takes commands from the two seats, keeps the clocks,
// and publishes what happened. It never waits for anybody: every reader has a
// [Mailbox] of bounded size, and one that falls behind gets the newest view
// instead of the events it missed.
//
// A [Spectator] reads what both sides may know. All spectators of a match share
// what the referee writes for them, so however many there are, they do not slow
// it down.
//
// A [Seat] is the handle of whoever plays one side: a person's screen, a
// built-in bot or a program on the line protocol. What tells them apart is
// data in [SeatConfig] (which clocks apply, whether an illegal command is
// forgiven), and nothing here knows which it is.
//
// What does not live here: rules and boards (package match), who plays whom
// (package lobby), and how a seat's player is reached (packages tui, relay and
// bots).
package live
