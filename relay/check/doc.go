// Package check tests a client of the line protocol. It acts as the server and the
// opponent, and runs the client through a list of situations. Each situation is a game on
// its own connection, unless the client has requested a series.
//
// A violation of the protocol fails a situation. Legal but poor behaviour causes a warning.
package check
