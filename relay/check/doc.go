// Package check checks a client of the line protocol. It acts as the server and as the
// opponent, and plays the client through a list of situations. Each situation is a game on a
// connection of its own, unless the client has asked for a series.
//
// A breach of the protocol fails a situation; legal but poor behaviour is a warning.
package check
