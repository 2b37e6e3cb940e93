//go:build unix

package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/server"
	"broadside/internal/store"
	"broadside/internal/test/need"
	"broadside/internal/test/sshtest"
)

// operated opens a server and makes a player its operator while it runs.
func operated(t *testing.T, changes ...func(*server.Config)) (h *testServer, op asker) {
	t.Helper()
	data := t.TempDir()
	h = open(t, func(c *server.Config) {
		c.Data = data
		for _, change := range changes {
			change(c)
		}
	})
	op = newAsker(t, h, "op")
	if status, _, errs := op.ask("list"); status != 2 || !strings.Contains(errs, "There is no command list here.") {
		t.Fatalf("before there are operators: status %d: %s", status, errs)
	}
	public, err := os.ReadFile(op.args[slices.Index(op.args, "-i")+1] + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "admin_keys"), append([]byte("# operators\n\n"), public...), 0o600); err != nil {
		t.Fatal(err)
	}
	return h, op
}

// must runs a command that must succeed, and checks that its output contains texts.
func (a asker) must(line string, texts ...string) string {
	a.t.Helper()
	status, out, errs := a.ask(line)
	if status != 0 || errs != "" {
		a.t.Fatalf("%s: status %d: %s", line, status, errs)
	}
	for _, text := range texts {
		if !strings.Contains(out, text) {
			a.t.Errorf("%s: no %q in:\n%s", line, text, out)
		}
	}
	return out
}

// newcomer is a player with a key, an account and a session.
func newcomer(t *testing.T, h *testServer, name string) (*sshtest.Terminal, gossh.Signer) {
	t.Helper()
	key := sshtest.NewSigner(t)
	p := h.with(t, name, key)
	introduce(p)
	p.WaitText(name + " (you)")
	return p, key
}

func TestBanEndsAMatch(t *testing.T) {
	t.Parallel()
	h, op := operated(t)
	ann, key := newcomer(t, h, "ann")
	bob := h.come(t, "bob")
	ann.Press("p")
	bob.WaitText("1 waiting") // otherwise bob might be the waiting player
	bob.Press("p")
	place(ann)
	place(bob)
	exchange(bob, ann)
	bob.WaitText("YOUR TURN")
	fingerprint := gossh.FingerprintSHA256(key.PublicKey())
	op.must("list", "ann", "bob", "127.0.0.1", fingerprint)

	op.must("ban ann --for 24h --reason was very rude", "banned: "+fingerprint+", until ", "disconnected: 1 connection")
	if status := ann.Wait(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if s := ann.Screen(); !strings.Contains(s, "You are banned from this server: was very rude") {
		t.Errorf("ann is not told:\n%s", s)
	}
	bob.WaitText("YOU WON")

	again := h.with(t, "other", key)
	again.WaitText("You are banned from this server until", "was very rude.")
	if status := again.Wait(); status != 1 {
		t.Errorf("exit status %d", status)
	}
	op.must("bans", fingerprint, "was very rude")
	op.must("bans --json", `"reason": "was very rude"`)
	op.must("log", "ban", fingerprint)

	op.must("unban ann", "no longer banned: "+fingerprint)
	h.with(t, "ann", key).WaitText("ann (you)")
}

func TestKickBroadcastRename(t *testing.T) {
	t.Parallel()
	h, op := operated(t)
	ann, key := newcomer(t, h, "ann")
	op.must("broadcast The harbour closes at noon")
	ann.WaitText("Operator: The harbour closes at noon")
	ann.Press("b")
	ann.WaitText("Play a bot") // keys keep working as before
	ann.Press("esc")
	op.must("rename ANN anchor", "renamed: ann is now anchor")
	ann.WaitText("anchor (you)")
	op.must("kick anchor", "1 session")
	ann.Wait()
	if s := ann.Screen(); !strings.Contains(s, "An operator has ended your session.") {
		t.Errorf("the kicked player does not see the reason:\n%s", s)
	}
	h.with(t, "ann", key).WaitText("anchor (you)")
	op.must("mute anchor --for 1h", "muted: anchor, until")
	op.must("unmute anchor")
	log := op.must("log --json --limit 5")
	for _, act := range []string{"broadcast", "rename", "kick", "mute", "unmute"} {
		if !strings.Contains(log, `"act": "`+act+`"`) {
			t.Errorf("no %s in the log:\n%s", act, log)
		}
	}
}

func TestLockdown(t *testing.T) {
	t.Parallel()
	h, op := operated(t)
	ann, _ := newcomer(t, h, "ann")
	bob, bobKey := newcomer(t, h, "bob")
	leave(t, bob)
	op.must("lockdown on", "lockdown: on")
	refused := func(p *sshtest.Terminal) {
		t.Helper()
		p.WaitText("This server is closed for now")
		if status := p.Wait(); status != 1 {
			t.Errorf("exit status %d", status)
		}
	}
	refused(h.with(t, "new", sshtest.NewSigner(t)))
	refused(sshtest.Dial(t, h.ssh, sshtest.Options{User: "guest"}))
	if line, err := h.program(t).lines.ReadString('\n'); err == nil {
		t.Errorf("a program is told %q", line)
	}

	ann.Press("b") // connected players stay
	ann.WaitText("Play a bot")
	h.with(t, "bob", bobKey).WaitText("bob (you)") // existing accounts are admitted

	op.must("lockdown off", "lockdown: off")
	h.with(t, "new", sshtest.NewSigner(t)).WaitText("Welcome aboard")
}

// from connects to an address from the given loopback address.
func from(t *testing.T, source, address string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(source)}}
	nc, err := d.Dial("tcp", address)
	if err != nil {
		need.Skip(t, "there is no address %s: %v", source, err)
	}
	t.Cleanup(func() { nc.Close() })
	nc.SetDeadline(time.Now().Add(patience))
	return nc
}

