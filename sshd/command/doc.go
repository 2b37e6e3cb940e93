// Package command implements the commands that users run over SSH, such as "ssh HOST
// leaderboard". Most of them also work in line mode.
//
// Each command has an entry in list.go: its name, its forms, who may use it, and the method of [Call] that runs
// it. The options, the number of arguments and the help follow from the forms. A new command needs an entry, a
// method and the translations of its texts.
//
// A command uses the user's session. It writes its results to standard output, as text or, with --json, as
// JSON, and everything else to standard error. All arguments are untrusted. docs/commands.md describes the
// commands and the JSON.
package command
