//go:build unix

package e2e

import (
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"broadside/internal/cluster"
	"broadside/internal/control"
	"broadside/internal/server"
	"broadside/internal/test/servers"
	"broadside/internal/test/sshtest"
	"broadside/sshd"
)

// fleetOf starts the nodes of a service as processes, with their own database. They are
// killed at the end of the test.
func fleetOf(t *testing.T, cfg servers.Config) *servers.Service {
	t.Helper()
	return fleetAt(t, database(t), cfg)
}

// fleetAt is like fleetOf, with a database.
func fleetAt(t *testing.T, url string, cfg servers.Config) *servers.Service {
	t.Helper()
	cfg.Store, cfg.Program, cfg.Folder = url, build(t), t.TempDir()
	cfg.Args = append([]string{"--log-level", "info", "--bot-pace", "0s", "--relay-hello", "50ms", "--drain", "2s"}, cfg.Args...)
	cfg.Log = func(int) io.Writer { return testLog{t} }
	f, err := servers.NewService(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	if err := f.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return f
}

// serverOf returns a node as a running server.
func serverOf(n *servers.Server) *testServer {
	return &testServer{ssh: n.SSH, relay: n.Relay, data: n.Data}
}

// report returns a node's report about all nodes.
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

// activeFirst returns the nodes, the active one first.
func activeFirst(t *testing.T, f *servers.Service) []*servers.Server {
	t.Helper()
	active := -1
	until(t, "for the active node to be known", func() bool {
		for _, n := range report(t, f.Nodes[0].Data).Nodes {
			if i := slices.IndexFunc(f.Nodes, func(m *servers.Server) bool { return m.Name == n.Name }); n.Active && i >= 0 {
				active = i
			}
		}
		return active >= 0
	})
	all := slices.Clone(f.Nodes)
	all[0], all[active] = all[active], all[0]
	return all
}

// newHostKeys returns a folder with new host keys.
func newHostKeys(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if _, err := sshd.OpenHostKeys(folder, false); err != nil {
		t.Fatal(err)
	}
	return folder
}

// aimAgain fires at a cell, repeatedly while the active node changes.
func aimAgain(t *testing.T, p *sshtest.Terminal, cell string) {
	t.Helper()
	p.Type(cell)
	for deadline := time.Now().Add(patience); !strings.Contains(p.Screen(), "You fired at "+cell+":"); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s cannot be fired at:\n%s", cell, p.Screen())
		}
		p.Press("enter")
	}
}

// operatorAt makes a player an operator of a node.
func operatorAt(t *testing.T, n *servers.Server) asker {
	t.Helper()
	op := newAsker(t, serverOf(n), "op")
	public, err := os.ReadFile(op.args[slices.Index(op.args, "-i")+1] + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(n.Data, "admin_keys"), public, 0o600); err != nil {
		t.Fatal(err)
	}
	return op
}

