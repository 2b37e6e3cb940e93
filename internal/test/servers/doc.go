// Package servers runs servers as processes on this machine, for tests that kill, stop and restart
// them and for measurements. Unlike package sshtest, it doesn't need a test.
package servers
