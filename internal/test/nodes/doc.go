// Package nodes runs the nodes of one service as processes on this machine, for tests
// that kill, stop and restart them.
package nodes
