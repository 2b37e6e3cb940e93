// Package nodes runs the program as several processes on this machine that are
// the nodes of one service, for tests that kill, stop and restart them.
package nodes
