package sshd

import (
	"testing"

	gossh "golang.org/x/crypto/ssh"
)

// FuzzProve requests proofs of host keys: each reply has one signature for each
// requested key, by that key.
func FuzzProve(f *testing.F) {
	keys, err := OpenHostKeys(f.TempDir(), true)
	if err != nil {
		f.Fatal(err)
	}
	s := &Server{hostKeys: keys}
	var both []byte
	for _, k := range keys {
		one := gossh.Marshal(struct{ Key []byte }{k.signer.PublicKey().Marshal()})
		both = append(both, one...)
		f.Add(one)
	}
	if s.prove([]byte("session"), both) == nil {
		f.Fatal("no proof of two known keys")
	}
	f.Add(both)
	f.Add(append(both, both...))
	f.Add([]byte{0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, asks []byte) {
		proofs := s.prove([]byte("session"), asks)
		proved := len(proofs) > 0
		for len(proofs) > 0 {
			var asked, given struct {
				Text []byte
				Rest []byte `ssh:"rest"`
			}
			if err := gossh.Unmarshal(asks, &asked); err != nil {
				t.Fatal(err)
			}
			if err := gossh.Unmarshal(proofs, &given); err != nil {
				t.Fatal(err)
			}
			var signature gossh.Signature
			if err := gossh.Unmarshal(given.Text, &signature); err != nil {
				t.Fatal(err)
			}
			public, err := gossh.ParsePublicKey(asked.Text)
			if err != nil {
				t.Fatal(err)
			}
			if err := public.Verify(gossh.Marshal(struct {
				Request      string
				Session, Key []byte
			}{proveRequest, []byte("session"), asked.Text}), &signature); err != nil {
				t.Error(err)
			}
			asks, proofs = asked.Rest, given.Rest
		}
		if proved && len(asks) > 0 {
			t.Errorf("no proof of the last keys, in %d bytes", len(asks))
		}
	})
}
