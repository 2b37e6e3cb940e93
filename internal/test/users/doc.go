// Package users simulates many users: it opens SSH sessions with a minimal terminal
// emulator. Unlike package sshtest, it doesn't need a test and returns an error when the
// server goes away.
package users
