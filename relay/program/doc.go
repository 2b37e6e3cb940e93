// Package program runs programs that speak the line protocol, as process groups that end together
// with their child processes.
//
// A [Program] plays one game after another. Its process may end after each game, and is then
// started again, or may keep running and wait for the next role.
package program
