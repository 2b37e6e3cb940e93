// Package sshd serves SSH: host keys, login, limits, and sessions with a screen, in line
// mode, or for a command. Other packages provide the content of sessions.
//
// A connection (connection.go) has one login and several sessions (session.go). Each
// session passes a chain of wish middleware, in this order: recoverPanics, logSession,
// admitUsers, limitSessions, serveCommand, serveLineMode and serveScreen. Each has its own file.
// [Config] provides a session's content: cobra commands, line mode, or an [App] with
// Bubble Tea models.
//
// A client can only harm its own connection. Channels and their requests are limited before
// the library sees them (channel.go, filter.go, buffer.go), input and output are limited
// (input.go, output.go), and everything that waits for a client has a deadline that closes
// its connection. A session ends when its channel, its input, its connection, its program
// or the server ends, whichever comes first.
package sshd
