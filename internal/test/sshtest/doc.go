// Package sshtest simulates a person at a terminal, for end-to-end tests: an SSH
// client with a pseudo-terminal, a terminal emulator that shows the output, and
// keys typed by the test.
//
//	p := sshtest.Dial(t, addr, sshtest.Options{User: "ada"})
//	p.WaitText("play now")
//	p.Press("p", "down", "enter")
//	p.Type("B7")
//	screen := p.WaitFor("a result", func(screen string) bool {
//		return strings.Contains(screen, "won") || strings.Contains(screen, "lost")
//	})
//	p.Press("q")
//	if code := p.Wait(); code != 0 { … }
//	if left := p.Leftovers(); left != nil { … }
//
// Most tests need only a [Terminal]. Tests with several sessions on one connection
// use [Connect] and [Open]. Output wakes waiting methods; they do not poll.
package sshtest
