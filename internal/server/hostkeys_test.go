package server

import (
	"bytes"
	"encoding/pem"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/store"
	"broadside/internal/test/storetest"
)

func fingerprints(keys []gossh.Signer) []string {
	var all []string
	for _, k := range keys {
		all = append(all, gossh.FingerprintSHA256(k.PublicKey()))
	}
	return all
}

// TestHostKeysOfEarlierVersions checks that the server has the host keys that a version with
// "hostkey prepare" has written, without the prepared ones, wherever they are.
func TestHostKeysOfEarlierVersions(t *testing.T) {
	text, err := os.ReadFile("testdata/hostkeys.pem")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"SHA256:nyHbhFIjeu/NvUEdJE5bv6xTdelz/b0M2ITjPDPbNc0", "SHA256:Cg4+8aDwCynM2D5bnJBASxFPcCO0Q3Rvr7bOpnu7vrI"}
	writeFiles := func(t *testing.T, folder string) {
		rest := text
		for _, name := range []string{"ssh_host_ed25519_key", "ssh_host_ecdsa_key", "ssh_host_ed25519_key.next", "ssh_host_ecdsa_key.next"} {
			var block *pem.Block
			block, rest = pem.Decode(rest)
			if err := os.WriteFile(filepath.Join(folder, name), pem.EncodeToMemory(block), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name, place string
		set         func(t *testing.T, c *Config, db *store.Store)
	}{
		{"data folder", "", func(t *testing.T, c *Config, _ *store.Store) { writeFiles(t, c.Data) }},
		{"another folder", t.TempDir(), func(t *testing.T, c *Config, _ *store.Store) { writeFiles(t, c.HostKeys) }},
		{"from the data folder to the database", "store", func(t *testing.T, c *Config, _ *store.Store) { writeFiles(t, c.Data) }},
		{"database", "store", func(t *testing.T, _ *Config, db *store.Store) {
			if err := db.State.Set(t.Context(), "host keys", string(text), ""); err != nil {
				t.Fatal(err)
			}
		}},
		{"environment", "env", func(t *testing.T, _ *Config, _ *store.Store) { t.Setenv("BROADSIDE_HOST_KEY_PEM", string(text)) }},
		{"pasted into the environment", "env", func(t *testing.T, _ *Config, _ *store.Store) {
			t.Setenv("BROADSIDE_HOST_KEY_PEM", string(bytes.ReplaceAll(text, []byte("\n"), []byte("\r"))))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := Config{Data: t.TempDir(), HostKeys: c.place}
			db := storetest.OpenDisk(t, store.Config{Folder: cfg.Data}).Store
			c.set(t, &cfg, db)
			for range 2 {
				keys, err := cfg.OpenHostKeys(t.Context(), db)
				if err != nil || !slices.Equal(fingerprints(keys), want) {
					t.Errorf("opened %v, %v, want %v", fingerprints(keys), err, want)
				}
			}
			keys, err := cfg.ReadHostKeys(t.Context())
			if err != nil || !slices.Equal(fingerprints(keys), want) {
				t.Errorf("read %v, %v, want %v", fingerprints(keys), err, want)
			}
		})
	}
}

// TestNewHostKeys checks that missing keys are created once, and an ECDSA key only on request.
func TestNewHostKeys(t *testing.T) {
	for _, place := range []string{"", "store"} {
		cfg := Config{Data: t.TempDir(), HostKeys: place}
		db := storetest.OpenDisk(t, store.Config{Folder: cfg.Data}).Store
		if keys, err := cfg.ReadHostKeys(t.Context()); err != nil || len(keys) != 0 {
			t.Errorf("%q: before the start, there are %v, %v", place, keys, err)
		}
		var all [3][]string
		for i := range all {
			cfg.ECDSA = i == 1
			keys, err := cfg.OpenHostKeys(t.Context(), db)
			if err != nil {
				t.Fatal(err)
			}
			all[i] = fingerprints(keys)
		}
		if len(all[0]) != 1 || len(all[1]) != 2 || all[1][0] != all[0][0] || !slices.Equal(all[2], all[1]) {
			t.Errorf("%q: the keys are %v", place, all)
		}
	}
	cfg := Config{HostKeys: "env"}
	if _, err := cfg.OpenHostKeys(t.Context(), nil); err == nil {
		t.Error("without the variable, keys were made")
	}
}
