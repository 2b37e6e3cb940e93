// Package bridge connects programs that play on standard input and output to a relay. It
// sends the directives, counts the games, and reconnects after a lost connection.
package bridge
