package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"broadside/internal/export"
	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/view"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/layoutfile"
)

// identityOut is the JSON of the user.
type identityOut struct {
	Account  string   `json:"account"`  // its name; empty for a guest
	Key      string   `json:"key"`      // fingerprint; empty without a key
	Programs []string `json:"programs"` // names of the registered programs, oldest first
}

func (c *Call) whoami() error {
	out, account := identityOut{Key: c.key(), Programs: []string{}}, c.lang.Text("none: you are a guest")
	me := c.own.State().Me
	if me.Account != "" {
		out.Account, account = me.Name, clean(me.Name)
		programs, err := c.own.Programs(c.ctx)
		if err != nil {
			return err
		}
		for _, p := range programs {
			out.Programs = append(out.Programs, p.Name)
		}
	}
	heads := c.heads("Account", "Key", "Programs")
	return c.write(out, [][]string{
		{heads[0], account}, {heads[1], view.DashIfEmpty(out.Key)}, {heads[2], view.DashIfEmpty(strings.Join(out.Programs, ", "))},
	})
}

// register creates an account, unless the user's account has that name already.
func (c *Call) register() error {
	name, me := c.arg(0), c.own.State().Me
	switch {
	case c.key() == "":
		return usageErrorf("you are a guest: an account needs a key")
	case me.Account != "" && !strings.EqualFold(me.Name, name):
		return i18n.Errorf("your key already belongs to the account %s", me.Name)
	case me.Account == "":
		if err := c.own.Register(c.ctx, name); err != nil {
			return err
		}
	}
	return c.whoami()
}

func (c *Call) follow() error { return c.changeFriends(c.own.Follow, "You follow %s.") }

func (c *Call) unfollow() error { return c.changeFriends(c.own.Unfollow, "You no longer follow %s.") }

func (c *Call) changeFriends(change func(context.Context, string) error, done i18n.Key) error {
	return c.done(change(c.ctx, c.arg(0)), done, clean(c.arg(0)))
}

func (c *Call) listFriends() error {
	all, err := c.own.Friends(c.ctx)
	if err != nil {
		return err
	}
	return writeList(c, export.NewFriends(all), view.FriendsList, view.FriendRows(c.lang, all, c.defaults.Rules),
		"You are not following anyone. To follow a player, run: friends add NAME")
}

// fleetOut is the JSON of a fleet.
type fleetOut struct {
	Name   string   `json:"name"`
	Rules  string   `json:"rules"`
	Saved  string   `json:"saved"`
	Layout []string `json:"layout"`
}

func (c *Call) listFleets() error {
	all, err := c.own.Fleets(c.ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 && !c.has("json") {
		return c.print("You have no saved fleets. To save one: ssh HOST fleet import NAME < FILE, or press s on the placement screen.")
	}
	out, rows := []fleetOut{}, [][]string{c.heads("Name", "Rules", "Saved (UTC)")}
	for _, x := range all {
		out = append(out, fleetOut{x.Name, x.RuleSet, utc(x.Saved), strings.Split(strings.TrimSpace(x.Layout), "\n")})
		rows = append(rows, []string{x.Name, clean(x.RuleSet), view.FormatTime(c.lang, x.Saved)})
	}
	return c.write(out, rows)
}

// maxFleetInput is the maximum number of bytes read from a layout file. One fleet needs
// far less; the rest is for comments.
const maxFleetInput = 64 << 10

// importFleet reads a fleet from the input and saves it for the first rule set that it fits.
func (c *Call) importFleet() error {
	sets := match.PresetNames()
	if c.has("rules") {
		sets = []string{c.value("rules", "")}
		if _, err := match.Preset(sets[0]); err != nil {
			return usageError{err}
		}
	}
	b, err := io.ReadAll(io.LimitReader(c.in, maxFleetInput+1))
	switch {
	case c.ctx.Err() != nil:
		return i18n.Errorf("no fleet on standard input: write ssh HOST fleet import NAME < FILE")
	case err != nil:
		return fmt.Errorf("read a fleet: %w", err)
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
		return c.done(c.own.SaveFleet(c.ctx, c.arg(0), r, all[0]), "saved: %s, %s", c.arg(0), r.Name)
	}
	return misfit
}

// exportFleet writes a fleet as a layout file.
func (c *Call) exportFleet() error {
	all, err := c.own.Fleets(c.ctx)
	if err != nil {
		return err
	}
	for _, x := range all {
		if strings.EqualFold(x.Name, c.arg(0)) {
			_, err := io.WriteString(c.out, x.Layout)
			return err
		}
	}
	return account.ErrNoFleet
}

func (c *Call) removeFleet() error {
	return c.done(c.own.RemoveFleet(c.ctx, c.arg(0)), "removed: %s", clean(c.arg(0)))
}

// newTokenOut is the JSON of a new token.
type newTokenOut struct {
	Name  string `json:"name"`
	Token string `json:"token"` // its secret
}

// newToken creates a token for a program and writes it.
func (c *Call) newToken() error {
	made, err := c.own.NewToken(c.ctx, c.arg(0))
	if err != nil {
		return err
	}
	if c.has("json") {
		return c.json(newTokenOut{made.Name, made.Secret})
	}
	if _, err := fmt.Fprintf(c.out, "%s\n", made.Secret); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.err, "%s\n%s\n\n    %% token %s\n",
		c.lang.Text("This is the token of %s. It is shown only once and replaces any earlier token.", made.Name), c.lang.Text("The program sends it when it connects:"), made.Secret)
	return err
}

// tokenOut is the JSON of a program.
type tokenOut struct {
	Name  string `json:"name"`
	Token bool   `json:"token"` // whether it has one
	Made  string `json:"made"`  // empty without one
	Used  string `json:"used"`  // last use; empty: never
}

// listTokens lists the user's programs.
func (c *Call) listTokens() error {
	all, err := c.own.Programs(c.ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 && !c.has("json") {
		return c.print("You have no registered programs. To register one: ssh HOST token new NAME")
	}
	out, rows := []tokenOut{}, [][]string{c.heads("Name", "Token created (UTC)", "Last used (UTC)")}
	for _, p := range all {
		made, used := c.lang.Text("none"), c.lang.Text("never")
		if !p.Added.IsZero() {
			made = view.FormatTime(c.lang, p.Added)
		}
		if !p.Used.IsZero() {
			used = view.FormatTime(c.lang, p.Used)
		}
		out = append(out, tokenOut{p.Name, !p.Added.IsZero(), utc(p.Added), utc(p.Used)})
		rows = append(rows, []string{clean(p.Name), made, used})
	}
	return c.write(out, rows)
}

// revokeToken revokes the token of a program.
func (c *Call) revokeToken() error {
	revoked, err := c.own.RevokeToken(c.ctx, c.arg(0))
	if errors.Is(err, store.ErrNotFound) {
		return i18n.Errorf("you have no program called %q with a token: see ssh HOST token list", c.arg(0))
	}
	return c.done(err, "revoked: %s", revoked)
}
