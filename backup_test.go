package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"broadside/lobby/store"
)

// TestBackup copies the database of a server that runs, and opens the copy.
func TestBackup(t *testing.T) {
	var data string
	h := open(t, func(c *serveConfig) { data = c.data })
	h.come(t, "ann")
	folder := t.TempDir()
	file := filepath.Join(folder, store.FileName)
	out, err := try(t.Context(), "backup", file, "--data", data)
	if err != nil || !strings.Contains(out, file) {
		t.Fatalf("%q, %v", out, err)
	}
	s, err := store.Open(t.Context(), store.Config{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.PlayerByName(t.Context(), "ann"); err != nil {
		t.Error(err)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := try(t.Context(), "backup", file, "--data", data); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("a second copy over the first: %v", err)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Error("the copy was touched")
	}
	if _, err := try(t.Context(), "backup", filepath.Join(folder, "other"), "--data", t.TempDir()); err == nil {
		t.Error("a folder without a database was backed up")
	}
}
