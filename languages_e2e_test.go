package main

import (
	"bytes"
	"strings"
	"testing"

	"broadside/internal/sshtest"
)

// german is what a client in Germany sends of its environment.
var german = map[string]string{"LANG": "de_DE.UTF-8"}

// TestGermanSession sees German from the first picture to the end of a match,
// and English after the person has chosen it.
func TestGermanSession(t *testing.T) {
	h := open(t, nil)
	p := sshtest.Dial(t, h.ssh, sshtest.Options{User: "guest", Env: german})
	if s := p.WaitText("Jetzt spielen"); strings.Contains(s, "Play now") || strings.Contains(s, "leave") {
		t.Errorf("the lobby is not German:\n%s", s)
	}
	p.Press("?")
	p.WaitText("Zwei verborgene Flotten")
	p.Press("x", "b", "1")
	p.WaitText("Stell deine Flotte auf")
	p.Press("x", "enter")
	if s := p.WaitText("Du bist dran."); strings.Contains(s, "Your") || strings.Contains(s, "help") {
		t.Errorf("the battle is not German:\n%s", s)
	}
	p.Press("q", "y")
	p.WaitText("DU HAST VERLOREN. Du hast aufgegeben.")
}

// TestGermanCommands asks for things over SSH without a terminal.
func TestGermanCommands(t *testing.T) {
	h := open(t, nil)
	var tee bytes.Buffer
	p := sshtest.Dial(t, h.ssh, sshtest.Options{
		User: "ann", Signer: sshtest.NewSigner(t), Command: "play --vs nemo", Env: map[string]string{"LC_ALL": "de"}, NoPTY: true, Tee: &tee,
	})
	if code := p.Wait(); code != 2 || !strings.Contains(tee.String(), `Einen Bot namens "nemo" gibt es nicht`) {
		t.Errorf("status %d, %s", code, &tee)
	}
}
