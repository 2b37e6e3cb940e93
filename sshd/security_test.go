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

// TestWeakAlgorithmsAreRefused checks that a client with only weak algorithms cannot connect.
func TestWeakAlgorithmsAreRefused(t *testing.T) {
	t.Parallel()
	h := startServer(t, func(c *sshd.Config) { c.HostKeys = openHostKeys(t, t.TempDir(), true) })
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
			t.Errorf("%s: got error %v", name, err)
		}
	}
	if err := dial(gossh.Config{}); err != nil {
		t.Errorf("default algorithms: got error %v", err)
	}
}

// TestAudit checks that ssh-audit finds no weakness. Older releases report newer algorithms as unknown.
func TestAudit(t *testing.T) {
	t.Parallel()
	audit := need.Tool(t, "ssh-audit")
	h := startServer(t, nil)
	_, port, err := net.SplitHostPort(h.address)
	if err != nil {
		t.Fatal(err)
	}
	out, err := newCommand(t, audit, "--no-colors", "-p", port, "127.0.0.1").CombinedOutput()
	if !strings.Contains(string(out), "(key) ssh-ed25519") {
		t.Fatalf("ssh-audit reported nothing: %v, %s", err, out)
	}
	fine := regexp.MustCompile(`^\(kex\) (mlkem768x25519-sha256|kex-strict-s-v00@openssh.com|ext-info-s) +-- \[warn\] unknown algorithm`)
	// No client of today's Debian can do without these. See SECURITY.md.
	quantum := regexp.MustCompile(`does not provide protection against post-quantum attacks`)
	for line := range strings.Lines(string(out)) {
		if (strings.Contains(line, "[warn]") || strings.Contains(line, "[fail]")) && !fine.MatchString(line) && !quantum.MatchString(line) {
			t.Errorf("ssh-audit: %s", line)
		}
	}
}

// TestSecretsAreNotLogged checks that the log has no passwords or answers of clients.
func TestSecretsAreNotLogged(t *testing.T) {
	t.Parallel()
	h := startServer(t, nil)
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
		// Setenv may be refused.
		_ = s.Setenv("TOKEN", secret)
		_ = s.Run("help " + secret)
		c.Close()
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	// Shutdown completes the log.
	if err := h.Shutdown(ctx, over); err != nil {
		t.Fatal(err)
	}
	log := h.log.String()
	for _, part := range []string{secret, "staple", "PRIVATE KEY"} {
		if strings.Contains(log, part) {
			t.Errorf("%q is in the log:\n%s", part, log)
		}
	}
	if !strings.Contains(log, "method=password") {
		t.Errorf("no password was sent:\n%s", log)
	}
}
