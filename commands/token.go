package commands

import (
	"errors"
	"fmt"

	"broadside/lobby"
	"broadside/lobby/store"
	"broadside/tui"
	"broadside/words"
)

// mostPrograms is how many programs a person may register.
const mostPrograms = 20

var token = command{
	name: "token", args: "new NAME | list [--json] | revoke NAME",
	about: "Register a program of yours to play rated matches, with a secret token", most: 2,
	set: func(f flags) func(*call) error {
		asJSON := jsonFlag(f)
		return func(c *call) error {
			do := map[string]func(owner string) error{"new": c.newToken, "list": func(owner string) error { return c.tokens(owner, *asJSON) }, "revoke": c.revokeToken}
			if len(c.args) == 0 || do[c.args[0]] == nil {
				return wrong("say new, list or revoke")
			}
			if named := c.args[0] != "list"; named != (len(c.args) == 2) {
				return usageError{words.Errorf(map[bool]words.Text{true: "name a program", false: "list takes no name"}[named])}
			}
			name := c.args
			c.args = nil
			owner, err := c.subject() // who asks
			if err != nil {
				return err
			}
			c.args = name
			return do[name[0]](owner.ID)
		}
	},
}

func (c *call) newToken(owner string) error {
	name := c.args[1]
	if err := lobby.CheckName(name); err != nil {
		return failure{err}
	}
	p, secret, err := c.cfg.Store.RegisterProgram(c.ctx, owner, name, mostPrograms)
	switch {
	case errors.Is(err, store.ErrNameTaken):
		return failure{lobby.ErrNameTaken}
	case errors.Is(err, store.ErrTooMany):
		return failed("you have registered %d programs, which is the most there may be: use one of them", mostPrograms)
	case err != nil:
		return err
	}
	c.cut(p.ID) // it came by a token that is worthless now
	_, err = fmt.Fprintf(c.out, "%s\n", secret)
	if err == nil {
		_, err = fmt.Fprintf(c.errs, "%s\n%s\n\n    %% token %s\n",
			c.lang.Say("This is the token of %s. It is shown this once and replaces any former one.", p.Name),
			c.lang.Say("The program sends it when it connects:"), secret)
	}
	return err
}

func (c *call) revokeToken(owner string) error {
	p, err := c.cfg.Store.RevokeToken(c.ctx, owner, c.args[1])
	switch {
	case errors.Is(err, store.ErrNotFound):
		return failed("no program of yours called %q has a token: ssh HOST token list", c.args[1])
	case err != nil:
		return err
	}
	c.cut(p.ID)
	return c.print("revoked: %s", p.Name)
}

// cut ends the connections of a program.
func (c *call) cut(program string) {
	if c.cfg.Operator != nil {
		c.cfg.Operator.House.Cut(func(h Here) bool { return h.Player.Account == program }, words.Message{})
	}
}

func (c *call) tokens(owner string, asJSON bool) error {
	all, err := c.cfg.Store.Programs(c.ctx, owner)
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
		rows = append(rows, []string{tui.Clean(p.Name, 40), made, used})
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
