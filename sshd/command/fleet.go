package command

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/format"
)

// maxFleetInput is the most of a layout file that is read, in bytes. What one
// fleet needs is far less; the rest is comments.
const maxFleetInput = 64 << 10

var fleet = command{
	name: "fleet", args: "list | import NAME | export NAME | remove NAME  [--rules RULES] [--json]",
	about: "Your saved fleets, for the placement screen; import reads a layout file", most: 2,
	set: func(f flags) func(*call) error {
		rules := f.String("rules", "", f.lang.Say("of import: %s; without it, the first that fits", f.or(match.Presets())))
		asJSON := f.Bool("json", false, f.lang.Say("of list: write JSON"))
		return func(c *call) error {
			if len(c.args) == 0 {
				return wrong("say what to do: list, import, export or remove")
			}
			do, named := c.args[0], len(c.args) > 1
			if !slices.Contains([]string{"list", "import", "export", "remove"}, do) {
				return wrong("fleet cannot %q", do)
			}
			if do != "list" && !named {
				return wrong("fleet %s takes the name of a fleet", do)
			}
			if do == "list" && named {
				return wrong("fleet list takes no %q", c.args[1])
			}
			sets := match.Presets()
			if *rules != "" {
				if _, err := match.Preset(*rules); err != nil {
					return usageError{err}
				}
				sets = []string{*rules}
			}
			_, err := c.account(
				failed("you have come without a key, so there is nobody to keep a fleet for"),
				failed("you have no account yet: come in once with ssh -t HOST"))
			if err != nil {
				return err
			}
			switch do {
			case "list":
				return c.listFleets(*asJSON)
			case "import":
				return c.importFleet(sets)
			case "export":
				return c.exportFleet()
			}
			if err := c.do(session.RemoveFleet{Name: c.args[1]}); err != nil {
				return err
			}
			return c.print("removed: %s", format.Clean(c.args[1], 40))
		}
	},
}

func (c *call) listFleets(asJSON bool) error {
	all, err := ask(c, session.Fleets{})
	if err != nil {
		return err
	}
	if asJSON {
		out := []fleetOut{}
		for _, f := range all {
			out = append(out, fleetOut{f.Name, f.RuleSet, utc(f.Saved), strings.Split(strings.TrimSpace(f.Layout), "\n")})
		}
		return c.json(out)
	}
	if len(all) == 0 {
		return c.print("You have saved no fleet: ssh HOST fleet import NAME < FILE, or s on the placement screen.")
	}
	rows := [][]string{c.heads("NAME", "RULES", "SAVED (UTC)")}
	for _, f := range all {
		rows = append(rows, []string{f.Name, format.Clean(f.RuleSet, 40), c.stamp(f.Saved)})
	}
	return c.table(rows)
}

type fleetOut struct {
	Name   string   `json:"name"`
	Rules  string   `json:"rules"`
	Saved  string   `json:"saved"`
	Layout []string `json:"layout"`
}

// importFleet keeps the fleet that comes in, as one of the first of the rule
// sets that it fits.
func (c *call) importFleet(sets []string) error {
	b, err := io.ReadAll(io.LimitReader(c.in, maxFleetInput+1))
	switch {
	case c.ctx.Err() != nil:
		return failed("no fleet has come: write ssh HOST fleet import NAME < FILE")
	case err != nil:
		return fmt.Errorf("reading a fleet: %w", err)
	}
	var misfit error
	for _, name := range sets {
		r, err := match.Preset(name)
		if err != nil {
			return err
		}
		all, err := match.ParseLayouts(r, string(b))
		if err != nil {
			if misfit == nil {
				misfit = failed("this is no fleet of %s: %v", r.Name, err)
			}
			continue
		}
		if len(all) != 1 {
			return session.ErrTwoFleets
		}
		if err := c.do(session.SaveFleet{Name: c.args[1], Rules: r, Layout: all[0]}); err != nil {
			return err
		}
		return c.print("saved: %s, %s", c.args[1], r.Name)
	}
	return misfit
}

func (c *call) exportFleet() error {
	all, err := ask(c, session.Fleets{})
	if err != nil {
		return err
	}
	for _, f := range all {
		if strings.EqualFold(f.Name, c.args[1]) {
			_, err := io.WriteString(c.out, f.Layout)
			return err
		}
	}
	return session.ErrNoFleet
}
