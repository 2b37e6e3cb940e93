package sshd_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"broadside/sshd"
)

func noApp(context.Context, sshd.Visitor) sshd.Screen { return nil }

func TestHostKey(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // where a library might leave a key
	path := filepath.Join(dir, "data", "key")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	open := func(path string) (*sshd.Server, error) {
		return sshd.New(sshd.Config{HostKeyPath: path, App: noApp})
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
	if _, err := open(path); err == nil || !strings.Contains(err.Error(), path+" is broken") {
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
	path := filepath.Join(t.TempDir(), "key")
	for _, c := range []sshd.Config{
		{App: noApp},
		{HostKeyPath: path},
		{HostKeyPath: path, App: noApp, MaxConns: -1},
		{HostKeyPath: path, App: noApp, IdleTimeout: -1},
		{HostKeyPath: path, App: noApp, InputRate: -1},
	} {
		if _, err := sshd.New(c); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}
