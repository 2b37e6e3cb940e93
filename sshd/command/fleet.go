package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/sshd"
	"broadside/tui/format"
)

// maxFleetInput is the most of a layout file that is read, in bytes. One fleet needs
// far less; the rest is comments.
const maxFleetInput = 64 << 10

func init() { register(forEveryone, 120, fleet) }

func fleet(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fleet list | import NAME | export NAME | remove NAME  [--rules RULES] [--json]",
		Short: c.lang.Say("Your saved fleets, for the placement screen; import reads a layout file"),
		Args:  cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return sshd.UsageErrorf("say what to do: list, import, export or remove")
			}
			return sshd.UsageErrorf("fleet cannot %q", args[0])
		},
	}
	rules := cmd.PersistentFlags().String("rules", "", c.lang.Say("of import: %s; without it, the first that fits", c.presets()))
	asJSON := cmd.PersistentFlags().Bool("json", false, c.lang.Say("of list: write JSON"))
	cmd.AddCommand(
		c.fleetCommand("list", rules, func(string, []string) error { return c.listFleets(*asJSON) }),
		c.fleetCommand("import", rules, c.importFleet),
		c.fleetCommand("export", rules, func(name string, _ []string) error { return c.exportFleet(name) }),
		c.fleetCommand("remove", rules, func(name string, _ []string) error {
			if err := c.do(session.RemoveFleet{Name: name}); err != nil {
				return err
			}
			return c.print("removed: %s", format.Clean(name, 40))
		}),
	)
	return cmd
}

// fleetCommand returns a subcommand that calls f with the name of a fleet, which is
// empty for list, and with the rule sets that --rules allows.
func (c *call) fleetCommand(verb string, rules *string, f func(name string, sets []string) error) *cobra.Command {
	return &cobra.Command{
		Use: verb,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case verb == "list" && len(args) > 0:
				return sshd.UsageErrorf("fleet list takes no %q", args[0])
			case verb != "list" && len(args) == 0:
				return sshd.UsageErrorf("fleet %s takes the name of a fleet", verb)
			case len(args) > 1:
				return sshd.UsageErrorf("%s takes no %q", "fleet", args[1])
			}
			return nil
		},
		RunE: c.run(func(args []string) error {
			sets := match.Presets()
			if *rules != "" {
				if _, err := match.Preset(*rules); err != nil {
					return sshd.UsageError{Err: err}
				}
				sets = []string{*rules}
			}
			if _, err := c.account(
				i18n.Errorf("you have come without a key, so there is nobody to keep a fleet for"),
				i18n.Errorf("you have no account yet: come in once with ssh -t HOST")); err != nil {
				return err
			}
			return f(strings.Join(args, ""), sets)
		}),
	}
}

// listFleets writes the user's fleets.
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

// fleetOut is the JSON of a fleet.
type fleetOut struct {
	Name   string   `json:"name"`
	Rules  string   `json:"rules"`
	Saved  string   `json:"saved"`
	Layout []string `json:"layout"`
}

// importFleet saves the fleet on the input for the first rule set that it fits.
func (c *call) importFleet(name string, sets []string) error {
	b, err := io.ReadAll(io.LimitReader(c.in, maxFleetInput+1))
	switch {
	case c.ctx.Err() != nil:
		return i18n.Errorf("no fleet has come: write ssh HOST fleet import NAME < FILE")
	case err != nil:
		return fmt.Errorf("reading a fleet: %w", err)
	}
	var misfit error
	for _, set := range sets {
		r, err := match.Preset(set)
		if err != nil {
			return err
		}
		all, err := layoutfile.Parse(r, string(b))
		if err != nil {
			if misfit == nil {
				misfit = i18n.Errorf("this is no fleet of %s: %v", r.Name, err)
			}
			continue
		}
		if len(all) != 1 {
			return session.ErrTwoFleets
		}
		if err := c.do(session.SaveFleet{Name: name, Rules: r, Layout: all[0]}); err != nil {
			return err
		}
		return c.print("saved: %s, %s", name, r.Name)
	}
	return misfit
}

// exportFleet writes a fleet as a layout file.
func (c *call) exportFleet(name string) error {
	all, err := ask(c, session.Fleets{})
	if err != nil {
		return err
	}
	for _, f := range all {
		if strings.EqualFold(f.Name, name) {
			_, err := io.WriteString(c.out, f.Layout)
			return err
		}
	}
	return session.ErrNoFleet
}
