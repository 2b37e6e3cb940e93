// Package program starts programs that speak the line protocol, carries out their directives, reads
// their lines, and ends them together with their child processes.
//
// A [Program] plays one game after another, on standard input and output or on a connection for
// each game. Its process may end after each game, and is then started again, or may keep running.
package program
