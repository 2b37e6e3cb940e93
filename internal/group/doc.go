// Package group runs clients of the line protocol as programs, and ends them
// together with the programs that they have started.
package group
