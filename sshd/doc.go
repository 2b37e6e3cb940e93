// Package sshd is the front door: the SSH server, its host key, who somebody
// is, how much they may ask for, and the plumbing that runs one program for
// each session: a screen that is a model of Bubble Tea.
//
// What the program shows is not known here: an [App] makes a [Screen] for each
// session. [Server] is all that there is to use. Below it, a connection
// (connection.go) has one login and any number of sessions (session.go), and a
// session with a terminal runs one program (program.go, loop.go).
//
// The plumbing is our own. Session requests are filtered before the library
// sees them (filter.go), input and output are bounded (input.go, output.go),
// and a session ends when its channel, its input, its connection, its program
// or the server ends, whichever comes first. A client can only ever harm its
// own connection: whatever waits for a client has a deadline that cuts it.
package sshd
