// Package lines is the line mode: the same lobby and the same matches as on the screens,
// as sentences. It is for sessions without a terminal, for terminals that cannot show
// screens, and for people who use a screen reader.
//
// A [Session] reads commands from a console, one on each line, and answers with
// sentences. No information depends on position or color alone, changes come first, and
// nothing is repeated unless the player asks. The commands are listed in table.go; each
// part of a session has its own type with its commands.
//
// A command that must wait for the player's turn, or for an earlier command, is kept and
// carried out in order. So a file of commands can play a match. Questions are answered at
// once.
//
// A session has two goroutines: Run, and one that receives updates. The package does not
// depend on SSH, and leaves all decisions to package session.
package lines
