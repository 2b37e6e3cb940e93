// Package program starts programs that speak the line protocol, and ends them with their child
// processes. It carries out their directives and reads their lines.
//
// A [Program] plays one game after another, on standard input and output or on a connection for
// each game. Its process may end after each game, and is then started again, or may keep running.
package program
