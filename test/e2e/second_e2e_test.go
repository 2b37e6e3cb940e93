//go:build unix

package e2e

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

// TestSecondSessionWithoutInput checks that a match stays in its player's first session when ssh connects a second
// time with the same key, without a terminal or input. Neither player's screen changes.
func TestSecondSessionWithoutInput(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	again := newSSHClient(t, h, "ann")
	pem, err := os.ReadFile(again.keyFile())
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.ParsePrivateKey(pem)
	if err != nil {
		t.Fatal(err)
	}
	ann := h.connectAs(t, "ann", key)
	createAccount(ann)
	ann.WaitText("ann (you)")
	bob := h.enterLobby(t, "bob")
	fireFirst(ann, bob)
	ann.WaitText("bob fired at B7", "YOUR TURN")
	ann.Type("J1")
	ann.WaitText("Press enter to fire at J1")
	// Wait until the shot's animation has ended.
	ann.WaitMatch(`‹[○X]›`)
	ofAnn := ann.Screen()
	bob.WaitText("ann is aiming")
	bob.WaitMatch(`\[[○X]\]`)
	ofBob := bob.Screen()

	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		c := exec.CommandContext(ctx, again.ssh, append([]string{"-T"}, again.args...)...)
		var out, errs bytes.Buffer
		c.Stdout, c.Stderr = &out, &errs // and no input: os.DevNull
		err := c.Run()
		cancel()
		if err != nil || !strings.Contains(out.String(), "You have a match in another session.") {
			t.Fatalf("the second session: %v\n%s%s", err, out.String(), errs.String())
		}
		if s := out.String(); strings.Contains(s, "Welcome back") || strings.Contains(s, "resume code") {
			t.Errorf("the second session took the seat:\n%s", s)
		}
	}

	if s := ann.Screen(); s != ofAnn {
		t.Errorf("ann's screen was\n%s\nand is\n%s", ofAnn, s)
	}
	if s := bob.Screen(); s != ofBob {
		t.Errorf("bob's screen was\n%s\nand is\n%s", ofBob, s)
	}
	// This completes the cell that the first session started to type.
	ann.Type("0")
	ann.Press("enter")
	ann.WaitText("You fired at J10:", "bob is aiming")
	if s := bob.WaitText("ann fired at J10", "YOUR TURN"); strings.Contains(s, "away") || strings.Contains(s, "is back") {
		t.Errorf("bob saw ann leave:\n%s", s)
	}
	aim(bob, "C3")
	ann.WaitText("bob fired at C3", "YOUR TURN")
}
