// Package servers runs servers as processes on this machine: single ones, and the nodes of
// one service, for tests that kill, stop and restart them. Unlike package sshtest, it
// doesn't need a test.
package servers
