// Package crowd is people from the outside, as many as wanted: sessions over SSH
// with a terminal that knows what it shows, and a server in a process of its
// own for them to come to. Unlike package sshtest it needs no test, and takes it
// calmly when the server goes away.
package crowd
