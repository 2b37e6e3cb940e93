package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/sshd"
	"broadside/tui/format"
)

func init() { register(forEveryone, 130, token) }

func token(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token new NAME | list [--json] | revoke NAME",
		Short: c.lang.Say("Register a program of yours to play rated matches, with a secret token"),
		Args:  cobra.ArbitraryArgs,
		RunE:  func(*cobra.Command, []string) error { return sshd.UsageErrorf("say new, list or revoke") },
	}
	asJSON := cmd.PersistentFlags().Bool("json", false, c.lang.Say("write JSON"))
	cmd.AddCommand(
		c.tokenCommand("new", c.newToken),
		c.tokenCommand("list", func(string) error { return c.tokens(*asJSON) }),
		c.tokenCommand("revoke", c.revokeToken),
	)
	return cmd
}

// tokenCommand returns a subcommand that calls f with the name of a program, which is
// empty for list.
func (c *call) tokenCommand(verb string, f func(name string) error) *cobra.Command {
	return &cobra.Command{
		Use: verb,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return sshd.UsageErrorf("%s takes no %q", "token", args[1])
			case verb == "list" && len(args) > 0:
				return sshd.UsageErrorf("list takes no name")
			case verb != "list" && len(args) == 0:
				return sshd.UsageErrorf("name a program")
			}
			return nil
		},
		RunE: c.run(func(args []string) error {
			if _, err := c.ownAccount(); err != nil {
				return err
			}
			return f(strings.Join(args, ""))
		}),
	}
}

// newToken creates and writes a token of a program.
func (c *call) newToken(name string) error {
	t, err := ask(c, session.NewToken{Name: name})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "%s\n", t.Secret)
	if err == nil {
		_, err = fmt.Fprintf(c.err, "%s\n%s\n\n    %% token %s\n",
			c.lang.Say("This is the token of %s. It is shown this once and replaces any former one.", t.Name),
			c.lang.Say("The program sends it when it connects:"), t.Secret)
	}
	return err
}

// revokeToken revokes the token of a program.
func (c *call) revokeToken(name string) error {
	revoked, err := ask(c, session.RevokeToken{Name: name})
	switch {
	case errors.Is(err, session.ErrNotFound):
		return i18n.Errorf("no program of yours called %q has a token: ssh HOST token list", name)
	case err != nil:
		return err
	}
	return c.print("revoked: %s", revoked)
}

// tokens lists the user's programs.
func (c *call) tokens(asJSON bool) error {
	all, err := ask(c, session.Programs{})
	if err != nil {
		return err
	}
	if asJSON {
		out := make([]tokenOut, len(all))
		for i, p := range all {
			out[i] = tokenOut{Name: p.Name, Token: !p.Added.IsZero()}
			if out[i].Token {
				out[i].Made = utc(p.Added)
			}
			if !p.Used.IsZero() {
				out[i].Used = utc(p.Used)
			}
		}
		return c.json(out)
	}
	if len(all) == 0 {
		return c.print("You have registered no program: ssh HOST token new NAME")
	}
	rows := [][]string{c.heads("NAME", "TOKEN MADE (UTC)", "LAST USED (UTC)")}
	for _, p := range all {
		made, used := c.lang.Say("none ¦ no token"), c.lang.Say("never")
		if !p.Added.IsZero() {
			made = c.stamp(p.Added)
		}
		if !p.Used.IsZero() {
			used = c.stamp(p.Used)
		}
		rows = append(rows, []string{format.Clean(p.Name, 40), made, used})
	}
	return c.table(rows)
}

// tokenOut is the JSON of a program.
type tokenOut struct {
	Name  string `json:"name"`
	Token bool   `json:"token"` // whether it has one
	Made  string `json:"made"`  // empty without one
	Used  string `json:"used"`  // last; empty: never
}
