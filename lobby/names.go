package lobby

import (
	"fmt"
	"strconv"
	"strings"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/store"
)

// MinName is the least number of characters of an account's name; the most is
// MaxName.
const MinName = 3

// Why a person cannot have a name, in sentences for the person.
var (
	ErrName         = i18n.Errorf("a name has %d to %d letters, digits, - and _, and begins with a letter", MinName, MaxName)
	ErrNameReserved = i18n.Errorf("that name is reserved, or looks like one that is: choose another")
	ErrNameTaken    = i18n.Errorf("that name is taken: choose another")
)

// reserved are names that would mislead, beside those of bots.
var reserved = []string{
	"admin", "administrator", "all", "anonymous", "anybody", "anyone", "bot", "broadside", "everybody", "everyone",
	"guest", "help", "host", "mod", "moderator", "nobody", "operator", "owner", "person", "player", "program", "root",
	"server", "staff", "support", "system", "you",
}

// CheckName tells whether an account may have a name, as far as the name itself
// goes: nil, ErrName or ErrNameReserved. The store sees to it that no two accounts
// have names that look alike, see [store.Skeleton].
func CheckName(name string) error {
	if len(name) < MinName || len(name) > MaxName || !letter(name[0]) {
		return ErrName
	}
	for i := range len(name) {
		if c := name[i]; !letter(c) && !digit(c) && c != '-' && c != '_' {
			return ErrName
		}
	}
	taken := reserved
	for _, b := range bots.All() {
		taken = append(taken, b.Name)
	}
	whole, stem := store.Skeleton(name), store.Skeleton(strings.TrimRight(name, "0123456789-_"))
	for _, r := range taken {
		if s := store.Skeleton(r); s == whole || s == stem { // easy-2 is how a second easy would be called
			return ErrNameReserved
		}
	}
	return nil
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// Identify completes a player that came without ID or name, so that it is the
// same in whatever it plays from now on.
func (l *Lobby) Identify(p Player) Player {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.identifyLocked(p)
}

// identify completes a player that came without ID or name. The lobby is
// locked.
func (l *Lobby) identifyLocked(p Player) Player {
	if p.ID == "" {
		l.counter++
		p.ID, p.Guest = fmt.Sprintf("%v-%d", p.Kind, l.counter), true
		if p.Name == "" {
			p.Name = p.ID
		}
		if l.clustered() { // players of an earlier lobby come with their IDs
			p.ID += "." + store.NewID()
		}
	}
	if p.Account != "" {
		return p // nobody else is called so
	}
	if taken := l.numbers(p); taken[""] {
		n := 2
		for taken[strconv.Itoa(n)] {
			n++
		}
		p.Name = fmt.Sprintf("%s-%d", p.Name, n)
	}
	return p
}

// numbers are what others have behind the player's name, or one that looks like
// it, who go by it with a number, and an empty text if somebody goes by the bare
// name. There may be
// thousands, so nobody is looked at twice. The lobby is locked.
func (l *Lobby) numbers(p Player) map[string]bool {
	taken := map[string]bool{}
	skeleton := store.Skeleton(p.Name)
	note := func(name string) {
		if store.Skeleton(name) == skeleton {
			taken[""] = true
		} else if i := strings.LastIndexByte(name, '-'); i >= 0 && store.Skeleton(name[:i]) == skeleton {
			taken[name[i+1:]] = true
		}
	}
	for i := range l.bots {
		note(l.bots[i].Name)
	}
	for v := range l.members {
		if v.player.ID != p.ID {
			note(v.player.Name)
		}
	}
	return taken
}
