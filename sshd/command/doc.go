// Package command implements the commands that users run over SSH, such as "ssh HOST
// leaderboard". Commands use the user's session; package sshd parses their command lines.
//
// Each command is a [cobra.Command] in its own file and has an entry in the list. Commands are
// created for each session, with its user and language; package sshd runs them and
// reports their errors. A command writes its results to standard output, as text or, with
// --json, as JSON, and everything else to standard error. All arguments are untrusted.
// docs/commands.md describes the commands and the JSON.
package command
