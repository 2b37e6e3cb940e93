package sshd

import (
	"bytes"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/sanitize"
)

// Host keys that are not in files are one text of private keys in PEM. The first key of
// each type is in use, and the second one is its successor. Errors never contain any of
// the text.

// ParseHostKeys returns the host keys in a text: first those in use, then their
// successors. Where names the source of the text.
func ParseHostKeys(where string, text []byte) ([]HostKey, error) {
	var keys []HostKey
	text = []byte(sanitize.Decode(text))
	seen := map[string]int{}
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			break
		}
		text = rest
		private, err := gossh.ParseRawPrivateKey(pem.EncodeToMemory(block))
		if err != nil {
			return nil, fmt.Errorf("a host key in %s is damaged or has a passphrase", where)
		}
		key, err := hostKey(private, where, false)
		if err != nil {
			return nil, err
		}
		kind := key.Type
		if seen[kind]++; seen[kind] > 2 {
			return nil, fmt.Errorf("%s contains more than two host keys of type %s: only a current and a next key are allowed", where, kind)
		}
		key.Next = seen[kind] == 2
		keys = append(keys, key)
	}
	switch {
	case len(bytes.TrimSpace(text)) > 0:
		return nil, fmt.Errorf("%s contains something other than private keys in PEM", where)
	case len(keys) == 0:
		return nil, fmt.Errorf("%s contains no host key", where)
	}
	slices.SortStableFunc(keys, func(a, b HostKey) int { return rank(a) - rank(b) })
	return keys, nil
}

// rank returns the position of a key in the order of preference.
func rank(k HostKey) (n int) {
	if k.Next {
		n = 2
	}
	if k.Type != gossh.KeyAlgoED25519 {
		n++
	}
	return n
}

// CompleteHostKeys adds missing keys to a text, which may be empty: an ed25519 key, and
// an ECDSA key if ecdsa is set.
func CompleteHostKeys(text []byte, ecdsa bool) ([]byte, error) {
	var keys []HostKey
	if len(text) > 0 {
		var err error
		if keys, err = ParseHostKeys("PEM", text); err != nil {
			return nil, err
		}
	}
	has := func(nist bool) bool {
		return slices.ContainsFunc(keys, func(k HostKey) bool { return (k.Type != gossh.KeyAlgoED25519) == nist })
	}
	for _, nist := range []bool{false, true} {
		if has(nist) || nist && !ecdsa {
			continue
		}
		key, err := newHostKey(nist)
		if err != nil {
			return nil, fmt.Errorf("cannot create a host key: %w", err)
		}
		text = slices.Concat(text, key)
	}
	return text, nil
}

// PrepareHostKeyText is like [PrepareHostKeys] for a text. It returns the new text and
// the number of new keys.
func PrepareHostKeyText(text []byte) (next []byte, made int, err error) {
	keys, err := ParseHostKeys("PEM", text)
	if err != nil {
		return nil, 0, err
	}
	for _, k := range keys {
		if k.Next || slices.ContainsFunc(keys, func(n HostKey) bool { return n.Next && n.Type == k.Type }) {
			continue
		}
		key, err := newHostKey(k.Type != gossh.KeyAlgoED25519)
		if err != nil {
			return nil, 0, fmt.Errorf("cannot create a host key: %w", err)
		}
		text = slices.Concat(text, key)
		made++
	}
	return text, made, nil
}

// RotateHostKeyText is like [RotateHostKeys] for a text: it removes keys that have a
// successor. It returns the new text and the number of removed keys.
func RotateHostKeyText(text []byte) (next []byte, gone int, err error) {
	keys, err := ParseHostKeys("PEM", text)
	if err != nil {
		return nil, 0, err
	}
	old := map[string]bool{}
	for _, k := range keys {
		if k.Next {
			old[k.Type] = true
		}
	}
	text = []byte(sanitize.Decode(text))
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			break
		}
		text = rest
		one := pem.EncodeToMemory(block)
		signer, err := gossh.ParsePrivateKey(one)
		if err != nil {
			return nil, 0, errors.New("a host key is damaged") // never happens: it was parsed above
		}
		if kind := signer.PublicKey().Type(); old[kind] {
			delete(old, kind)
			gone++
			continue
		}
		next = append(next, one...)
	}
	return next, gone, nil
}

// HostKeyText returns the host keys in a folder as a text, which is empty if there are
// none.
func HostKeyText(folder string) ([]byte, error) {
	keys, err := HostKeys(folder)
	if err != nil {
		return nil, err
	}
	var text []byte
	for _, k := range keys {
		one, err := os.ReadFile(k.Where)
		if err != nil {
			return nil, err
		}
		text = append(append(text, strings.TrimSpace(sanitize.Decode(one))...), '\n')
	}
	return text, nil
}
