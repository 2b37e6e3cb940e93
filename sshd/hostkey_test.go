package sshd_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"broadside/sshd"
)

func openNoScreen(context.Context, sshd.User) (sshd.Screen, error) { return nil, nil }

// TestHostKeysAreCreatedOnce checks that servers that start at the same time in a shared folder get
// the same key, and that a file that is not safe or not a key is refused and kept.
func TestHostKeysAreCreatedOnce(t *testing.T) {
	dir := t.TempDir()
	// A library might write a key to the current directory.
	t.Chdir(dir)
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	prints := make([]string, 8)
	var work sync.WaitGroup
	for i := range prints {
		work.Go(func() {
			keys, err := sshd.OpenHostKeys(data, false)
			if err != nil || len(keys) != 1 {
				t.Errorf("OpenHostKeys = %v, %v", keys, err)
				return
			}
			prints[i] = gossh.FingerprintSHA256(keys[0].PublicKey())
		})
	}
	work.Wait()
	for _, p := range prints {
		if p == "" || p != prints[0] {
			t.Fatalf("the keys differ: %v", prints)
		}
	}
	path := filepath.Join(data, "ssh_host_ed25519_key")
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("got key file %v, %v", info, err)
	}
	inside, _ := filepath.Glob(filepath.Join(data, "*"))
	outside, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(inside) != 1 || len(outside) != 1 {
		t.Errorf("got files %v and %v", inside, outside)
	}

	if runtime.GOOS != "windows" {
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := sshd.OpenHostKeys(data, false); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("key that others can read: got error %v", err)
		}
	}
	if err := os.WriteFile(path, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sshd.OpenHostKeys(data, false); err == nil || !strings.Contains(err.Error(), path+" is damaged") {
		t.Errorf("damaged key: got error %v", err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "broken" {
		t.Errorf("damaged key was overwritten: %q, %v", data, err)
	}
	for _, folder := range []string{filepath.Join(path, "under-a-file"), filepath.Join(dir, "nowhere")} {
		if _, err := sshd.OpenHostKeys(folder, false); err == nil {
			t.Errorf("a key was created in %s", folder)
		}
	}
}

// TestParseHostKeysErrors checks that an error says what is wrong with a text without a part of it.
func TestParseHostKeysErrors(t *testing.T) {
	text, err := sshd.AddMissingHostKeys(nil, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"", "contains no host key"},
		{"secret", "something other"},
		{string(text) + "secret", "something other"},
		{strings.Replace(string(text), "b3BlbnNzaC1rZXk", "b3BlbnNzaC1rZXl", 1), "is damaged"},
	} {
		_, err := sshd.ParseHostKeys([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("ParseHostKeys(%.20q): got error %v, want %s", c.text, err, c.want)
		}
	}
}

func TestConfigIsChecked(t *testing.T) {
	keys := openHostKeys(t, t.TempDir(), false)
	configs := []sshd.Config{{App: openNoScreen, Lines: runTestLines}, {HostKeys: keys}}
	for i := range reflect.TypeFor[sshd.Limits]().NumField() {
		c := sshd.Config{HostKeys: keys, App: openNoScreen, Lines: runTestLines, Command: newTestCommand}
		reflect.ValueOf(&c.Limits).Elem().Field(i).SetInt(-1)
		configs = append(configs, c)
		if reflect.ValueOf(sshd.Limits{}.WithDefaults()).Field(i).IsZero() {
			t.Errorf("limit %d has no default", i)
		}
	}
	for _, c := range configs {
		if _, err := sshd.New(c); err == nil {
			t.Errorf("New accepted %+v", c)
		}
	}
}
