package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/sshd"
	"broadside/tui/text"
)

// maxFleetInput is the maximum number of bytes read from a layout file. One fleet needs
// far less; the rest is for comments.
const maxFleetInput = 64 << 10

func fleet(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fleet list | import NAME | export NAME | remove NAME  [--rules RULES] [--json]",
		Short: c.lang.Text("manage your saved fleets; import reads a layout file"),
		Args:  cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return sshd.UsageErrorf("choose list, import, export or remove")
			}
			return sshd.UsageErrorf("fleet: unknown action %q", args[0])
		},
	}
	f := &fleets{call: c}
	cmd.PersistentFlags().StringVar(&f.rules, "rules", "", c.lang.Text("for import: %s (default: the first that fits)", c.flags(cmd).presets()))
	cmd.PersistentFlags().BoolVar(&f.asJSON, "json", false, c.lang.Text("for list: write JSON"))
	for verb, run := range map[string]func(name string) error{"list": f.list, "import": f.load, "export": f.export, "remove": f.remove} {
		cmd.AddCommand(&cobra.Command{
			Use:  verb,
			Args: func(_ *cobra.Command, args []string) error { return checkFleetArgs(verb, args) },
			RunE: c.run(func(args []string) error { return f.perform(run, strings.Join(args, "")) }),
		})
	}
	return cmd
}

// checkFleetArgs checks the arguments after a verb: the name of a fleet.
func checkFleetArgs(verb string, args []string) error {
	switch {
	case verb == "list" && len(args) > 0:
		return sshd.UsageErrorf("fleet list: unexpected argument %q", args[0])
	case verb != "list" && len(args) == 0:
		return sshd.UsageErrorf("fleet %s needs the name of a fleet", verb)
	case len(args) > 1:
		return sshd.UsageErrorf("%s: unexpected argument %q", "fleet", args[1])
	}
	return nil
}

// fleets implements the fleet command's verbs.
type fleets struct {
	*call
	rules  string
	asJSON bool
}

// perform runs a verb for a user with an account.
func (f *fleets) perform(verb func(name string) error, name string) error {
	if _, err := match.Preset(f.rules); f.rules != "" && err != nil {
		return sshd.UsageError{Err: err}
	}
	if _, err := f.account(
		i18n.Errorf("you are a guest, and guests cannot save fleets: connect with a key"),
		i18n.Errorf("you have no account yet: ssh HOST register NAME creates one")); err != nil {
		return err
	}
	return verb(name)
}

// remove deletes a fleet.
func (f *fleets) remove(name string) error {
	if err := f.do(func(own *session.Session) error { return own.RemoveFleet(f.ctx, name) }); err != nil {
		return err
	}
	return f.print("removed: %s", text.Clean(name, 40))
}

// list writes the user's fleets.
func (f *fleets) list(string) error {
	all, err := ask(f.call, func(own *session.Session) ([]store.Fleet, error) { return own.Fleets(f.ctx) })
	if err != nil {
		return err
	}
	if f.asJSON {
		out := []fleetOut{}
		for _, x := range all {
			out = append(out, fleetOut{x.Name, x.RuleSet, utc(x.Saved), strings.Split(strings.TrimSpace(x.Layout), "\n")})
		}
		return f.json(out)
	}
	if len(all) == 0 {
		return f.print("You have no saved fleets. To save one: ssh HOST fleet import NAME < FILE, or press s on the placement screen.")
	}
	rows := [][]string{f.heads("Name", "Rules", "Saved (UTC)")}
	for _, x := range all {
		rows = append(rows, []string{x.Name, text.Clean(x.RuleSet, 40), f.stamp(x.Saved)})
	}
	return f.table(rows)
}

// fleetOut is the JSON of a fleet.
type fleetOut struct {
	Name   string   `json:"name"`
	Rules  string   `json:"rules"`
	Saved  string   `json:"saved"`
	Layout []string `json:"layout"`
}

// load reads a fleet from the input and saves it for the first rule set that it fits.
func (f *fleets) load(name string) error {
	sets := match.Presets()
	if f.rules != "" {
		sets = []string{f.rules}
	}
	b, err := io.ReadAll(io.LimitReader(f.in, maxFleetInput+1))
	switch {
	case f.ctx.Err() != nil:
		return i18n.Errorf("no fleet on standard input: write ssh HOST fleet import NAME < FILE")
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
				misfit = i18n.Errorf("invalid %s fleet: %v", r.Name, err)
			}
			continue
		}
		if len(all) != 1 {
			return account.ErrTwoFleets
		}
		if err := f.do(func(own *session.Session) error { return own.SaveFleet(f.ctx, name, r, all[0]) }); err != nil {
			return err
		}
		return f.print("saved: %s, %s", name, r.Name)
	}
	return misfit
}

// export writes a fleet as a layout file.
func (f *fleets) export(name string) error {
	all, err := ask(f.call, func(own *session.Session) ([]store.Fleet, error) { return own.Fleets(f.ctx) })
	if err != nil {
		return err
	}
	for _, x := range all {
		if strings.EqualFold(x.Name, name) {
			_, err := io.WriteString(f.out, x.Layout)
			return err
		}
	}
	return account.ErrNoFleet
}
