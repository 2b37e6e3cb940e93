package lobby

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"broadside/bots"
	"broadside/internal/store"
	"broadside/lobby/account"
)

// members holds the listed sessions. The lobby's lock guards it.
type members struct {
	all map[*Member]struct{}
	// byID holds the sessions by player ID.
	byID map[string][]*Member
	// byName holds the sessions by the keys that nameKeys returns.
	byName map[string][]*Member
	// reserved holds the running matches by the name keys of their players.
	reserved map[string][]*game
	// bots has the skeletons of the bots' names. It never changes.
	bots map[string]bool
	// newID returns an ID for a guest. The caller must hold the lock.
	newID func(account.Kind) string
}

func newMembers(newID func(account.Kind) string) members {
	ms := members{all: map[*Member]struct{}{}, byID: map[string][]*Member{}, byName: map[string][]*Member{}, reserved: map[string][]*game{}, bots: map[string]bool{}, newID: newID}
	for _, b := range bots.All() {
		ms.bots[store.Skeleton(b.Name)] = true
	}
	return ms
}

// nameKeys returns a name's keys: its skeleton and, if it ends with a number, the
// skeleton of the part before the number, followed by the number.
func nameKeys(name string) []string {
	keys := []string{store.Skeleton(name)}
	i := strings.LastIndexByte(name, '-')
	if i >= 0 {
		keys = append(keys, store.Skeleton(name[:i])+name[i:])
	}
	return keys
}

func (ms *members) addLocked(m *Member) {
	ms.all[m] = struct{}{}
	ms.byID[m.player.ID] = append(ms.byID[m.player.ID], m)
	for _, key := range nameKeys(m.player.Name) {
		ms.byName[key] = append(ms.byName[key], m)
	}
}

func (ms *members) removeLocked(m *Member) {
	delete(ms.all, m)
	removeFrom(ms.byID, m.player.ID, m)
	for _, key := range nameKeys(m.player.Name) {
		removeFrom(ms.byName, key, m)
	}
}

// reserveNamesLocked reserves the names of a match's guests until releaseNamesLocked. It leaves out hot-seat matches,
// because their players may use others' names.
func (ms *members) reserveNamesLocked(g *game) {
	for _, key := range g.guestNameKeysLocked() {
		ms.reserved[key] = append(ms.reserved[key], g)
	}
}

func (ms *members) releaseNamesLocked(g *game) {
	for _, key := range g.guestNameKeysLocked() {
		removeFrom(ms.reserved, key, g)
	}
}

// guestNameKeysLocked returns the name keys of the players without an account.
func (g *game) guestNameKeysLocked() (keys []string) {
	for side, p := range g.players {
		if p.Kind == account.Person && p.Account == "" && !g.hotSeat {
			keys = append(keys, nameKeys(g.names[side])...)
		}
	}
	return keys
}

func removeFrom[T comparable](index map[string][]T, key string, v T) {
	rest := slices.DeleteFunc(index[key], func(x T) bool { return x == v })
	if len(rest) == 0 {
		delete(index, key)
		return
	}
	index[key] = rest
}

// findByNameLocked returns the ID of the listed player with a name, ignoring case, or "".
func (ms *members) findByNameLocked(name string) string {
	for _, m := range ms.byName[store.Skeleton(name)] {
		if strings.EqualFold(m.player.Name, name) {
			return m.player.ID
		}
	}
	return ""
}

// identifyLocked returns the player with an ID, and with a name that cannot be confused
// with that of another listed player or a bot.
func (ms *members) identifyLocked(p account.Player) account.Player {
	if p.ID == "" {
		p.ID, p.Guest = ms.newID(p.Kind), true
		if p.Name == "" {
			p.Name, _, _ = strings.Cut(p.ID, ".")
		}
	}
	// Names of accounts are unique.
	if p.Account != "" {
		return p
	}
	skeleton := store.Skeleton(p.Name)
	if !ms.bots[skeleton] && !ms.isKeyTakenLocked(skeleton, p.ID) {
		return p
	}
	p.Name += "-" + strconv.Itoa(ms.findFreeNumberLocked(skeleton, p.ID))
	return p
}

// findFreeNumberLocked returns a number that makes a name unique. It tries few, since
// thousands of guests may have the same name.
func (ms *members) findFreeNumberLocked(skeleton, id string) int {
	taken := func(n int) bool { return ms.isKeyTakenLocked(skeleton+"-"+strconv.Itoa(n), id) }
	from, to := 2, 2
	for taken(to) {
		from, to = to, 2*to
	}
	return from + sort.Search(to-from, func(i int) bool { return !taken(from + i) })
}

// isKeyTakenLocked reports whether a player with another ID uses the given key, in the lobby or in a
// running match; see nameKeys.
func (ms *members) isKeyTakenLocked(key, id string) bool {
	return slices.ContainsFunc(ms.byName[key], func(m *Member) bool { return m.player.ID != id }) ||
		slices.ContainsFunc(ms.reserved[key], func(g *game) bool {
			side, in := g.findSideLocked(id)
			return !in || !slices.Contains(nameKeys(g.names[side]), key)
		})
}