func TestBannedAddress(t *testing.T) {
	t.Parallel()
	h, op := operated(t)
	nc := from(t, "127.0.0.2", h.relay)
	bad := &raw{t, nc, bufio.NewReader(nc), nc}
	bad.hear("(3,[]).\n")
	good := h.program(t)
	good.hear("(4,[]).\n")
	op.must("list", "127.0.0.2", "p1", "p2")
	if status, _, errs := op.ask("ban 127.0.0.0/24"); status != 1 || !strings.Contains(errs, "127.0.0.1 is your own address") {
		t.Errorf("an operator bans themself: status %d: %s", status, errs)
	}
	op.must("ban 127.0.0.2 --for 7d", "banned: 127.0.0.2/32, until", "disconnected: 1 connection")
	for what, r := range map[string]*raw{"the banned program": bad, "its opponent": good} {
		if rest, err := io.ReadAll(r.lines); err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("%s does not receive the end: %v, %q", what, err, rest)
		}
	}
	for _, address := range []string{h.relay, h.ssh} {
		if text, _ := io.ReadAll(from(t, "127.0.0.2", address)); len(text) > 0 {
			t.Errorf("%s sends %q to a banned address", address, text)
		}
	}
	h.program(t).hear("(3,[]).\n")
	op.must("unban 127.0.0.2")
	nc = from(t, "127.0.0.2", h.relay)
	(&raw{t, nc, bufio.NewReader(nc), nc}).hear("(4,[]).\n")
}

// TestKickProgram checks that a program that an operator kicks gets the reason, loses its
// match and is disconnected.
func TestKickProgram(t *testing.T) {
	t.Parallel()
	h, op := operated(t, heed)
	first := h.program(t)
	first.say("% rated\n% ready\n")
	first.hear("% ok rated\n")
	first.hear("% ok ready\n")
	first.hear("(3,[]).\n")
	second := h.program(t)
	second.say("% ready\n")
	second.hear("% ok ready\n")
	second.hear("(4,[]).\n")
	op.must("kick p1", "kicked: p1 (1 session)")
	told, err := io.ReadAll(first.lines)
	if err != nil || !strings.Contains(string(told), "An operator has ended your session.") {
		t.Errorf("the program that is kicked reads %q, %v", told, err)
	}
	if rest, err := io.ReadAll(second.lines); err != nil {
		t.Errorf("its opponent is not told of the end: %v, %q", err, rest)
	}
	for deadline := time.Now().Add(patience); strings.Contains(op.must("list"), " program "); {
		if time.Now().After(deadline) {
			t.Fatal("the sessions of programs that have left stay open")
		}
	}
	op.must("log --limit 1", "kick", "p1")
}

