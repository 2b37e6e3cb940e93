//go:build unix

package e2e

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/crypto/ssh/knownhosts"

	"broadside/internal/test/need"
)

// connector runs the command connect as another user of the machine.
type connector struct {
	t      *testing.T
	binary string
	home   string
	env    []string
	player []string
}

func newConnector(t *testing.T) *connector {
	t.Helper()
	c := &connector{t: t, binary: build(t), home: t.TempDir()}
	c.player = []string{need.Tool(t, "python3"), "examples/player.py"}
	if err := os.Mkdir(filepath.Join(c.home, ".ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	return c
}

// run runs connect with the Python player, and returns its exit status and output.
func (c *connector) run(args ...string) (status int, out, errs string) {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), c.binary, append(append([]string{"connect"}, args...), append([]string{"--"}, c.player...)...)...)
	cmd.Env = append(append(os.Environ(), "HOME="+c.home, "SSH_AUTH_SOCK="), c.env...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); cmd.ProcessState == nil {
		c.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// know writes the key of a server, or another one, to the known hosts.
func (c *connector) know(address string, key ssh.PublicKey) {
	c.t.Helper()
	line := knownhosts.Line([]string{knownhosts.Normalize(address)}, key) + "\n"
	if err := os.WriteFile(filepath.Join(c.home, ".ssh", "known_hosts"), []byte(line), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// readHostKey returns the server's public host key.
func (h *testServer) readHostKey(t *testing.T) ssh.PublicKey {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(h.data, "ssh_host_ed25519_key"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.ParsePrivateKey(text)
	if err != nil {
		t.Fatal(err)
	}
	return key.PublicKey()
}

// newKey returns a new private key.
func newKey(t *testing.T) (ed25519.PrivateKey, ssh.Signer) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return key, signer
}

// askWith runs a command over SSH with a key, and returns its output.
func askWith(t *testing.T, h *testServer, key ssh.Signer, line string) string {
	t.Helper()
	client, err := ssh.Dial("tcp", h.ssh, &ssh.ClientConfig{
		User: "ann", Auth: []ssh.AuthMethod{ssh.PublicKeys(key)}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	out, err := session.CombinedOutput(line)
	if err != nil {
		t.Fatalf("%s: %v, %s", line, err, out)
	}
	return string(out)
}

var threeGames = regexp.MustCompile(`^End of game\. \S.* won \d times and lost \d times\.\n$`)

// TestConnect plays on the relay's TCP port, and checks the errors in command lines.
func TestConnect(t *testing.T) {
	t.Parallel()
	h := open(t, heed)
	c := newConnector(t)
	if status, out, errs := c.run(h.relay, "--name", "snake", "--vs", "bot easy", "--games", "3", "--parallel", "2"); status != 0 ||
		!strings.HasPrefix(out, "End of game. snake won ") || !threeGames.MatchString(out) || errs != "" {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
	for _, w := range []struct {
		args   []string
		says   string
		status int
	}{
		{[]string{h.relay, "--games", "0"}, "choose 1 or more, or forever", 2},
		{[]string{h.relay, "--games", "3x"}, "choose 1 or more, or forever", 2},
		{[]string{h.relay, "--parallel", "0"}, "choose 1 or more", 2},
		{[]string{h.relay, "--token-file", "/no/such/file"}, "reading the token", 1},
		{[]string{h.relay, "--program", "kraken"}, "are for --ssh", 2},
		{[]string{h.relay, "--rules", "chess"}, "the server says: ", 1},
		{[]string{h.relay, "--vs", "bot nobody"}, "the server says: ", 1},
		{[]string{"127.0.0.1:1"}, "connection refused", 1},
		{[]string{h.relay, h.relay}, "write one server, then --", 2},
	} {
		status, out, errs := c.run(w.args...)
		if status != w.status || out != "" || !strings.Contains(errs, w.says) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: status %d, %q, %q", w.args, status, out, errs)
		}
	}
}

// TestConnectOverSSH plays over SSH with a key in a file and one in an agent, and only on a
// server whose key is known.
func TestConnectOverSSH(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	c := newConnector(t)
	private, signer := newKey(t)
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(c.home, ".ssh", "id_ed25519")
	if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"ann@" + h.ssh, "--ssh", "--vs", "bot easy", "--games", "3"}
	fails := func(what, says string) {
		t.Helper()
		if status, _, errs := c.run(args...); status != 1 || !strings.Contains(errs, says) {
			t.Errorf("%s: status %d, %q", what, status, errs)
		}
	}
	fails("no known hosts", "connect once with ssh")
	_, other := newKey(t)
	c.know("example.org:22", other.PublicKey())
	fails("an unknown host", "is not known: connect once with ssh -p ")
	c.know(h.ssh, other.PublicKey())
	fails("a host with another key", "remove the old one with ssh-keygen -R")

	c.know(h.ssh, h.readHostKey(t))
	plays := func(what string) {
		t.Helper()
		if status, out, errs := c.run(args...); status != 0 || !threeGames.MatchString(out) || errs != "" {
			t.Errorf("%s: status %d, %q, %q", what, status, out, errs)
		}
	}
	plays("a key in a file")
	args = append(args, "--program", "squid")
	fails("a program that is not registered", "ssh HOST register NAME")
	for _, line := range []string{"register ann", "token new squid"} {
		askWith(t, h, signer, line)
	}
	rated := []string{"ann@" + h.ssh, "--ssh", "--program", "squid", "--layout", "uniform", "--vs", "bot easy", "--games", "6"}
	players := c.player
	c.player = []string{players[0], "examples/attacker.py"}
	if status, out, errs := c.run(rated...); status != 0 || !strings.HasPrefix(out, "End of game. squid won ") || errs != "" {
		t.Errorf("rated games: status %d, %q, %q", status, out, errs)
	}
	if profile := askWith(t, h, signer, "profile squid --json"); !strings.Contains(profile, `"rated_games": 6`) {
		t.Errorf("after six rated games: %s", profile)
	}
	c.player, args = players, args[:len(args)-2]
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}

	keys := agent.NewKeyring()
	if err := keys.Add(agent.AddedKey{PrivateKey: private}); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(c.home, "agent")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	defer serving.Wait()
	defer l.Close()
	serving.Go(func() {
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { agent.ServeAgent(keys, nc); nc.Close() })
		}
	})
	c.env = []string{"SSH_AUTH_SOCK=" + socket}
	plays("a key in an agent")
}
