package lobby

import "slices"

// While the store cannot be read, the lobby knows the players of running matches by
// the keys with which they have come.

// spareKeys is the number of accounts of which keys are kept besides those that are
// needed.
const spareKeys = 1000

// NoteKey notes that a session's player has come with a key.
func (l *Lobby) NoteKey(p Player, fingerprint string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.noteKey(p.Account, fingerprint)
}

// The functions below require l.mu to be held.

// noteKey notes that a key opens an account, as long as the account's player is here
// or plays.
func (l *Lobby) noteKey(account, fingerprint string) {
	if account == "" || fingerprint == "" || slices.Contains(l.keys[account], fingerprint) {
		return
	}
	l.keys[account] = append(l.keys[account], fingerprint)
	if len(l.keys) > 2*(len(l.members)+2*len(l.running)+spareKeys) {
		l.sweepKeys(account)
	}
}

// forgetKey notes that a key no longer opens an account.
func (l *Lobby) forgetKey(account, fingerprint string) {
	// Matches that are being stored share the list.
	l.keys[account] = slices.DeleteFunc(slices.Clone(l.keys[account]), func(k string) bool { return k == fingerprint })
}

// sweepKeys forgets the keys of accounts whose players are gone, except one.
func (l *Lobby) sweepKeys(except string) {
	needed := map[string]bool{except: true}
	for v := range l.members {
		needed[v.player.Account] = true
	}
	for _, g := range l.running {
		needed[g.players[0].Account], needed[g.players[1].Account] = true, true
	}
	for account := range l.keys {
		if !needed[account] {
			delete(l.keys, account)
		}
	}
}

// playerOf returns the player of a running match whom a key belongs to.
func (l *Lobby) playerOf(fingerprint string) (Player, bool) {
	for _, g := range l.running {
		for _, p := range g.players {
			if p.Account != "" && slices.Contains(l.keys[p.Account], fingerprint) {
				return p, true
			}
		}
	}
	return Player{}, false
}
