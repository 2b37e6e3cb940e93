package sshd

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"broadside/internal/owner"
	"broadside/internal/sanitize"
)

// Host keys are stored as files in one folder, or as one text; see keytext.go. A key may
// have a successor, which is announced to clients before it replaces the key.
const (
	ed25519File = "ssh_host_ed25519_key"
	ecdsaFile   = "ssh_host_ecdsa_key"
	nextSuffix  = ".next"
	oldSuffix   = ".old"

	// HostKeyFiles is a pattern for the file names of host keys in use.
	HostKeyFiles = "ssh_host_*_key"
)

// HostKey is a key that identifies the server.
type HostKey struct {
	Where       string // its file with the folder, or another source
	Next        bool   // announced to clients, but not in use yet
	Type        string // as in known_hosts, such as "ssh-ed25519"
	Fingerprint string // as ssh shows it, "SHA256:…"
	Line        string // the key as in known_hosts, without the host

	signer  gossh.Signer
	private any
}

// Private returns the private key, as [gossh.ParseRawPrivateKey] does.
func (k HostKey) Private() any { return k.private }

// HostKeys returns the host keys in a folder: first those in use, then their
// successors.
func HostKeys(folder string) ([]HostKey, error) {
	var keys []HostKey
	for _, suffix := range []string{"", nextSuffix} {
		for _, name := range []string{ed25519File, ecdsaFile} {
			file := filepath.Join(folder, name+suffix)
			private, err := readHostKey(file)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			key, err := hostKey(private, file, suffix != "")
			if err != nil {
				return nil, err
			}
			keys = append(keys, key)
		}
	}
	return keys, nil
}

func hostKey(private any, where string, next bool) (HostKey, error) {
	signer, err := gossh.NewSignerFromKey(private)
	if err != nil {
		return HostKey{}, fmt.Errorf("cannot use the host key in %s: %w", where, err)
	}
	public := signer.PublicKey()
	line := gossh.MarshalAuthorizedKey(public)
	return HostKey{
		Where: where, Next: next, Type: public.Type(), Fingerprint: gossh.FingerprintSHA256(public),
		Line: string(line[:len(line)-1]), signer: signer, private: private,
	}, nil
}

// KnownHosts returns the key as a line of known_hosts for an address of the form
// host:port.
func (k HostKey) KnownHosts(address string) string {
	return knownhosts.Line([]string{address}, k.signer.PublicKey())
}

// sshfpAlgorithms are the numbers that RFC 4255, RFC 6594 and RFC 7479 give to
// types of keys.
var sshfpAlgorithms = map[string]int{gossh.KeyAlgoRSA: 1, gossh.KeyAlgoECDSA256: 3, gossh.KeyAlgoECDSA384: 3, gossh.KeyAlgoECDSA521: 3, gossh.KeyAlgoED25519: 4}

// SSHFP returns the DNS record of the key's SHA-256 fingerprint for a name in a zone.
// It returns false for a type of key that has no such record.
func (k HostKey) SSHFP(name string) (record string, ok bool) {
	algorithm, ok := sshfpAlgorithms[k.Type]
	return fmt.Sprintf("%s IN SSHFP %d 2 %x", name, algorithm, sha256.Sum256(k.signer.PublicKey().Marshal())), ok
}

// PrepareHostKeys creates a successor for each host key in a folder that has none, for
// [RotateHostKeys]. It returns the new files.
func PrepareHostKeys(folder string) (made []string, err error) {
	keys, err := HostKeys(folder)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		next := k.Where + nextSuffix
		if _, err := os.Lstat(next); k.Next || err == nil {
			continue
		}
		if err := makeHostKey(next, k.Type != gossh.KeyAlgoED25519); err != nil {
			return made, fmt.Errorf("cannot create a host key: %w", err)
		}
		made = append(made, next)
	}
	return made, nil
}

// RotateHostKeys replaces host keys with their successors, and keeps the replaced keys in
// files that end in ".old". A running server is not affected. It returns the changed
// files.
func RotateHostKeys(folder string) (changed []string, err error) {
	keys, err := HostKeys(folder)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		if !k.Next {
			continue
		}
		file := k.Where[:len(k.Where)-len(nextSuffix)]
		if err := os.Rename(file, file+oldSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return changed, fmt.Errorf("cannot rename the old host key: %w", err)
		}
		if err := os.Rename(k.Where, file); err != nil {
			return changed, fmt.Errorf("cannot rename the next host key: %w", err)
		}
		changed = append(changed, file)
	}
	return changed, nil
}

// OpenHostKeys returns the host keys in a folder after creating missing ones: an ed25519
// key, and an ECDSA key if ecdsa is set. Several servers may do so at the same time and
// get the same keys.
func OpenHostKeys(folder string, ecdsa bool) ([]HostKey, error) {
	if err := owner.Safe(folder); err != nil {
		return nil, fmt.Errorf("the folder of the host keys is not safe: %w", err)
	}
	for name, wanted := range map[string]bool{ed25519File: true, ecdsaFile: ecdsa} {
		file := filepath.Join(folder, name)
		if _, err := os.Lstat(file); !wanted || !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := makeHostKey(file, name == ecdsaFile); err != nil {
			return nil, fmt.Errorf("cannot create a host key: %w", err)
		}
	}
	return HostKeys(folder)
}

// readHostKey reads a host key, whose file must not be readable by others.
func readHostKey(file string) (private any, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read the host key: %w", err)
	}
	private, err = gossh.ParseRawPrivateKey([]byte(sanitize.Decode(data)))
	if err != nil {
		return nil, fmt.Errorf("the host key %s is damaged: %w: restore it from a backup, or move it away to get a new one", file, err)
	}
	err = owner.Secret(file)
	if err == nil {
		err = owner.Safe(file)
	}
	if err != nil {
		return nil, fmt.Errorf("the host key %s is not safe: %w", file, err)
	}
	return private, nil
}

// makeHostKey creates a key file atomically, unless there is one already.
func makeHostKey(file string, nist bool) error {
	text, err := newHostKey(nist)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".hostkey-*") // has mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // fails after the rename
	owner.Inherit(tmp.Name())
	_, err = tmp.Write(text)
	if err := errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	switch err := os.Link(tmp.Name(), file); {
	case err == nil || errors.Is(err, fs.ErrExist):
		return nil
	}
	return os.Rename(tmp.Name(), file) // the file system has no hard links
}

// newHostKey creates a key in PEM.
func newHostKey(nist bool) ([]byte, error) {
	var key any
	var err error
	if nist {
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
