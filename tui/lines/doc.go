// Package lines implements line mode: the same lobby and matches as in the full-screen
// interface, in sentences. It is for sessions without a terminal, for terminals that
// cannot show screens, and for players who use a screen reader.
//
// A [Session] reads one command per line from a console and answers in sentences. No
// information depends on position or colour alone, changes come first, and nothing is
// repeated unless the player asks. The commands are those of package command that work
// in line mode, and those in commands.go, most of which are about a match. Each part of a
// session has its own type with its commands.
//
// Commands that must wait for the player's turn or for an earlier command are queued
// and executed in order, so a file of commands can play a match. Queries are answered
// immediately.
//
// A session has two goroutines: Run, and one that receives updates. The package does
// not depend on SSH, and leaves all decisions to package session.
package lines
