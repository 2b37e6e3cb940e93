package lobby

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
)

const saltBytes = 16

// newSalts returns the source of salts. Salts are published after each match, so earlier
// salts must not reveal later ones.
func newSalts(seed uint64) *rand.ChaCha8 {
	key := [32]byte{'s', 'a', 'l', 't'}
	binary.LittleEndian.PutUint64(key[24:], seed)
	return rand.NewChaCha8(key)
}

func (l *Lobby) newSaltLocked() string {
	var b [saltBytes]byte
	_, _ = l.salts.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
