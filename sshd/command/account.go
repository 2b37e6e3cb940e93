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

// identityJSON describes a user.
type identityJSON struct {
	// Account is empty for a guest, and Key without an SSH key.
	Account string `json:"account"`
	Key     string `json:"key"`
	// Programs are the names of registered programs, oldest first.
	Programs []string `json:"programs"`
}

func (c *Call) showIdentity() error {
	out, account := identityJSON{Key: c.keyFingerprint(), Programs: []string{}}, c.lang.Text("none: you are a guest")
	me := c.session.State().Me
	if me.Account != "" {
		out.Account, account = me.Name, cleanName(me.Name)
		programs, err := c.session.Programs(c.ctx)
		if err != nil {
			return err
		}
		for _, p := range programs {
			out.Programs = append(out.Programs, p.Name)
		}
	}
	heads := c.headings("Account", "Key", "Programs")
	return c.writeResult(out, [][]string{
		{heads[0], account}, {heads[1], view.DashIfEmpty(out.Key)}, {heads[2], view.DashIfEmpty(strings.Join(out.Programs, ", "))},
	})
}

// registerAccount creates an account for the user's key. It does nothing if the user already has an account
// with that name.
func (c *Call) registerAccount() error {
	name, me := c.argument(0), c.session.State().Me
	switch {
	case c.keyFingerprint() == "":
		return usageErrorf("you are a guest: an account needs a key")
	case me.Account != "" && !strings.EqualFold(me.Name, name):
		return i18n.Errorf("your key already belongs to the account %s", me.Name)
	case me.Account == "":
		if err := c.session.Register(c.ctx, name); err != nil {
			return err
		}
	}
	return c.showIdentity()
}

func (c *Call) followPlayer() error { return c.changeFriends(c.session.Follow, "You follow %s.") }

func (c *Call) unfollowPlayer() error {
	return c.changeFriends(c.session.Unfollow, "You no longer follow %s.")
}

func (c *Call) changeFriends(change func(context.Context, string) error, doneText i18n.Key) error {
	return c.printUnlessError(change(c.ctx, c.argument(0)), doneText, cleanName(c.argument(0)))
}

func (c *Call) listFriends() error {
	all, err := c.session.Friends(c.ctx)
	if err != nil {
		return err
	}
	return writeList(c, export.NewFriends(all), view.FriendsList, view.FriendRows(c.lang, all, c.defaults.Rules),
		"You are not following anyone. To follow a player, run: friends add NAME")
}

type fleetJSON struct {
	Name   string   `json:"name"`
	Rules  string   `json:"rules"`
	Saved  string   `json:"saved"`
	Layout []string `json:"layout"`
}

func (c *Call) listFleets() error {
	all, err := c.session.Fleets(c.ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 && !c.hasOption("json") {
		return c.printLine("You have no saved fleets. To save one: ssh HOST fleet import NAME < FILE, or press s on the placement screen.")
	}
	out, rows := []fleetJSON{}, [][]string{c.headings("Name", "Rules", "Saved (UTC)")}
	for _, x := range all {
		out = append(out, fleetJSON{x.Name, x.RuleSet, formatUTC(x.Saved), strings.Split(strings.TrimSpace(x.Layout), "\n")})
		rows = append(rows, []string{x.Name, cleanName(x.RuleSet), view.FormatDateTime(c.lang, x.Saved)})
	}
	return c.writeResult(out, rows)
}

// maxFleetInput is the maximum number of bytes that are read of a layout file. One fleet needs far less, but
// the file may have comments.
const maxFleetInput = 64 << 10

// importFleet saves the fleet in the input for the first rule set that it fits.
func (c *Call) importFleet() error {
	sets := match.PresetNames()
	if c.hasOption("rules") {
		sets = []string{c.optionText("rules", "")}
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
		return c.printUnlessError(c.session.SaveFleet(c.ctx, c.argument(0), r, all[0]), "saved: %s, %s", c.argument(0), r.Name)
	}
	return misfit
}

// exportFleet writes a saved fleet as a layout file.
func (c *Call) exportFleet() error {
	all, err := c.session.Fleets(c.ctx)
	if err != nil {
		return err
	}
	for _, x := range all {
		if strings.EqualFold(x.Name, c.argument(0)) {
			_, err := io.WriteString(c.out, x.Layout)
			return err
		}
	}
	return account.ErrNoFleet
}

func (c *Call) removeFleet() error {
	return c.printUnlessError(c.session.RemoveFleet(c.ctx, c.argument(0)), "removed: %s", cleanName(c.argument(0)))
}

type createdTokenJSON struct {
	Name  string `json:"name"`
	Token string `json:"token"`
}

// createToken registers a program with a new token and writes the token.
func (c *Call) createToken() error {
	made, err := c.session.NewToken(c.ctx, c.argument(0))
	if err != nil {
		return err
	}
	if c.hasOption("json") {
		return c.writeJSON(createdTokenJSON{made.Name, made.Secret})
	}
	if _, err := fmt.Fprintf(c.out, "%s\n", made.Secret); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.err, "%s\n%s\n\n    %% token %s\n",
		c.lang.Text("This is the token of %s. It is shown only once and replaces any earlier token.", made.Name), c.lang.Text("The program sends it when it connects:"), made.Secret)
	return err
}

type programJSON struct {
	Name string `json:"name"`
	// Token says whether the program has a token.
	Token bool `json:"token"`
	// Made and Used say when the token was created and last used. They are empty if it never was.
	Made string `json:"made"`
	Used string `json:"used"`
}

func (c *Call) listTokens() error {
	all, err := c.session.Programs(c.ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 && !c.hasOption("json") {
		return c.printLine("You have no registered programs. To register one: ssh HOST token new NAME")
	}
	out, rows := []programJSON{}, [][]string{c.headings("Name", "Token created (UTC)", "Last used (UTC)")}
	for _, p := range all {
		made, used := c.lang.Text("none"), c.lang.Text("never")
		if !p.Added.IsZero() {
			made = view.FormatDateTime(c.lang, p.Added)
		}
		if !p.Used.IsZero() {
			used = view.FormatDateTime(c.lang, p.Used)
		}
		out = append(out, programJSON{p.Name, !p.Added.IsZero(), formatUTC(p.Added), formatUTC(p.Used)})
		rows = append(rows, []string{cleanName(p.Name), made, used})
	}
	return c.writeResult(out, rows)
}

func (c *Call) revokeToken() error {
	revoked, err := c.session.RevokeToken(c.ctx, c.argument(0))
	if errors.Is(err, store.ErrNotFound) {
		return i18n.Errorf("you have no program called %q with a token: see ssh HOST token list", c.argument(0))
	}
	return c.printUnlessError(err, "revoked: %s", revoked)
}
