package e2e

import (
	"net"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/server"
	"broadside/internal/store"
	"broadside/internal/test/need"
	"broadside/internal/test/sshtest"
)

// readFailRegexps holds the expressions of docs/hosting.md in Go's syntax.
func readFailRegexps(t *testing.T) []*regexp.Regexp {
	t.Helper()
	page, err := os.ReadFile("docs/hosting.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []*regexp.Regexp
	_, rest, _ := strings.Cut(string(page), "    failregex = ")
	for _, line := range strings.Split(rest, "\n") {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "^") {
			break
		}
		all = append(all, regexp.MustCompile(strings.Replace(line, "<ADDR>", `([0-9A-Fa-f:.]+?)`, 1)))
	}
	if len(all) != 3 {
		t.Fatalf("%d expressions in docs/hosting.md", len(all))
	}
	return all
}

// timestamp matches the timestamp that fail2ban removes from a line before matching.
var timestamp = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)`)

// TestFail2ban checks that the expressions in docs/hosting.md find each failed or refused login in the server's log,
// in each format and once, and that input of a client cannot imitate another address.
func TestFail2ban(t *testing.T) {
	t.Parallel()
	expressions := readFailRegexps(t)
	for i, format := range []string{"logfmt", "text", "json"} {
		t.Run(format, func(t *testing.T) {
			data, key := t.TempDir(), sshtest.NewSigner(t)
			db, err := store.Open(t.Context(), store.Config{Folder: data})
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range []store.Ban{
				{Network: netip.MustParsePrefix("127.0.0.2/32"), Reason: "rude"},
				{Fingerprint: gossh.FingerprintSHA256(key.PublicKey()), Reason: "rude"},
			} {
				if _, err := db.Bans.Add(t.Context(), b); err != nil {
					t.Fatal(err)
				}
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			log := sshtest.NewOutput()
			h := openLogging(t, func(c *server.Config) { c.Data, c.LogLevel, c.LogFormat = data, "info", format }, log)
			for _, from := range []string{"127.0.0.1", "127.0.0.2"} {
				d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
				c, err := d.Dial("tcp", h.ssh)
				if err != nil {
					need.Skip(t, "there is no second loopback address: %v", err)
				}
				// The expressions must not match this text, which imitates log lines.
				_, _ = c.Write([]byte("SSH-2.0-x\" ssh login failed remote=192.0.2.9:1 msg=\"ssh refused\" remote=192.0.2.9:1\r\nrubbish\r\n"))
				_ = c.Close()
			}
			log.WaitText(t, "ssh login failed")
			log.WaitText(t, "ssh refused")
			p := sshtest.Dial(t, h.ssh, sshtest.Options{User: "ssh refused remote=192.0.2.9:1", Signer: key})
			p.WaitText("rude")
			p.Wait()
			log.WaitText(t, "ssh disconnect")
			var found []string
			for _, line := range strings.Split(strings.TrimSpace(log.String()), "\n") {
				var hits int
				for j, e := range expressions {
					m := e.FindStringSubmatch(timestamp.ReplaceAllString(line, ""))
					if m == nil {
						continue
					}
					if hits++; hits > 1 || i != j {
						t.Errorf("expression %d finds %q", j+1, line)
					}
					found = append(found, m[1])
				}
			}
			slices.Sort(found)
			if want := []string{"127.0.0.1", "127.0.0.1", "127.0.0.2"}; !slices.Equal(found, want) {
				t.Errorf("found %q, want %q, in\n%s", found, want, log)
			}
		})
	}
}
