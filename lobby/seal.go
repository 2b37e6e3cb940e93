package lobby

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
)

// saltBytes is the size of a salt.
const saltBytes = 16

// newSalts is the source of salts. Salts are told after each match, so it is
// one of which nobody can tell what comes next from what came before.
func newSalts(seed uint64) *rand.ChaCha8 {
	key := [32]byte{'s', 'a', 'l', 't'}
	binary.LittleEndian.PutUint64(key[24:], seed)
	return rand.NewChaCha8(key)
}

// newSalt is a salt for one fleet. The lobby is locked.
func (l *Lobby) newSaltLocked() string {
	var b [saltBytes]byte
	_, _ = l.salts.Read(b[:]) // it has no errors
	return hex.EncodeToString(b[:])
}