// TestBansEndByThemselves checks that a ban expires on time for SSH and the relay.
func TestBansEndByThemselves(t *testing.T) {
	t.Parallel()
	h, op := operated(t)
	ann, key := newcomer(t, h, "ann")
	leave(t, ann)
	from(t, "127.0.0.2", h.relay).Close() // otherwise this machine has no such address

	const span = 2 * time.Second
	begun := time.Now()
	op.must("ban ann --for 2s", "banned: SHA256:")
	op.must("ban 127.0.0.2 --for 2s", "banned: 127.0.0.2/32")
	knock := func(what string, open func() bool) {
		t.Helper()
		for !open() {
			if time.Since(begun) > patience {
				t.Fatalf("%s: the ban does not end", what)
			}
			time.Sleep(100 * time.Millisecond)
		}
		if early := span - time.Since(begun); early > 0 {
			t.Errorf("%s: the ban has ended %v too early", what, early)
		}
	}
	knock("a key", func() bool {
		p := h.with(t, "ann", key)
		s := p.WaitFor("the lobby, or why not", func(s string) bool {
			return strings.Contains(s, "ann (you)") || strings.Contains(s, "You are banned from this server until")
		})
		p.Hangup()
		return strings.Contains(s, "ann (you)")
	})
	for what, c := range map[string]struct{ address, says string }{"the relay": {h.relay, "(3,[])."}, "ssh": {h.ssh, "SSH-2.0-"}} {
		knock(what, func() bool {
			nc := from(t, "127.0.0.2", c.address)
			defer nc.Close()
			said := make([]byte, len(c.says))
			n, _ := io.ReadFull(nc, said)
			if n > 0 && string(said[:n]) != c.says {
				t.Errorf("%s says %q", what, said[:n])
			}
			return n > 0
		})
	}
	if out := op.must("bans --json"); out != "[]\n" {
		t.Errorf("bans that last: %s", out)
	}
}

// TestMutedByAnOperator checks that nobody receives the lines of a muted player, who sees
// when the mute ends.
func TestMutedByAnOperator(t *testing.T) {
	t.Parallel()
	h, op := operated(t)
	ann, _ := newcomer(t, h, "ann")
	bob := h.come(t, "bob")
	talk := func(text string) {
		t.Helper()
		ann.Type(text)
		ann.Press("enter")
	}
	ann.Press("t")
	ann.WaitText("Lobby chat")
	bob.Press("t")
	talk("ahoy there")
	bob.WaitText("ann: ahoy there")
	op.must("mute ann --for 1h --reason shouting", "muted: ann, until ")
	talk("can you hear me")
	ann.WaitText("An operator has muted you until ", " UTC")
	ann.Press("esc")         // muted in matches, too
	ann.WaitText("Play now") // otherwise the answer to the challenge goes to the chat
	bob.Press("esc")
	bob.WaitText("Play now") // otherwise it is read as alt and o
	bob.Press("o", "enter")
	ann.WaitText("bob challenges you")
	ann.Press("y")
	place(ann)
	place(bob)
	ann.WaitText("YOUR TURN")
	ann.Press("t", "1")
	ann.WaitText("An operator has muted you until ")
	ann.Press("up")                // the notice uses the line of received messages
	bob.WaitText("ann is aiming.") // t has another meaning while ships are placed
	bob.Press("t", "2")
	if s := ann.WaitText("bob: Good luck!"); strings.Contains(s, "you: Hello!") {
		t.Errorf("a muted player's line is shown as sent:\n%s", s)
	}
	op.must("unmute ann", "no longer muted: ann")
	ann.Press("t", "3")
	if s := bob.WaitText("ann: "); strings.Contains(s, "hear me") || strings.Contains(s, "ann: Hello!") {
		t.Errorf("lines from before the unmute are shown:\n%s", s)
	}
	op.must("mute ann", "muted: ann, permanent")
	ann.Press("t", "1")
	ann.WaitText("An operator has muted you.")
	if status, _, errs := op.ask("unmute bob"); status != 1 || !strings.Contains(errs, "No operator has muted bob.") {
		t.Errorf("unmuting a player who is not muted: status %d: %s", status, errs)
	}
}

