// Package sshd is the front door: the SSH server, its host key, who somebody
// is, how much they may ask for, and the plumbing that runs one Bubble Tea
// program for each session.
//
// What the program shows is not known here: an [App] makes a [Screen] for each
// session. The plumbing is our own. Session requests are filtered before the
// library sees them (filter.go), input and output are bounded (input.go,
// output.go), and a session ends when its channel, its input, its connection,
// its program or the server ends, whichever comes first (session.go). Each
// fault that this guards against has a test that is named after it.
package sshd
