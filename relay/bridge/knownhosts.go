package bridge

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"broadside/internal/sanitize"
)

// readKnownHosts returns a callback that checks keys against a known_hosts file. Like OpenSSH, it skips
// lines that it cannot read.
func readKnownHosts(file string) (ssh.HostKeyCallback, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if check, err := knownhosts.New(file); err == nil {
		return check, nil
	}
	// Package knownhosts reads only files, and stops at the first line that it cannot read.
	dir, err := os.MkdirTemp("", "broadside")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	readable := filepath.Join(dir, "known_hosts")
	var lines []string
	for line := range strings.Lines(sanitize.Decode(text)) {
		if err := os.WriteFile(readable, []byte(line), 0o600); err != nil {
			return nil, err
		}
		if _, err := knownhosts.New(readable); err == nil {
			lines = append(lines, line)
		}
	}
	if err := os.WriteFile(readable, []byte(strings.Join(lines, "")), 0o600); err != nil {
		return nil, err
	}
	return knownhosts.New(readable)
}
