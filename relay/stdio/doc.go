// Package stdio runs programs that speak the line protocol on standard input and output.
//
// A [Program] plays one game after another. Its process may end after each game, and is then
// started again, or may keep running and wait for the next role.
package stdio
