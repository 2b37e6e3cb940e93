package sshd

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	gossh "golang.org/x/crypto/ssh"
)

// loadHostKey reads the host key, or makes one if there is none. It returns
// the key and its PEM encoding.
func loadHostKey(path string) (gossh.Signer, []byte, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if data, err = makeHostKey(path); err != nil {
			return nil, nil, fmt.Errorf("cannot make a host key: %w", err)
		}
	} else if err != nil {
		return nil, nil, fmt.Errorf("cannot read the host key: %w", err)
	}
	signer, err := gossh.ParsePrivateKey(data)
	if err != nil {
		return nil, nil, fmt.Errorf("the host key %s is broken: %w: restore it from a backup, or move it away to get a new one", path, err)
	}
	if info, err := os.Stat(path); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, nil, fmt.Errorf("the host key %s can be read by others (mode %04o): run chmod 600 on it", path, info.Mode().Perm())
	}
	return signer, data, nil
}

// makeHostKey writes a new key in one step: a crash leaves a whole key or none.
func makeHostKey(path string) ([]byte, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("generating: %w", err)
	}
	block, err := gossh.MarshalPrivateKey(key, "broadside")
	if err != nil {
		return nil, fmt.Errorf("encoding: %w", err)
	}
	data := pem.EncodeToMemory(block)
	tmp, err := os.CreateTemp(filepath.Dir(path), ".hostkey-*") // made with mode 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(tmp.Name()) // fails once it has its name
	_, err = tmp.Write(data)
	if err := errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return nil, err
	}
	return data, os.Rename(tmp.Name(), path)
}