// TestGuestMutedByAnOperator mutes and unmutes one of several guests.
func TestGuestMutedByAnOperator(t *testing.T) {
	t.Parallel()
	h, op := operated(t)
	first, second := h.visit(t, "gus", "gus"), h.visit(t, "guest", "guest")
	for _, p := range []*sshtest.Terminal{first, second} {
		p.Press("t")
		p.WaitText("Lobby chat")
	}
	say := func(p *sshtest.Terminal, text string) {
		t.Helper()
		p.Type(text)
		p.Press("enter")
	}
	op.must("mute gus --reason shouting", "muted: gus, for this session")
	say(first, "can you hear me")
	first.WaitText("An operator has muted you.")
	say(second, "ahoy there")
	first.WaitText("guest: ahoy there")
	if s := second.WaitText("ahoy there"); strings.Contains(s, "hear me") {
		t.Errorf("lines of a muted guest are shown:\n%s", s)
	}
	op.must("log --limit 1", "mute", "gus", "shouting")
	op.must("unmute gus", "no longer muted: gus")
	first.Press("enter") // the refused text is still there
	second.WaitText("gus: can you hear me")
	op.must("mute gus --for 1h", "muted: gus, until ")
	say(first, "and now")
	first.WaitText("An operator has muted you until ")
	if status, _, errs := op.ask("unmute guest"); status != 1 || !strings.Contains(errs, "not a person's account") {
		t.Errorf("unmuting a guest who is not muted: status %d: %s", status, errs)
	}
}

func TestOnlyOperatorsHaveTheirCommands(t *testing.T) {
	t.Parallel()
	h, op := operated(t)
	op.must("help", "lockdown", "broadcast", "unban")
	ann := newAsker(t, h, "ann")
	help := ann.must("help")
	for _, name := range []string{
		"list", "kick", "ban", "unban", "bans", "mute", "unmute", "rename", "broadcast", "lockdown", "log",
	} {
		if strings.Contains(help, "HOST "+name) {
			t.Errorf("the help for all has %s", name)
		}
		status, out, errs := ann.ask(name + " x")
		if status != 2 || out != "" || !strings.HasPrefix(errs, "There is no command "+name+" here. ") {
			t.Errorf("%s: status %d, %q, %q", name, status, out, errs)
		}
		for _, other := range []string{"unban", "lockdown", "broadcast", "unmute"} {
			if strings.Contains(errs, "mean "+other) {
				t.Errorf("%s: %q", name, errs)
			}
		}
	}
	for _, c := range []struct {
		line, errs string
		status     int
	}{
		{"ban", "address is missing", 2},
		{"ban nobody", "no account and no connected player", 1},
		{"ban SHA256:short", "is not a fingerprint", 2},
		{"ban 1.2.3.4/33", "not an address or network", 2},
		{"ban 0.0.0.0/0", "too wide", 2},
		{"ban ::/0", "too wide", 2},
		{"ban 192.0.2.7 --for ever", "--for cannot be", 2},
		{"ban 192.0.2.7 --for -1h", "--for cannot be", 2},
		{"ban 192.0.2.7 why", "unexpected argument", 2},
		{"unban 192.0.2.7", "is not banned", 1},
		{"lockdown maybe", "on or off", 2},
		{"kick nobody", "no connected player", 1},
		{"rename a", "new is missing", 2},
		{"broadcast", "text is missing", 2},
		{"mute easy", "not a person's account", 1},
	} {
		status, out, errs := op.ask(c.line)
		if status != c.status || out != "" || !strings.Contains(strings.ToLower(errs), c.errs) {
			t.Errorf("%s: status %d, %q, %q", c.line, status, out, errs)
		}
	}
}

// TestNodesOfOne checks that a single server lists itself and its world.
func TestNodesOfOne(t *testing.T) {
	t.Parallel()
	h, op := operated(t)
	ann := h.come(t, "ann")
	ann.Press("b")
	ann.WaitText("Play a bot")
	ann.Press("1")
	place(ann)
	op.must("nodes", "nodes: 1, sessions: 1, programs: 0, matches: 1")
	_, text, _ := op.ask("nodes --json")
	var all []store.Node
	if err := json.Unmarshal([]byte(text), &all); err != nil || len(all) != 1 || all[0].HostKey != h.hostKey || all[0].Addresses["ssh"] != h.ssh || !all[0].Active {
		t.Errorf("%v\n%s", err, text)
	}
	op.must("worlds", "main   1       open   "+h.ssh)
	if _, err := try(t.Context(), "nodes", "--data", h.data); err == nil || !strings.Contains(err.Error(), "--store") {
		t.Errorf("without a PostgreSQL database: %v", err)
	}
}
