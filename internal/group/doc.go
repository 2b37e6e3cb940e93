// Package group starts clients of the line protocol as process groups, so that they end
// together with their child processes.
package group
