// Package sshtest is a person at a terminal, for end-to-end tests: a real SSH
// client with a pseudo terminal whose output is shown by a real terminal
// emulator, and whose keys are typed by the test.
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
// [Terminal] is what there is to know; [Connect] and [Open] are its two halves
// for tests with several sessions on one connection. Nothing here sleeps or
// polls: whoever waits is woken by output. [NeedTool] is for tests that run
// other people's programs.
//
// What the server must do or show is not known here: this package knows
// terminals only, and nothing of games.
package sshtest
