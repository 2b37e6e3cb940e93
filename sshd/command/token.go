package command

import (
	"errors"
	"fmt"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/tui/format"
)

var token = command{
	name: "token", args: "new NAME | list [--json] | revoke NAME",
	about: "Register a program of yours to play rated matches, with a secret token", most: 2,
	set: func(f flags) func(*call) error {
		asJSON := jsonFlag(f)
		return func(c *call) error {
			do := map[string]func() error{"new": c.newToken, "list": func() error { return c.tokens(*asJSON) }, "revoke": c.revokeToken}
			if len(c.args) == 0 || do[c.args[0]] == nil {
				return wrong("say new, list or revoke")
			}
			if named := c.args[0] != "list"; named != (len(c.args) == 2) {
				return usageError{i18n.Errorf(map[bool]i18n.Text{true: "name a program", false: "list takes no name"}[named])}
			}
			if _, err := c.self(); err != nil {
				return err
			}
			return do[c.args[0]]()
		}
	},
}

func (c *call) newToken() error {
	t, err := ask(c, session.NewToken{Name: c.args[1]})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "%s\n", t.Secret)
	if err == nil {
		_, err = fmt.Fprintf(c.errs, "%s\n%s\n\n    %% token %s\n",
			c.lang.Say("This is the token of %s. It is shown this once and replaces any former one.", t.Name),
			c.lang.Say("The program sends it when it connects:"), t.Secret)
	}
	return err
}

func (c *call) revokeToken() error {
	name, err := ask(c, session.RevokeToken{Name: c.args[1]})
	switch {
	case errors.Is(err, session.ErrNotFound):
		return failed("no program of yours called %q has a token: ssh HOST token list", c.args[1])
	case err != nil:
		return err
	}
	return c.print("revoked: %s", name)
}

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

// tokenOut is a program as JSON.
type tokenOut struct {
	Name  string `json:"name"`
	Token bool   `json:"token"` // whether it has one
	Made  string `json:"made"`  // empty without one
	Used  string `json:"used"`  // last; empty: never
}
