package sshd

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/owner"
	"broadside/internal/sanitize"
)

// HostKeyPattern matches the names of host key files.
const HostKeyPattern = "ssh_host_*_key"

// hostKeyFileNames maps the types of keys that the server creates to file names.
var hostKeyFileNames = map[string]string{
	gossh.KeyAlgoED25519:  "ssh_host_ed25519_key",
	gossh.KeyAlgoECDSA256: "ssh_host_ecdsa_key",
}

// ParseHostKeys returns the host keys in a text of private keys in PEM, ed25519 keys first. Of several keys of
// the same type, only the first one counts. Errors never contain any of the text.
func ParseHostKeys(text []byte) ([]gossh.Signer, error) {
	var keys []gossh.Signer
	rest := []byte(sanitize.Decode(text))
	for {
		block, after := pem.Decode(rest)
		if block == nil {
			break
		}
		rest = after
		key, err := gossh.ParsePrivateKey(pem.EncodeToMemory(block))
		if err != nil {
			return nil, errors.New("a host key is damaged or has a passphrase")
		}
		if !slices.ContainsFunc(keys, func(k gossh.Signer) bool { return keyType(k) == keyType(key) }) {
			keys = append(keys, key)
		}
	}
	if len(bytes.TrimSpace(rest)) > 0 {
		return nil, errors.New("the text contains something other than private keys in PEM")
	}
	if len(keys) == 0 {
		return nil, errors.New("the text contains no host key")
	}
	slices.SortStableFunc(keys, func(a, b gossh.Signer) int { return keyPreference(a) - keyPreference(b) })
	return keys, nil
}

func keyType(k gossh.Signer) string { return k.PublicKey().Type() }

// keyPreference returns a key's position in the order of preference.
func keyPreference(k gossh.Signer) int {
	if keyType(k) == gossh.KeyAlgoED25519 {
		return 0
	}
	return 1
}

// AddMissingHostKeys adds an ed25519 key to a text of private keys in PEM, which may be empty, unless it has
// one. If ecdsa is set, it adds an ECDSA key in the same way.
func AddMissingHostKeys(text []byte, ecdsa bool) ([]byte, error) {
	var keys []gossh.Signer
	if len(text) > 0 {
		var err error
		if keys, err = ParseHostKeys(text); err != nil {
			return nil, err
		}
	}
	for _, kind := range createdKeyTypes(ecdsa) {
		if slices.ContainsFunc(keys, func(k gossh.Signer) bool { return keyType(k) == kind }) {
			continue
		}
		key, err := generateHostKey(kind)
		if err != nil {
			return nil, err
		}
		text = slices.Concat(text, key)
	}
	return text, nil
}

// createdKeyTypes returns the types of keys that the server creates.
func createdKeyTypes(ecdsa bool) []string {
	if ecdsa {
		return []string{gossh.KeyAlgoED25519, gossh.KeyAlgoECDSA256}
	}
	return []string{gossh.KeyAlgoED25519}
}

// OpenHostKeys returns the host keys in a folder. It creates missing ones: an ed25519 key, and an ECDSA key if
// ecdsa is set. Several servers may do so at the same time and get the same keys.
func OpenHostKeys(folder string, ecdsa bool) ([]gossh.Signer, error) {
	if err := owner.Check(folder); err != nil {
		return nil, fmt.Errorf("the folder of the host keys is not safe: %w", err)
	}
	for _, kind := range createdKeyTypes(ecdsa) {
		if err := createHostKeyFile(filepath.Join(folder, hostKeyFileNames[kind]), kind); err != nil {
			return nil, fmt.Errorf("cannot create a host key: %w", err)
		}
	}
	text, err := ReadHostKeys(folder)
	if err != nil {
		return nil, err
	}
	return ParseHostKeys(text)
}

// ReadHostKeys returns the text of the host keys in a folder, or no text if there are none. It is an error if
// others can read the files.
func ReadHostKeys(folder string) (text []byte, err error) {
	for _, kind := range createdKeyTypes(true) {
		file := filepath.Join(folder, hostKeyFileNames[kind])
		data, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("cannot read the host key: %w", err)
		}
		if _, err := ParseHostKeys(data); err != nil {
			return nil, fmt.Errorf("the host key %s is damaged: %w: restore it from a backup, or move it away to get a new one", file, err)
		}
		err = owner.CheckPrivate(file)
		if err == nil {
			err = owner.Check(file)
		}
		if err != nil {
			return nil, fmt.Errorf("the host key %s is not safe: %w", file, err)
		}
		text = append(append(text, bytes.TrimSpace([]byte(sanitize.Decode(data)))...), '\n')
	}
	return text, nil
}

// createHostKeyFile creates a key file atomically, unless it exists.
func createHostKeyFile(file, kind string) error {
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		// ReadHostKeys reports what is wrong with it.
		return nil
	}
	text, err := generateHostKey(kind)
	if err != nil {
		return err
	}
	// The file has mode 0600.
	tmp, err := os.CreateTemp(filepath.Dir(file), ".hostkey-*")
	if err != nil {
		return err
	}
	// Remove fails after the rename.
	defer os.Remove(tmp.Name())
	owner.CopyFolderOwner(tmp.Name())
	_, err = tmp.Write(text)
	if err := errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	err = os.Link(tmp.Name(), file)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	// The file system has no hard links.
	return os.Rename(tmp.Name(), file)
}

// generateHostKey returns a new private key in PEM. Kind is its algorithm.
func generateHostKey(kind string) ([]byte, error) {
	var key any
	var err error
	if kind == gossh.KeyAlgoECDSA256 {
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	} else {
		_, key, err = ed25519.GenerateKey(rand.Reader)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot generate a key: %w", err)
	}
	block, err := gossh.MarshalPrivateKey(key, "broadside")
	if err != nil {
		return nil, fmt.Errorf("cannot encode a key: %w", err)
	}
	return pem.EncodeToMemory(block), nil
}
