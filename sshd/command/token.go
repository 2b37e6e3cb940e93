package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/session"
	"broadside/sshd"
	"broadside/tui/text"
)

func token(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token new NAME [--json] | list [--json] | revoke NAME",
		Short: c.lang.Text("register a program to play rated matches with a secret token"),
		Args:  cobra.ArbitraryArgs,
		RunE:  func(*cobra.Command, []string) error { return sshd.UsageErrorf("choose new, list or revoke") },
	}
	t := &tokens{call: c}
	cmd.PersistentFlags().BoolVar(&t.asJSON, "json", false, c.lang.Text("write JSON"))
	for verb, run := range map[string]func(name string) error{"new": t.create, "list": t.list, "revoke": t.revoke} {
		cmd.AddCommand(&cobra.Command{
			Use:  verb,
			Args: func(_ *cobra.Command, args []string) error { return checkTokenArgs(verb, args) },
			RunE: c.run(func(args []string) error {
				if _, err := c.ownAccount(); err != nil {
					return err
				}
				return run(strings.Join(args, ""))
			}),
		})
	}
	return cmd
}

// checkTokenArgs checks the arguments after a verb: the name of a program.
func checkTokenArgs(verb string, args []string) error {
	switch {
	case len(args) > 1:
		return sshd.UsageErrorf("%s: unexpected argument %q", "token", args[1])
	case verb == "list" && len(args) > 0:
		return sshd.UsageErrorf("list does not take a name")
	case verb != "list" && len(args) == 0:
		return sshd.UsageErrorf("name a program")
	}
	return nil
}

// tokens implements the token command's verbs.
type tokens struct {
	*call
	asJSON bool
}

// create creates a token for a program and writes it.
func (t *tokens) create(name string) error {
	made, err := ask(t.call, func(own *session.Session) (session.Token, error) { return own.NewToken(t.ctx, name) })
	if err != nil {
		return err
	}
	if t.asJSON {
		return t.json(newTokenOut{made.Name, made.Secret})
	}
	_, err = fmt.Fprintf(t.out, "%s\n", made.Secret)
	if err == nil {
		_, err = fmt.Fprintf(t.err, "%s\n%s\n\n    %% token %s\n",
			t.lang.Text("This is the token of %s. It is shown only once and replaces any earlier token.", made.Name),
			t.lang.Text("The program sends it when it connects:"), made.Secret)
	}
	return err
}

// revoke revokes the token of a program.
func (t *tokens) revoke(name string) error {
	revoked, err := ask(t.call, func(own *session.Session) (string, error) { return own.RevokeToken(t.ctx, name) })
	switch {
	case errors.Is(err, store.ErrNotFound):
		return i18n.Errorf("you have no program called %q with a token: see ssh HOST token list", name)
	case err != nil:
		return err
	}
	return t.print("revoked: %s", revoked)
}

// list lists the user's programs.
func (t *tokens) list(string) error {
	all, err := ask(t.call, func(own *session.Session) ([]store.Registered, error) { return own.Programs(t.ctx) })
	if err != nil {
		return err
	}
	if t.asJSON {
		out := make([]tokenOut, len(all))
		for i, p := range all {
			out[i] = tokenOut{p.Name, !p.Added.IsZero(), utc(p.Added), utc(p.Used)}
		}
		return t.json(out)
	}
	if len(all) == 0 {
		return t.print("You have no registered programs. To register one: ssh HOST token new NAME")
	}
	rows := [][]string{t.heads("Name", "Token created (UTC)", "Last used (UTC)")}
	for _, p := range all {
		made, used := t.lang.Text("none"), t.lang.Text("never")
		if !p.Added.IsZero() {
			made = t.stamp(p.Added)
		}
		if !p.Used.IsZero() {
			used = t.stamp(p.Used)
		}
		rows = append(rows, []string{text.Clean(p.Name, 40), made, used})
	}
	return t.table(rows)
}

// newTokenOut is the JSON of a new token.
type newTokenOut struct {
	Name  string `json:"name"`
	Token string `json:"token"` // its secret
}

// tokenOut is the JSON of a program.
type tokenOut struct {
	Name  string `json:"name"`
	Token bool   `json:"token"` // whether it has one
	Made  string `json:"made"`  // empty without one
	Used  string `json:"used"`  // last use; empty: never
}
