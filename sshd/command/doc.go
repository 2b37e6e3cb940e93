// Package command is what can be asked for over SSH without a terminal:
// leaderboards, games, profiles, records.
//
// [All] lists the commands for package sshd. Each writes what was asked for to
// its output, as text or, with --json, as JSON, and nothing else; what is wrong
// goes to the errors' output, as one sentence that says what to do. All
// arguments are taken for hostile. docs/commands.md describes them, and the
// JSON.
package command
