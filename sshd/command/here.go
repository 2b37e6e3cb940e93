package command

import (
	"broadside/internal/session"
	"broadside/tui/format"
)

var list = command{
	name: "list", args: "[--json]", about: "Who is here, with session, address, key and since when",
	set: func(f flags) func(*call) error {
		asJSON := jsonFlag(f)
		return func(c *call) error {
			here, err := c.sessions()
			if err != nil {
				return err
			}
			if *asJSON {
				out := []hereOut{}
				for _, h := range here {
					out = append(out, hereOut{h.Conn, h.Name(), h.Player.Kind.String(), h.Player.Account != "", h.Addr.String(), h.Fingerprint, utc(h.Since)})
				}
				return c.json(out)
			}
			rows := [][]string{c.heads("SESSION", "NAME", "KIND", "ADDRESS", "KEY", "SINCE (UTC)")}
			for _, h := range here {
				kind := playerKinds[h.Player.Kind]
				if h.Player.Kind == session.Person && h.Player.Account == "" {
					kind = "guest"
				}
				rows = append(rows, []string{h.Conn, dash(format.Clean(h.Name(), 40)), c.lang.Say(kind), h.Addr.String(), dash(h.Fingerprint), c.stamp(h.Since)})
			}
			return c.table(rows)
		}
	},
}

// sessionsAtOnce is how many sessions are asked for at a time.
const sessionsAtOnce = 1000

// sessions returns all open sessions, the oldest first.
func (c *call) sessions() (all []session.Connected, err error) {
	q := session.ListSessions{Limit: sessionsAtOnce}
	for {
		page, err := ask(c, q)
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) < sessionsAtOnce {
			return all, nil
		}
		q.After = page[len(page)-1].Cursor()
	}
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
			n, err := ask(c, session.Kick{Name: name})
			if err != nil {
				return err
			}
			return c.print("kicked: %s (%s)", name, c.lang.Say("%d sessions", n))
		}
	},
}
