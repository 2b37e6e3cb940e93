//go:build unix

package e2e

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"
)

// key returns the file with the key.
func (a asker) key() string { return a.args[slices.Index(a.args, "-i")+1] }

// askWith is like ask, with standard input.
func (a asker) askWith(line, in string) (out, errs string) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, a.ssh, append(a.args, line)...)
	var o, e bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(in), &o, &e
	_ = c.Run() // faults are reported in errs
	return o.String(), e.String()
}

// TestFleetsOverSSH saves a fleet on the placement screen, exports it with the real ssh
// client, and imports it under another name.
func TestFleetsOverSSH(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	ann := newAsker(t, h, "ann")
	if out, errs := ann.askWith("fleet list", ""); out != "" || !strings.Contains(errs, "no account yet") {
		t.Errorf("before there is an account: %q, %q", out, errs)
	}
	pem, err := os.ReadFile(ann.key())
	if err != nil {
		t.Fatal(err)
	}
	key, err := gossh.ParsePrivateKey(pem)
	if err != nil {
		t.Fatal(err)
	}
	p := h.with(t, "ann", key)
	introduce(p)
	p.WaitText("ann (you)")
	p.Press("b", "1")
	p.WaitText("Place your fleet")
	p.Press("x")
	p.WaitText("All ships are placed.")
	p.Press("s")
	p.Type("mine")
	p.Press("enter")
	p.WaitText("Fleet mine is saved")
	text, errs := ann.askWith("fleet export mine", "")
	if !strings.HasPrefix(text, "carrier ") {
		t.Fatalf("exported: %q, %q", text, errs)
	}
	if out, errs := ann.askWith("fleet import again", text); out != "saved: again, classic\n" {
		t.Errorf("imported: %q, %q", out, errs)
	}
	if out, errs := ann.askWith("fleet import bad", "carrier A1 A5\ncarrier C1 C5\n"); out != "" || !strings.Contains(errs, "line 2: one ship too many") {
		t.Errorf("a bad one: %q, %q", out, errs)
	}
	p.Press("o")
	p.WaitText("Fleet again loaded (1 of 2).")
	p.Press("enter")
	p.WaitText("YOUR TURN")
	if out, errs := ann.askWith("fleet remove mine", ""); out != "removed: mine\n" {
		t.Errorf("removed: %q, %q", out, errs)
	}
	if out, _ := ann.askWith("fleet list", ""); strings.Contains(out, "mine") || !strings.Contains(out, "again  classic") {
		t.Errorf("the list is %q", out)
	}
}
