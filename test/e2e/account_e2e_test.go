package e2e

import (
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/server"
	"broadside/internal/test/sshtest"
)

// with opens a session for the owner of a key.
func (h *testServer) with(t testing.TB, user string, key gossh.Signer) *sshtest.Terminal {
	t.Helper()
	return sshtest.Dial(t, h.ssh, sshtest.Options{User: user, Signer: key})
}

// leave ends a session from the lobby.
func leave(t testing.TB, p *sshtest.Terminal) {
	t.Helper()
	p.WaitText("Play now")
	p.Press("q")
	if status := p.Wait(); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

func TestKeyIsTheAccount(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	key := sshtest.NewSigner(t)
	h := open(t, func(c *server.Config) { c.Data = data })
	ann := h.with(t, "ann", key)
	introduce(ann)
	ann.WaitText("Welcome, ann.", "ann (you)")
	ann.Press("b", "1")
	place(ann)
	if s := shootOut(ann); !strings.Contains(s, "Your rating: ") {
		t.Errorf("no rating is shown:\n%s", s)
	}
	ann.Press("esc")
	leave(t, ann)
	h.stop()
	if err := <-h.stopped; err != nil {
		t.Fatal(err)
	}
	h.stopped <- nil

	// The same key after a restart, with another user name.
	h = open(t, func(c *server.Config) { c.Data = data })
	ann = h.with(t, "root", key)
	ann.WaitText("ann (you)")
	leave(t, ann)
}

func TestSecondKeyByLinkCode(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	ann := h.come(t, "ann")
	ann.Press("a")
	ann.WaitText("Your account: ann")
	ann.WaitMatch(`SSH keys ─+ (1)`)
	ann.Press("l")
	code := ann.WaitMatch(`([A-Z0-9-]{11})   single use`)[1]

	second := sshtest.NewSigner(t)
	laptop := h.with(t, "annabel", second)
	laptop.WaitText("Welcome aboard")
	laptop.Press("a")
	laptop.WaitText("Link this key to your account")
	laptop.Type(strings.ToLower(code))
	laptop.WaitText(code)
	laptop.Press("enter")
	laptop.WaitText("ann (you)")
	leave(t, laptop)
	laptop = h.with(t, "annabel", second)
	laptop.WaitText("ann (you)")
	laptop.Press("a")
	laptop.WaitMatch(`SSH keys ─+ (2)`)
	laptop.Press("x")
	laptop.WaitText("Remove this key?")
	laptop.Press("y")
	laptop.WaitMatch(`SSH keys ─+ (1)`)
	laptop.Press("up") // selects the key that is left
	laptop.Press("x")
	laptop.WaitText("That is the only key")
}

func TestStolenNamesAreRefused(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	ann := h.come(t, "ann")
	thief := h.with(t, "Ann", sshtest.NewSigner(t))
	introduce(thief)
	thief.WaitText("That name is taken: choose another.")
	thief.Press("backspace", "backspace", "backspace")
	thief.Type("admira1")
	thief.Press("enter")
	thief.WaitText("That name is reserved")
	thief.Press("esc")
	thief.WaitText("guest (you)") // not even as a guest
	h.visit(t, "guest", "guest-2")
	ann.WaitText("guest-2")
	if s := ann.Screen(); strings.Count(s, "ann (you)") != 1 {
		t.Errorf("ann's lobby:\n%s", s)
	}
}
