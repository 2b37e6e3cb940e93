package sshd_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"broadside/sshd"
)

// TestHostKeyText checks that keys in a text are used, prepared and rotated like those
// in files.
func TestHostKeyText(t *testing.T) {
	text, err := sshd.CompleteHostKeys(nil, true)
	if err != nil {
		t.Fatal(err)
	}
	read := func(text []byte, want int) []sshd.HostKey {
		t.Helper()
		keys, err := sshd.ParseHostKeys("a text", text)
		if err != nil || len(keys) != want {
			t.Fatalf("%d keys, want %d (%v)", len(keys), want, err)
		}
		return keys
	}
	first := read(text, 2)
	if first[0].Type != "ssh-ed25519" || first[0].Next || first[1].Next || first[0].Where != "a text" {
		t.Errorf("%v", first)
	}
	if again, err := sshd.CompleteHostKeys(text, true); err != nil || !bytes.Equal(again, text) {
		t.Errorf("a whole text was changed: %v", err)
	}
	both, made, err := sshd.PrepareHostKeyText(text)
	if err != nil || made != 2 {
		t.Fatalf("prepared: %d, %v", made, err)
	}
	prepared := read(both, 4)
	if prepared[0].Fingerprint != first[0].Fingerprint || prepared[1].Fingerprint != first[1].Fingerprint || !prepared[2].Next || !prepared[3].Next {
		t.Errorf("prepared: %v", prepared)
	}
	if _, made, err := sshd.PrepareHostKeyText(both); err != nil || made != 0 {
		t.Errorf("prepared again: %d, %v", made, err)
	}
	pasted := bytes.ReplaceAll(both, []byte("\n"), []byte("\r")) // as a terminal pastes it
	if keys := read(pasted, 4); keys[2].Fingerprint != prepared[2].Fingerprint {
		t.Errorf("with carriage returns: %v", keys)
	}
	if _, gone, err := sshd.RotateHostKeyText(pasted); err != nil || gone != 2 {
		t.Errorf("with carriage returns, rotated: %d, %v", gone, err)
	}
	rotated, gone, err := sshd.RotateHostKeyText(both)
	if err != nil || gone != 2 {
		t.Fatalf("rotated: %d, %v", gone, err)
	}
	last := read(rotated, 2)
	if last[0].Fingerprint != prepared[2].Fingerprint || last[1].Fingerprint != prepared[3].Fingerprint {
		t.Errorf("rotated: %v, want the second half of %v", last, prepared)
	}
	if _, gone, err := sshd.RotateHostKeyText(rotated); err != nil || gone != 0 {
		t.Errorf("rotated again: %d, %v", gone, err)
	}
	s, err := sshd.New(sshd.Config{HostKeys: last, App: noApp, Lines: toyLines, Command: toyCommands})
	if err != nil || s.Fingerprint() != last[0].Fingerprint {
		t.Errorf("a server with them: %v", err)
	}

	for _, c := range []struct{ text, want string }{
		{"", "here contains no host key"},
		{"secret", "something other"},
		{string(text) + "secret", "something other"},
		{strings.Replace(string(text), "b3BlbnNzaC1rZXk", "b3BlbnNzaC1rZXl", 1), "is damaged"},
		{string(both) + string(both), "more than two"},
	} {
		if _, err := sshd.ParseHostKeys("here", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%.20q: %v, want %s", c.text, err, c.want)
		}
	}
}

// TestHostKeysOfManyAtOnce checks that servers that start at the same time in a shared
// folder get the same key.
func TestHostKeysOfManyAtOnce(t *testing.T) {
	folder := t.TempDir()
	prints := make([]string, 8)
	var work sync.WaitGroup
	for i := range prints {
		work.Go(func() {
			keys, err := sshd.OpenHostKeys(folder, false)
			if err != nil || len(keys) != 1 {
				t.Errorf("%v, %v", keys, err)
				return
			}
			prints[i] = keys[0].Fingerprint
		})
	}
	work.Wait()
	for _, p := range prints {
		if p == "" || p != prints[0] {
			t.Errorf("the keys differ: %v", prints)
			break
		}
	}
	text, err := sshd.HostKeyText(folder)
	if keys, bad := sshd.ParseHostKeys("it", text); err != nil || bad != nil || keys[0].Fingerprint != prints[0] {
		t.Errorf("as a text: %v, %v, %v", keys, err, bad)
	}
}
