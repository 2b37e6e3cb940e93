package sshd_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"broadside/sshd"
)

func noApp(context.Context, sshd.User) (sshd.Screen, error) { return nil, nil }

func TestHostKey(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // where a library might write a key
	path := filepath.Join(dir, "data", "ssh_host_ed25519_key")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	open := func(path string) (*sshd.Server, error) {
		keys, err := sshd.OpenHostKeys(filepath.Dir(path), false)
		if err != nil {
			return nil, err
		}
		return sshd.New(sshd.Config{HostKeys: keys, App: noApp, Lines: toyLines, Command: toyCommands})
	}
	first, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	again, err := open(path)
	if err != nil || again.Fingerprint() != first.Fingerprint() || !strings.HasPrefix(first.Fingerprint(), "SHA256:") {
		t.Errorf("the key does not stay: %v, %v (%v)", first.Fingerprint(), again.Fingerprint(), err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the key's file: %v, %v", info, err)
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*", "*")); err != nil || len(files) != 1 {
		t.Errorf("besides the key there are %v (%v)", files, err)
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(files) != 1 {
		t.Errorf("a key is left where nobody asked for it: %v (%v)", files, err)
	}
	if runtime.GOOS != "windows" {
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := open(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("a key that others can read: %v", err)
		}
	}
	if err := os.WriteFile(path, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := open(path); err == nil || !strings.Contains(err.Error(), path+" is damaged") {
		t.Errorf("a broken key: %v", err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "broken" {
		t.Errorf("a broken key was overwritten: %q, %v", data, err)
	}
	if _, err := open(filepath.Join(path, "under-a-file")); err == nil {
		t.Error("a key was made under a file")
	}
	if _, err := open(filepath.Join(dir, "nowhere", "key")); err == nil {
		t.Error("a key was made in a folder that does not exist")
	}
}

func TestConfigIsChecked(t *testing.T) {
	keys := hostKeys(t, t.TempDir(), false)
	for _, c := range []sshd.Config{
		{App: noApp, Lines: toyLines},
		{HostKeys: keys},
		{HostKeys: keys, App: noApp, Lines: toyLines, Limits: sshd.Limits{MaxConns: -1}},
		{HostKeys: keys, App: noApp, Lines: toyLines, Limits: sshd.Limits{IdleTimeout: -1}},
		{HostKeys: keys, App: noApp, Lines: toyLines, Limits: sshd.Limits{InputRate: -1}},
	} {
		if _, err := sshd.New(c); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}

func TestHostKeysRotate(t *testing.T) {
	dir := t.TempDir()
	open := func(ecdsa bool) []string {
		t.Helper()
		s, err := sshd.New(sshd.Config{HostKeys: hostKeys(t, dir, ecdsa), App: noApp, Lines: toyLines, Command: toyCommands})
		if err != nil {
			t.Fatal(err)
		}
		var prints []string
		for _, k := range s.HostKeys() {
			prints = append(prints, k.Type+" "+k.Fingerprint)
		}
		return prints
	}
	if _, err := sshd.RotateHostKeys(dir); err != nil {
		t.Error(err)
	}
	first := open(true)
	if len(first) != 2 || !strings.HasPrefix(first[0], "ssh-ed25519 ") || !strings.HasPrefix(first[1], "ecdsa-sha2-nistp256 ") {
		t.Fatalf("keys: %v", first)
	}
	if again := open(false); !slices.Equal(again, first) {
		t.Errorf("the keys do not stay: %v, then %v", first, again)
	}
	if made, err := sshd.PrepareHostKeys(dir); err != nil || len(made) != 2 {
		t.Errorf("prepared: %v, %v", made, err)
	}
	if made, err := sshd.PrepareHostKeys(dir); err != nil || len(made) != 0 {
		t.Errorf("prepared twice: %v, %v", made, err)
	}
	both := open(false)
	if len(both) != 4 || !slices.Equal(both[:2], first) {
		t.Fatalf("with the next ones: %v", both)
	}
	if changed, err := sshd.RotateHostKeys(dir); err != nil || len(changed) != 2 {
		t.Errorf("rotated: %v, %v", changed, err)
	}
	if after := open(false); !slices.Equal(after, both[2:]) {
		t.Errorf("rotated: %v, want %v", after, both[2:])
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 4 { // two keys and two old ones
		t.Errorf("files: %v, %v", files, err)
	}
	for _, f := range files {
		if info, err := os.Stat(f); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f, info.Mode(), err)
		}
	}
}
