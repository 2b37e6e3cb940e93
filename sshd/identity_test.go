package sshd_test

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/sshtest"
	"broadside/sshd"
)

func TestVerifiedKeyIdentifiesUser(t *testing.T) {
	t.Parallel()
	h := startServer(t, nil)
	key := sshtest.NewSigner(t)
	for _, c := range []struct {
		name    string
		options sshtest.Options
		known   bool
	}{
		{"key", sshtest.Options{User: "ann", Signer: key}, true},
		{"key and nothing else", sshtest.Options{User: "ann", Signer: key, Auth: []gossh.AuthMethod{}}, true},
		{"keyboard-interactive", sshtest.Options{User: "ann"}, false},
		{"password", sshtest.Options{User: "ann", Auth: []gossh.AuthMethod{gossh.Password("anything")}}, false},
		{"nothing, as guest", sshtest.Options{User: "guest", Auth: []gossh.AuthMethod{}}, false},
		{"nothing, as anonymous", sshtest.Options{User: "anonymous", Auth: []gossh.AuthMethod{}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h.openTerminal(t, c.options).Close()
			want := ""
			if c.known {
				want = gossh.FingerprintSHA256(key.PublicKey())
			}
			if got := h.lastUser().Fingerprint; got != want {
				t.Errorf("Fingerprint = %q, want %q", got, want)
			}
		})
	}
}

// TestCertificateCountsAsItsKey checks that a certificate identifies the same user as its key.
func TestCertificateCountsAsItsKey(t *testing.T) {
	t.Parallel()
	h := startServer(t, nil)
	key, authority := sshtest.NewSigner(t), sshtest.NewSigner(t)
	cert := &gossh.Certificate{Key: key.PublicKey(), CertType: gossh.UserCert,
		ValidPrincipals: []string{"ann"}, ValidBefore: gossh.CertTimeInfinity}
	if err := cert.SignCert(rand.Reader, authority); err != nil {
		t.Fatal(err)
	}
	signer, err := gossh.NewCertSigner(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	h.openTerminal(t, sshtest.Options{User: "ann", Signer: signer})
	if got := h.lastUser().Fingerprint; got != gossh.FingerprintSHA256(key.PublicKey()) {
		t.Errorf("Fingerprint = %q, want that of the certificate's key", got)
	}
}

// TestHostKeysCannotLogIn checks that the server refuses its own host keys.
func TestHostKeysCannotLogIn(t *testing.T) {
	t.Parallel()
	keys, user := openHostKeys(t, t.TempDir(), true), sshtest.NewSigner(t)
	h := startServer(t, func(cfg *sshd.Config) { cfg.HostKeys = keys })
	for _, s := range keys {
		c, err := sshtest.Connect(h.address, sshtest.Options{User: "node", Signer: s, Auth: []gossh.AuthMethod{}})
		if err == nil {
			c.Close()
			t.Errorf("the server accepted its own %s key", s.PublicKey().Type())
		}
	}
	h.openTerminal(t, sshtest.Options{User: "ann", Signer: user, Auth: []gossh.AuthMethod{}}).Close()
}

// thief offers another user's public key, for which it cannot sign.
type thief struct {
	gossh.Signer
	victim gossh.PublicKey
	// silent means that the client does not even try to sign.
	silent bool
}

func (s thief) PublicKey() gossh.PublicKey { return s.victim }

func (s thief) Sign(random io.Reader, data []byte) (*gossh.Signature, error) {
	if s.silent {
		return nil, errors.New("a thief cannot sign")
	}
	return s.Signer.Sign(random, data)
}

// TestOfferedKeyIsNoIdentity checks that a key which a client offers without a signature does not identify a
// user.
func TestOfferedKeyIsNoIdentity(t *testing.T) {
	t.Parallel()
	victim, own := sshtest.NewSigner(t).PublicKey(), sshtest.NewSigner(t)
	for _, c := range []struct {
		name  string
		thief thief
		in    bool
	}{
		{"offered only", thief{own, victim, true}, true},
		{"signed wrongly", thief{own, victim, false}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := startServer(t, nil)
			client, err := sshtest.Connect(h.address, sshtest.Options{User: "eve", Signer: c.thief})
			if (err == nil) != c.in {
				t.Fatalf("log in: %v", err)
			}
			if err != nil {
				h.waitLog(t, "ssh login failed")
				return
			}
			defer client.Close()
			sshtest.Open(t, client, sshtest.Options{}).WaitText("hello eve")
			if got := h.lastUser().Fingerprint; got != "" {
				t.Errorf("Fingerprint = %q", got)
			}
			if log := h.log.String(); strings.Contains(log, gossh.FingerprintSHA256(victim)) {
				t.Errorf("the log reports an offered key as verified:\n%s", log)
			}
		})
	}
}

