//go:build unix

package main

import (
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	gossh "golang.org/x/crypto/ssh"

	"broadside/control"
	"broadside/internal/nodes"
	"broadside/internal/sshtest"
)

// fleetOf starts some nodes of one service as processes, on a database of their
// own. They are killed with the test.
func fleetOf(t *testing.T, cfg nodes.Config) *nodes.Fleet {
	t.Helper()
	cfg.Store, cfg.Program, cfg.Folder = database(t), build(t), t.TempDir()
	cfg.Args = append([]string{"--log-level", "warn", "--bot-pace", "0s", "--relay-hello", "50ms", "--drain", "2s"}, cfg.Args...)
	cfg.Log = func(int) io.Writer { return testLog{t} }
	f, err := nodes.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	if err := f.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return f
}

// houseOf is a node as a running server.
func houseOf(n *nodes.Node) *house { return &house{ssh: n.SSH, relay: n.Relay, data: n.Data} }

// until waits for a condition.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("there is never: %s", what)
		}
	}
}

// TestNodes plays at three nodes as if they were one.
func TestNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a database and three servers")
	}
	f := fleetOf(t, nodes.Config{Count: 3})
	one, two, three := houseOf(f.Nodes[0]), houseOf(f.Nodes[1]), houseOf(f.Nodes[2])

	// All show the same key.
	prints := map[string]bool{}
	for _, n := range f.Nodes {
		c, err := gossh.Dial("tcp", n.SSH, &gossh.ClientConfig{User: "guest", HostKeyCallback: func(_ string, _ net.Addr, k gossh.PublicKey) error {
			prints[gossh.FingerprintSHA256(k)] = true
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
	if len(prints) != 1 {
		t.Errorf("host keys: %v", prints)
	}

	annKey := sshtest.NewSigner(t)
	ann := one.with(t, "ann", annKey)
	introduce(ann)
	bob, cid := two.come(t, "bob"), three.come(t, "cid")
	ann.WaitText("ann (you)", "bob", "cid")
	bob.WaitText("ann", "bob (you)", "cid")

	// Talk.
	cid.Press("t")
	cid.WaitText("Talk in the lobby")
	cid.Type("ahoy from three")
	cid.Press("enter")
	for _, p := range []*sshtest.Terminal{ann, bob} {
		p.Press("t")
		p.WaitText("cid: ahoy from three")
		p.Press("esc")
		p.WaitText("Play now")
	}

	// Whoever presses p plays the next who does, wherever that is.
	ann.Press("p")
	ann.WaitText("You were here first")
	bob.WaitText("Waiting for an opponent  1")
	bob.Press("p")
	place(ann)
	place(bob)
	bob.WaitText("Your turn.")
	bob.Type("B7")
	bob.Press("enter")
	ann.WaitText("bob fired at B7")
	ann.WaitText("Your turn.")

	// A third watches.
	cid.Press("esc")
	cid.WaitText("ann – bob")
	cid.Press("w")
	cid.WaitText("Watch a match", "ann – bob")
	cid.Press("enter")
	cid.WaitText("THE WATERS OF ann")
	ann.Type("J10")
	ann.Press("enter")
	bob.WaitText("ann fired at J10")
	cid.WaitText("ann fired at J10")

	// Every node knows of all.
	for _, n := range f.Nodes {
		until(t, "one match, known to "+n.Name, func() bool {
			r := report(t, n.Data)
			sessions, leases := 0, 0
			for _, p := range r.Nodes {
				sessions += p.Sessions
				leases += p.Leases
			}
			return len(r.Nodes) == 3 && sessions == 3 && leases == 1 && r.Matches == 1 && r.SameHostKey()
		})
	}

	// Who has lost the connection goes on at another node.
	ann.Hangup()
	bob.WaitText("ann is away.")
	again := three.with(t, "ann", annKey)
	again.WaitText("Welcome back", "bob is aiming")
	bob.WaitText("ann is back.")
	bob.Type("C3")
	bob.Press("enter")
	again.WaitText("bob fired at C3")
	aim(again, "C3")
	aim(bob, "E5")
	aim(again, "E5") // each has fired three shots, so the match counts
	again.Press("q", "y")
	bob.WaitText("YOU HAVE WON")
	cid.WaitText("has resigned")

	// A challenge, from node to node.
	for _, p := range []*sshtest.Terminal{again, bob, cid} {
		p.Press("esc")
		p.WaitText("Play now")
	}
	cid.WaitText("Matches  0")
	cid.Press("o")
	cid.WaitText("▸")
	for !strings.Contains(cid.Screen(), "▸ bob") {
		cid.Press("down")
		cid.WaitText("▸ bob")
	}
	cid.Press("enter")
	bob.WaitText("cid challenges you")
	bob.Press("y")
	place(cid)
	place(bob)
	bob.WaitText("Your turn.")
	cid.WaitText("bob is aiming")

	// Programs of two nodes play each other.
	first := one.program(t)
	first.hear("(3,[]).\n")
	second := three.program(t)
	second.hear("(4,[]).\n")

	// Who is banned at one node is out at all.
	op := operatorAt(t, f.Nodes[1])
	op.must("nodes", "nodes: 3, ")
	op.must("ban cid", "banned: ")
	cid.Wait()
	if !strings.Contains(cid.Screen(), "An operator has ended your session.") {
		t.Errorf("cid is banned at another node and told\n%s", cid.Screen())
	}
	bob.WaitText("NOBODY WON", "cid has aborted the match before it counted.")
}

// A node that waits for the others says so, and can be told to end.
func TestNodeThatWaits(t *testing.T) {
	f, err := nodes.New(nodes.Config{Program: build(t), Folder: t.TempDir(), Store: database(t), Count: 3})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	one := f.Nodes[0]
	if err := one.Launch(); err != nil {
		t.Fatal(err)
	}
	until(t, "a node that waits", func() bool {
		r, err := control.Ask(t.Context(), one.Data)
		return err == nil && len(r.Nodes) == 1 && r.Nodes[0].Name == one.Name && strings.Contains(r.Nodes[0].Trouble, "waits for the others") &&
			r.Age(r.Nodes[0]) >= time.Second
	})
	if err := one.Stop(); err != nil {
		t.Error(err)
	}
}

// TestNodeIsRestarted drains one of two nodes, which find each other at NATS
// servers elsewhere: who was there goes on at the other.
func TestNodeIsRestarted(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a database and two servers")
	}
	f := fleetOf(t, nodes.Config{Count: 2, NATS: outside(t), Env: []string{"BROADSIDE_CLUSTER_SECRET=word"}})
	one, two := houseOf(f.Nodes[0]), houseOf(f.Nodes[1])
	annKey := sshtest.NewSigner(t)
	ann := one.with(t, "ann", annKey)
	introduce(ann)
	ann.WaitText("ann (you)")
	dan := one.talk(t, "dan", "")
	dan.hear(regexp.MustCompile("Welcome to Broadside"))
	bob := two.come(t, "bob")
	bob.WaitText("ann")
	ann.Press("p")
	ann.WaitText("You were here first")
	bob.WaitText("Waiting for an opponent  1")
	bob.Press("p")
	place(ann)
	place(bob)
	aim(bob, "B7")
	ann.WaitText("Your turn.")

	const parting = "This server is being restarted. Connect again, and go on where you were."
	if err := f.Nodes[0].Stop(); err != nil {
		t.Error(err)
	}
	if status := ann.Wait(); status != 0 || !strings.Contains(strings.Join(strings.Fields(ann.Screen()), " "), parting) {
		t.Errorf("ann, status %d, is told\n%s", status, ann.Screen())
	}
	if _, rest := dan.end(); !strings.Contains(rest, parting) {
		t.Errorf("dan hears at last\n%s", rest)
	}
	ann = two.with(t, "ann", annKey)
	ann.WaitText("Welcome back", "Your turn.")
	aim(ann, "J10")
	bob.WaitText("ann fired at J10")
	until(t, "one node with the match", func() bool {
		r := report(t, f.Nodes[1].Data)
		return len(r.Nodes) == 1 && r.Nodes[0].Leases == 1 && r.Matches == 1
	})
	if err := f.Nodes[0].Restart(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	aim(bob, "C3")
	ann.WaitText("bob fired at C3")

	// The last one to go ends as a server that is alone.
	if err := f.Nodes[0].Stop(); err != nil {
		t.Error(err)
	}
	until(t, "one node", func() bool { return len(report(t, f.Nodes[1].Data).Nodes) == 1 })
	if err := f.Nodes[1].Stop(); err != nil {
		t.Error(err)
	}
	bob.Wait()
	if !strings.Contains(bob.Screen(), "The server has been shut down.") {
		t.Errorf("bob is told\n%s", bob.Screen())
	}
}

// outside is a NATS server elsewhere, for users who know a word.
func outside(t *testing.T) (url string) {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
		Username: "u", Password: "word",
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(patience) {
		t.Fatal("the NATS server does not start")
	}
	return "nats://u@" + s.Addr().String()
}

// operatorAt makes somebody an operator of a node.
func operatorAt(t *testing.T, n *nodes.Node) asker {
	t.Helper()
	op := newAsker(t, houseOf(n), "op")
	public, err := os.ReadFile(op.args[slices.Index(op.args, "-i")+1] + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(n.Data, "admin_keys"), public, 0o600); err != nil {
		t.Fatal(err)
	}
	return op
}

// report is what a node tells of all.
func report(t *testing.T, folder string) (r control.Report) {
	t.Helper()
	text, err := try(t.Context(), "nodes", "--json", "--data", folder)
	if err == nil {
		err = json.Unmarshal([]byte(text), &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}
