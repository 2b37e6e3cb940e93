package commands

import (
	"net/netip"
	"strings"
	"time"

	"broadside/lobby"
	"broadside/lobby/store"
	"broadside/tui"
	"broadside/words"
)

// House is who is here, at all doors. Its methods may be called from any
// goroutine and do not wait.
type House interface {
	Here() []Here
	// Cut ends the connections that are chosen, with a sentence for the
	// persons, and returns how many they were.
	Cut(which func(Here) bool, parting words.Message) int
}

// Here is a connection of somebody who is here.
type Here struct {
	Session     string // the number of an SSH connection, or p and the number of a program's
	Player      lobby.Player
	User        string // what they call themselves
	Addr        netip.Addr
	Fingerprint string // empty for guests without a key and for programs
	Since       time.Time
}

// called tells whether somebody goes by a name, or by a session's number.
func (h Here) called(name string) bool {
	return strings.EqualFold(h.name(), name) || strings.EqualFold(h.Session, name)
}

func (h Here) name() string {
	if h.Player.Name != "" {
		return h.Player.Name
	}
	return h.User
}

var list = command{
	name: "list", args: "[--json]", about: "Who is here, with session, address, key and since when",
	set: func(f flags) func(*call) error {
		asJSON := jsonFlag(f)
		return func(c *call) error {
			here := c.cfg.Operator.House.Here()
			if *asJSON {
				out := []hereOut{}
				for _, h := range here {
					out = append(out, hereOut{h.Session, h.name(), h.Player.Kind.String(), h.Player.Account != "", h.Addr.String(), h.Fingerprint, utc(h.Since)})
				}
				return c.json(out)
			}
			rows := [][]string{c.heads("SESSION", "NAME", "KIND", "ADDRESS", "KEY", "SINCE (UTC)")}
			for _, h := range here {
				kind := lobbyKinds[h.Player.Kind]
				if h.Player.Kind == lobby.Person && h.Player.Account == "" {
					kind = "guest"
				}
				rows = append(rows, []string{h.Session, dash(tui.Clean(h.name(), 40)), c.lang.Say(kind), h.Addr.String(), dash(h.Fingerprint), c.stamp(h.Since)})
			}
			return c.table(rows)
		}
	},
}

type hereOut struct {
	Session string `json:"session"`
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Account bool   `json:"account"`
	Address string `json:"address"`
	Key     string `json:"key"`
	Since   string `json:"since"`
}

var kick = command{
	name: "kick", args: "NAME|SESSION", about: "End somebody's sessions; they may come back", most: 1,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			name, err := c.one("name somebody who is here")
			if err != nil {
				return err
			}
			n := c.cfg.Operator.House.Cut(func(h Here) bool { return h.called(name) }, words.Mean("An operator has ended your session."))
			if n == 0 {
				return failed("nobody here is called %q: ssh HOST list tells who is", name)
			}
			if err := c.cfg.Store.Log(c.ctx, store.Act{Actor: c.actor(), Act: "kick", Subject: name}); err != nil {
				return err
			}
			return c.print("kicked: %s (%s)", name, c.connections(n))
		}
	},
}