// TestCluster plays at three nodes as if they were one, and kills the active one.
func TestCluster(t *testing.T) {
	t.Parallel()
	f := fleetOf(t, servers.Config{Count: 3})
	all := activeFirst(t, f)
	active, two, three := serverOf(all[0]), serverOf(all[1]), serverOf(all[2])
	annKey := sshtest.NewSigner(t)
	ann := two.with(t, "ann", annKey)
	introduce(ann)
	bob, cid := three.come(t, "bob"), active.come(t, "cid")
	ann.WaitText("ann (you)", "bob", "cid")
	bob.WaitText("ann", "bob (you)", "cid")

	// Chat, and a match of players at two gateways, with a spectator at the active node.
	cid.Press("t")
	cid.WaitText("Lobby chat")
	cid.Type("ahoy from the active node")
	cid.Press("enter")
	ann.Press("t")
	ann.WaitText("cid: ahoy from the active node")
	ann.Press("esc")
	ann.WaitText("Play now")
	cid.Press("esc")
	fireFirst(ann, bob)
	ann.WaitText("bob fired at B7")
	ann.WaitText("YOUR TURN")
	cid.WaitText("ann – bob")
	var sites []*watchedSite
	for _, n := range all {
		sites = append(sites, watchSite(t, n))
	}
	for _, s := range sites {
		s.see("B7")
	}

	// Every node knows all nodes.
	for _, n := range all {
		until(t, "for one match, known to "+n.Name, func() bool {
			r := report(t, n.Data)
			sessions := 0
			for _, p := range r.Nodes {
				sessions += p.Sessions
			}
			return len(r.Nodes) == 3 && sessions == 3 && r.Matches == 1 && r.SameHostKey() && r.Epoch > 0
		})
	}

	// The doctor finds the active node, and a node that does not belong to the service.
	for keys, want := range map[string]string{"store": "answers and has the same host keys", newHostKeys(t): "has different host keys"} {
		out, _ := try(t.Context(), "doctor", "--data", t.TempDir(), "--store", f.Store, "--cluster", freeAddress(t), "--host-keys", keys,
			"--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0")
		if !strings.Contains(out, want) || !strings.Contains(out, "direct connection to PostgreSQL") {
			t.Errorf("with the host keys in %s, the doctor says\n%s", keys, out)
		}
	}

	// The active node dies. The match continues without its players connecting again.
	all[0].Kill()
	cid.Wait()
	aimAgain(t, ann, "J10")
	bob.WaitText("ann fired at J10")
	for _, s := range sites[1:] {
		s.see("J10")
	}
	ann.WaitText("bob is aiming")
	activeFirst(t, &servers.Service{Nodes: all[1:]})

	// A player continues at another node.
	ann.Hangup()
	bob.WaitText("ann is away.")
	ann = three.with(t, "ann", annKey)
	ann.WaitText("Welcome back", "bob is aiming")
	bob.WaitText("ann is back.")
	aim(bob, "C3")
	ann.WaitText("bob fired at C3")

	// An operator at one node bans a player at the other.
	op := operatorAt(t, all[1])
	until(t, "for the dead node to be forgotten", func() bool { return len(report(t, all[1].Data).Nodes) == 2 })
	op.must("nodes", "nodes: 2, ")
	op.must("list", "bob")
	op.must("ban bob", "banned: ")
	bob.Wait()
	if !strings.Contains(bob.Screen(), "banned") && !strings.Contains(bob.Screen(), "An operator has ended your session.") {
		t.Errorf("a player who was banned at another node reads\n%s", bob.Screen())
	}

	// Operators' commands reach players at other nodes, and a lockdown applies everywhere.
	dee := three.come(t, "dee")
	dee.WaitText("dee (you)")
	op.must("broadcast The harbour closes at noon")
	dee.WaitText("Operator: The harbour closes at noon")
	op.must("kick dee", "1 session")
	if dee.Wait(); !strings.Contains(dee.Screen(), "An operator has ended your session.") {
		t.Errorf("a player who was kicked at another node reads\n%s", dee.Screen())
	}
	op.must("lockdown on", "lockdown: on")
	for _, h := range []*testServer{two, three} {
		until(t, "for the lockdown", func() bool { return isClosed(t, h.relay) })
	}
	ann.Hangup()
	ann = two.with(t, "ann", annKey) // she was at the other node
	ann.WaitText("ann (you)")
	sshtest.Dial(t, three.ssh, sshtest.Options{User: "guest"}).WaitText("This server is closed for now")
	op.must("lockdown off", "lockdown: off")

	// The internal port's key belongs to no account.
	if c, err := sshtest.Connect(two.ssh, sshtest.Options{User: "node", Signer: internalKey(t, f.Store), Auth: []ssh.AuthMethod{}}); err == nil {
		c.Close()
		t.Error("a client with the key of the internal port was let in")
	}
}

// isClosed reports whether a relay closes connections without output.
func isClosed(t *testing.T, address string) bool {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Read(make([]byte, 1))
	return err == io.EOF
}

// internalKey returns the key of the internal ports of the nodes at a database.
func internalKey(t *testing.T, url string) ssh.Signer {
	t.Helper()
	hostKeys, err := (&server.Config{Store: url, HostKeys: server.KeysInStore}).ReadHostKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var private []any
	for _, k := range hostKeys {
		private = append(private, k.Private())
	}
	keys, err := cluster.InternalKeys(private...)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(keys[0])
	if err != nil {
		t.Fatal(err)
	}
	return signer
}
