package sshd_test

import (
	"context"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/need"
	"broadside/sshd"
)

// TestOpenSSHGetsNothingElse requests everything that an SSH server for shells offers,
// with a real client.
func TestOpenSSHGetsNothingElse(t *testing.T) {
	t.Parallel()
	ssh := need.Tool(t, "ssh")
	h := serve(t, nil)
	target, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	go func() {
		if nc, err := target.Accept(); err == nil {
			t.Error("something was forwarded")
			nc.Close()
		}
	}()
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"a forwarded channel": {[]string{"-W", target.Addr().String(), "host"}, "stdio forwarding failed"},
		"a remote port":       {[]string{"-N", "-o", "ExitOnForwardFailure=yes", "-R", "0:" + target.Addr().String(), "host"}, "remote port forwarding failed"},
		"a remote socket":     {[]string{"-N", "-o", "ExitOnForwardFailure=yes", "-R", "/tmp/broadside-test.sock:" + target.Addr().String(), "host"}, "remote port forwarding failed"},
		"sftp":                {[]string{"-s", "host", "sftp"}, "subsystem request failed"},
		"netconf":             {[]string{"-s", "host", "netconf"}, "subsystem request failed"},
		"a shell":             {[]string{"host", "/bin/sh", "-c", "id"}, "There is no command /bin/sh"},
		"scp's other end":     {[]string{"host", "scp", "-t", "/tmp"}, "There is no command scp"},
		"rsync's other end":   {[]string{"host", "rsync", "--server", "."}, "There is no command rsync"},
		"words for a shell":   {[]string{"host", "help;id"}, "There is no command help;id"},
	} {
		out, err := command(t, ssh, h.openSSH(t, "guest", c.args...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.says) || strings.Contains(string(out), "uid=") {
			t.Errorf("%s: %v, %s", name, err, out)
		}
	}
	// A client without an agent prints which channels the server opens.
	out, err := command(t, ssh, h.openSSH(t, "guest", "-A", "-X", "-v", "-o", "LogLevel=DEBUG1", "host", "help")...).CombinedOutput()
	if err != nil || strings.Contains(string(out), "ctype auth-agent@openssh.com") {
		t.Errorf("with agent forwarding: %v, %s", err, out)
	}
}

// TestWeakAlgorithms offers only weak algorithms.
func TestWeakAlgorithms(t *testing.T) {
	t.Parallel()
	h := serve(t, func(c *sshd.Config) { c.HostKeys = hostKeys(t, t.TempDir(), true) })
	weak := gossh.InsecureAlgorithms()
	strong := gossh.SupportedAlgorithms()
	attempts := map[string]gossh.Config{}
	for _, kex := range slices.Concat(weak.KeyExchanges, []string{
		gossh.KeyExchangeDH14SHA256, gossh.KeyExchangeDH16SHA512, gossh.KeyExchangeECDHP256, gossh.KeyExchangeECDHP384, gossh.KeyExchangeECDHP521,
	}) {
		attempts["key exchange "+kex] = gossh.Config{KeyExchanges: []string{kex}, Ciphers: strong.Ciphers, MACs: strong.MACs}
	}
	for _, c := range weak.Ciphers {
		attempts["cipher "+c] = gossh.Config{KeyExchanges: strong.KeyExchanges, Ciphers: []string{c}, MACs: strong.MACs}
	}
	for _, m := range slices.Concat(weak.MACs, []string{gossh.HMACSHA256, gossh.HMACSHA512, gossh.InsecureHMACSHA196}) {
		attempts["MAC "+m] = gossh.Config{KeyExchanges: strong.KeyExchanges, Ciphers: []string{gossh.CipherAES128CTR}, MACs: []string{m}}
	}
	dial := func(c gossh.Config) error {
		client, err := gossh.Dial("tcp", h.address, &gossh.ClientConfig{Config: c, User: "guest", HostKeyCallback: gossh.InsecureIgnoreHostKey()})
		if err == nil {
			client.Close()
		}
		return err
	}
	for name, c := range attempts {
		if err := dial(c); err == nil || !strings.Contains(err.Error(), "no common algorithm") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := dial(gossh.Config{}); err != nil {
		t.Errorf("as usual: %v", err)
	}
}

// TestAudit runs ssh-audit. Older releases report newer algorithms as unknown.
func TestAudit(t *testing.T) {
	t.Parallel()
	audit := need.Tool(t, "ssh-audit")
	h := serve(t, nil)
	_, port, err := net.SplitHostPort(h.address)
	if err != nil {
		t.Fatal(err)
	}
	out, err := command(t, audit, "--no-colors", "-p", port, "127.0.0.1").CombinedOutput()
	if !strings.Contains(string(out), "(key) ssh-ed25519") {
		t.Fatalf("nothing was audited: %v, %s", err, out)
	}
	fine := regexp.MustCompile(`^\(kex\) (mlkem768x25519-sha256|kex-strict-s-v00@openssh.com|ext-info-s) +-- \[warn\] unknown algorithm`)
	// No client of the day's Debian can do without these; see SECURITY.md.
	quantum := regexp.MustCompile(`does not provide protection against post-quantum attacks`)
	for line := range strings.Lines(string(out)) {
		if (strings.Contains(line, "[warn]") || strings.Contains(line, "[fail]")) && !fine.MatchString(line) && !quantum.MatchString(line) {
			t.Errorf("%s", line)
		}
	}
}

// TestSecretsAreNotLogged logs in with passwords and answers, and reads the log.
func TestSecretsAreNotLogged(t *testing.T) {
	t.Parallel()
	h := serve(t, nil)
	const secret = "correct horse battery staple"
	for _, method := range []gossh.AuthMethod{
		gossh.Password(secret),
		gossh.KeyboardInteractive(func(_, _ string, questions []string, _ []bool) ([]string, error) {
			return slices.Repeat([]string{secret}, len(questions)), nil
		}),
	} {
		c, err := gossh.Dial("tcp", h.address, &gossh.ClientConfig{User: "ann", Auth: []gossh.AuthMethod{method}, HostKeyCallback: gossh.InsecureIgnoreHostKey()})
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		_ = s.Setenv("TOKEN", secret) // may be refused
		_ = s.Run("help " + secret)
		c.Close()
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := h.Shutdown(ctx, over); err != nil { // completes the log
		t.Fatal(err)
	}
	log := h.log.String()
	for _, part := range []string{secret, "staple", "PRIVATE KEY"} {
		if strings.Contains(log, part) {
			t.Errorf("%q is in the log:\n%s", part, log)
		}
	}
	if !strings.Contains(log, "method=password") {
		t.Errorf("no password was given:\n%s", log)
	}
}