func TestNamesAreClean(t *testing.T) {
	t.Parallel()
	h := startServer(t, nil)
	for user, want := range map[string]string{
		"ann":                      "ann",
		" ":                        "guest",
		"\x1b[31mred":              "[31mred",
		"\x9b31mred":               "31mred",
		"a\u202eb\u200bc":          "abc",
		"e\u0301":                  "e",
		"two words":                "twowords",
		"new\r\nline\x00\x7f":      "newline",
		strings.Repeat("x", 1000):  strings.Repeat("x", 16),
		strings.Repeat("ä", 1000):  strings.Repeat("ä", 16),
		"\xff\xfe":                 "guest",
		"käpt'n":                   "käpt'n",
		"\u2066\u2069\ufeff\u00ad": "guest",
	} {
		sshtest.Dial(t, h.address, sshtest.Options{User: user}).WaitText("hello " + want)
		if got := h.lastUser().Name; got != want {
			t.Errorf("cleanName(%q) = %q, want %q", user, got, want)
		}
	}
}

// TestLogIsClean checks that a client which sends only hostile strings cannot write unsafe text to the log.
func TestLogIsClean(t *testing.T) {
	t.Parallel()
	h := startServer(t, nil)
	const hostile = "\x1b]0;owned\a\x1b[2J\r\nfake line \u202e\u200b\x9b"
	client, err := sshtest.Connect(h.address, sshtest.Options{User: hostile})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	sshtest.Open(t, client, sshtest.Options{Term: hostile, Env: map[string]string{"LANG": hostile, hostile: hostile}}).WaitText("hello")
	sshtest.Open(t, client, sshtest.Options{NoPTY: true, Command: hostile + " " + hostile}).Wait()
	who := h.lastUser()
	for _, text := range append([]string{who.Name, who.Term}, who.Env...) {
		checkClean(t, "the app is told", text)
	}
	raw, err := h.dial("")
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	goodbye := append([]byte{1}, gossh.Marshal(struct {
		Reason            uint32
		Message, Language string
	}{11, hostile, ""})...)
	padding := 16 - (5+len(goodbye))%8
	packet := binary.BigEndian.AppendUint32(nil, uint32(1+len(goodbye)+padding))
	packet = append(append(append(packet, byte(padding)), goodbye...), make([]byte, padding)...)
	if _, err := raw.Write(append([]byte("SSH-2.0-x\r\n"), packet...)); err != nil {
		t.Fatal(err)
	}
	h.waitLog(t, "ssh login failed")
	for _, line := range strings.Split(h.log.String(), "\n") {
		checkClean(t, "a line of the log is", line)
		if strings.HasPrefix(line, "fake line") {
			t.Errorf("a client could write a line of the log")
		}
	}
}

func checkClean(t *testing.T, what, text string) {
	t.Helper()
	for _, r := range text {
		if r == unicode.ReplacementChar || unicode.IsControl(r) || unicode.In(r, unicode.Cf) {
			t.Errorf("unsafe %s %q", what, text)
			return
		}
	}
}
