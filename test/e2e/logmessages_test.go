//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/crypto/ssh"

	"broadside/internal/store"
	"broadside/internal/test/sshtest"
)

// documentedMessages returns the log messages that docs/hosting.md promises, with their fields.
func documentedMessages(t *testing.T) map[string][]string {
	t.Helper()
	page, err := os.ReadFile("docs/hosting.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| message | fields | |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	messages := map[string][]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (.*) \\|.*\\|$").FindAllStringSubmatch(table, -1) {
		for _, field := range regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(row[2], -1) {
			messages[row[1]] = append(messages[row[1]], field[1])
		}
	}
	if len(messages) < 18 {
		t.Fatalf("docs/hosting.md has only %d log messages", len(messages))
	}
	return messages
}

// TestLogMessages checks that the server logs the messages of docs/hosting.md, with all of
// their fields, when the events happen that they stand for.
func TestLogMessages(t *testing.T) {
	t.Parallel()
	url := newDatabase(t)
	banned := sshtest.NewSigner(t)
	db, err := store.Open(t.Context(), store.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	for _, ban := range []store.Ban{
		{Network: netip.MustParsePrefix("127.0.0.2/32"), Reason: "rude"},
		{Fingerprint: ssh.FingerprintSHA256(banned.PublicKey()), Reason: "rude"},
	} {
		if _, err := db.Bans.Add(t.Context(), ban); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	options := filepath.Join(folder, "broadside.toml")
	configure := func(text string) {
		t.Helper()
		if err := os.WriteFile(options, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	configure("max-sessions-per-address = 1\n")
	log := sshtest.NewOutput()
	server, h := startServerLogging(t, programPath(t), folder, log,
		"--config", options, "--log-format", "json", "--store", url)
	log.WaitText(t, "this node serves players")

	dialFrom(t, "127.0.0.2", h.ssh)
	dialFrom(t, "127.0.0.2", h.relay)
	if _, err := dialFrom(t, "127.0.0.1", h.ssh).Write([]byte("SSH-2.0-x\r\nrubbish\r\n")); err != nil {
		t.Fatal(err)
	}
	sshtest.Dial(t, h.ssh, sshtest.Options{User: "bob", Signer: banned}).Wait()
	ann := sshtest.Options{User: "ann", Signer: sshtest.NewSigner(t)}
	h.runCommand(t, ann, "help")
	person := sshtest.Dial(t, h.ssh, ann)
	createAccount(person)
	person.WaitText("ann (you)")
	program := h.connectProgram(t)
	program.send("% name ann_bot\n% vs bot easy\n")
	log.WaitText(t, `"match started"`)

	sshtest.Dial(t, h.ssh, sshtest.Options{User: "bob"}).Wait() // a second session
	configure("max-connections-per-address = 1\nrelay-max-connections-per-address = 1\n")
	if err := server.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	log.WaitText(t, `"option":"relay-max-connections-per-address"`)
	dialFrom(t, "127.0.0.1", h.ssh)
	dialFrom(t, "127.0.0.1", h.relay)
	log.WaitText(t, `"ssh connection rejected"`)
	log.WaitText(t, `"relay connection rejected"`)
	program.nc.Close()
	log.WaitText(t, `"relay disconnect"`)
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	person.Wait()
	if err := server.Wait(); err != nil {
		t.Error(err)
	}

	// logged has each message's fields.
	logged := map[string]map[string]bool{}
	for line := range strings.Lines(log.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatalf("%v in the line %s", err, line)
		}
		message := fmt.Sprint(fields["msg"])
		if logged[message] == nil {
			logged[message] = map[string]bool{}
		}
		for field := range fields {
			logged[message][field] = true
		}
	}
	for message, fields := range documentedMessages(t) {
		for _, field := range fields {
			if !logged[message][field] {
				t.Errorf("no line %q has the field %s, only %v", message, field, slices.Sorted(maps.Keys(logged[message])))
			}
		}
	}
}
