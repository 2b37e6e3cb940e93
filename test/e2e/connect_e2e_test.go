//go:build unix

package e2e

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
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
	c := &connector{t: t, binary: programPath(t), home: t.TempDir()}
	c.player = []string{need.Tool(t, "python3"), "examples/player.py"}
	return c
}

// run runs connect with the Python player, and returns its exit status and output.
func (c *connector) run(args ...string) (status int, out, errs string) {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), c.binary, append(append([]string{"connect"}, args...), append([]string{"--"}, c.player...)...)...)
	cmd.Env = append(append(os.Environ(), "HOME="+c.home), c.env...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); cmd.ProcessState == nil {
		c.t.Fatal(err)
	}
	// On a busy machine, a program has to wait for bots.
	errs = strings.ReplaceAll(e.String(), "broadside: waiting for the bot easy\n", "")
	return cmd.ProcessState.ExitCode(), o.String(), errs
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

// runCommandWithKey runs a command over SSH with a key, and returns its output.
func runCommandWithKey(t *testing.T, h *testServer, key ssh.Signer, line string) string {
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
		{[]string{h.relay, "--token-file", "/no/such/file"}, "read token", 1},
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

// useSSH lets connect run the real ssh with a configuration instead of that of the user who runs the tests.
func (c *connector) useSSH(config ...string) {
	c.t.Helper()
	file, bin := filepath.Join(c.home, "config"), filepath.Join(c.home, "bin")
	script := fmt.Sprintf("#!/bin/sh\nexec %s -F %s \"$@\"\n", need.Tool(c.t, "ssh"), file)
	for _, err := range []error{
		os.MkdirAll(bin, 0o700),
		os.WriteFile(filepath.Join(bin, "ssh"), []byte(script), 0o700),
		os.WriteFile(file, []byte(strings.Join(config, "\n")+"\n"), 0o600),
	} {
		if err != nil {
			c.t.Fatal(err)
		}
	}
	c.env = append(c.env, "PATH="+bin+":"+os.Getenv("PATH"))
}

// TestConnectOverSSH checks that connect works with the user's ssh: with an alias, with a key that has a passphrase
// and with a key in an agent. Errors of ssh and of the server's command are shown.
func TestConnectOverSSH(t *testing.T) {
	t.Parallel()
	h := open(t, heed)
	c := newConnector(t)
	private, signer := newKey(t)
	block, err := ssh.MarshalPrivateKeyWithPassphrase(private, "", []byte("ahoy"))
	if err != nil {
		t.Fatal(err)
	}
	file, known, asks := filepath.Join(c.home, "key"), filepath.Join(c.home, "known"), filepath.Join(c.home, "asks")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(file, string(pem.EncodeToMemory(block)))
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	write(asks, "#!/bin/sh\necho ahoy\n")
	host, port, err := net.SplitHostPort(h.ssh)
	if err != nil {
		t.Fatal(err)
	}
	c.env = []string{"SSH_ASKPASS=" + asks, "SSH_ASKPASS_REQUIRE=force", "DISPLAY=:0", "SSH_AUTH_SOCK="}
	configure := func(options ...string) {
		t.Helper()
		c.useSSH(append([]string{
			"Host sea", "HostName " + host, "Port " + port, "User ann",
			"Host *", "IdentitiesOnly yes", "UserKnownHostsFile " + known, "StrictHostKeyChecking accept-new", "LogLevel ERROR",
		}, options...)...)
	}
	configure("IdentityFile " + file)
	args := []string{"sea", "--ssh", "--vs", "bot easy", "--games", "3", "--hello-timeout", "50ms"}
	plays := func(what string) {
		t.Helper()
		status, out, errs := c.run(args...)
		if status != 0 || !threeGames.MatchString(out) || errs != "" {
			t.Errorf("%s: status %d, output %q, errors %q, want three games", what, status, out, errs)
		}
	}
	fails := func(what string, says ...string) {
		t.Helper()
		status, _, errs := c.run(args...)
		for _, want := range says {
			if status != 1 || !strings.Contains(errs, want) {
				t.Errorf("%s: status %d, errors %q, want status 1 and %q", what, status, errs, want)
			}
		}
	}
	plays("an alias and a key with a passphrase")
	args = append(args, "--program", "squid")
	fails("a program that is not registered", "ssh HOST register NAME", "ssh sea relay: exit status 1")
	for _, line := range []string{"register ann", "token new squid"} {
		runCommandWithKey(t, h, signer, line)
	}
	players := c.player
	c.player = []string{players[0], "examples/attacker.py"}
	args = append(args, "--layout", "uniform", "--games", "6")
	if status, out, errs := c.run(args...); status != 0 || !strings.HasPrefix(out, "End of game. squid won ") || errs != "" {
		t.Errorf("rated games: status %d, output %q, errors %q", status, out, errs)
	}
	if profile := runCommandWithKey(t, h, signer, "profile squid --json"); !strings.Contains(profile, `"rated_games": 6`) {
		t.Errorf("after six rated games: %s", profile)
	}
	c.player = players

	args = []string{"ann@" + h.ssh, "--ssh", "--vs", "bot easy", "--games", "3", "--hello-timeout", "50ms", "--identity", file}
	configure()
	plays("a port and an identity")
	args = args[:len(args)-2]
	agentSocket := serveAgent(t, private)
	configure("IdentityAgent " + agentSocket)
	plays("a key in an agent")

	text, err := os.ReadFile(known)
	if err != nil {
		t.Fatal(err)
	}
	_, other := newKey(t)
	wrong := regexp.MustCompile(`ssh-ed25519 \S+`).ReplaceAllLiteralString(string(text), strings.TrimSpace(string(ssh.MarshalAuthorizedKey(other.PublicKey()))))
	write(known, wrong)
	fails("a host with another key", "Host key verification failed.", "ssh is not connected to ann@"+host+", see its message")
	args[0] = "ann@" + refuseLogins(t)
	fails("a refused login", "Permission denied", "ssh is not connected to ann@"+host+", see its message")
	args[0] = "ann@127.0.0.1:1"
	fails("no server", "Connection refused")
	c.env, c.player = append(c.env, "PATH="+c.home), []string{"/bin/sh", "-c", "read line"}
	fails("no ssh", "--ssh needs an SSH client such as OpenSSH")
}

// serveAgent serves an SSH agent with a key, and returns its socket.
func serveAgent(t *testing.T, key ed25519.PrivateKey) string {
	t.Helper()
	keys := agent.NewKeyring()
	if err := keys.Add(agent.AddedKey{PrivateKey: key}); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(t.TempDir(), "agent")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	serveConns(t, l, func(nc net.Conn) { agent.ServeAgent(keys, nc) })
	return socket
}

// refuseLogins serves SSH without a way to log in, and returns the address.
func refuseLogins(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, host := newKey(t)
	config := &ssh.ServerConfig{PublicKeyCallback: func(ssh.ConnMetadata, ssh.PublicKey) (*ssh.Permissions, error) {
		return nil, errors.New("refused")
	}}
	config.AddHostKey(host)
	serveConns(t, l, func(nc net.Conn) { ssh.NewServerConn(nc, config) })
	return l.Addr().String()
}

// serveConns serves connections until the test ends.
func serveConns(t *testing.T, l net.Listener, serve func(net.Conn)) {
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer nc.Close()
				serve(nc)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		serving.Wait()
	})
}
