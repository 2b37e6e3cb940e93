package account

import (
	"strings"
	"time"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/store"
)

// RenamePause is how long an account keeps a new name.
const RenamePause = 24 * time.Hour

// Limits on the length of a name, in characters.
const (
	MinName = 3
	MaxName = 16
)

// Errors of [CheckName], and of a name that is taken.
var (
	ErrName         = i18n.Errorf("a name has %d to %d letters, digits, - and _, and starts with a letter", MinName, MaxName)
	ErrNameReserved = i18n.Errorf("that name is reserved, or too similar to one that is: choose another")
	ErrRenamedToday = i18n.Errorf("you can change your name once a day: try again tomorrow")
	ErrNameTaken    = i18n.Errorf("that name is taken: choose another")
)

// reserved are names that could mislead players. Bot names are reserved as well.
var reserved = []string{
	"admin", "administrator", "all", "anonymous", "anybody", "anyone", "bot", "broadside", "everybody", "everyone",
	"guest", "help", "host", "mod", "moderator", "nobody", "operator", "owner", "person", "player", "program", "root",
	"server", "staff", "support", "system", "you",
}

// CheckName returns ErrName or ErrNameReserved if an account may not have the name. The store
// ensures that names of different accounts do not look alike; see [store.Skeleton].
func CheckName(name string) error {
	if len(name) < MinName || len(name) > MaxName || !isLetter(name[0]) {
		return ErrName
	}
	for i := range len(name) {
		c := name[i]
		if !isLetter(c) && (c < '0' || c > '9') && c != '-' && c != '_' {
			return ErrName
		}
	}
	taken := reserved
	for _, b := range bots.All() {
		taken = append(taken, b.Name)
	}
	whole, stem := store.Skeleton(name), store.Skeleton(strings.TrimRight(name, "0123456789-_"))
	for _, r := range taken {
		s := store.Skeleton(r)
		// A second player called easy would become easy-2, so that name is reserved as well.
		if s == whole || s == stem {
			return ErrNameReserved
		}
	}
	return nil
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
