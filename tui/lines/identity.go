package lines

import (
	"context"

	"broadside/internal/i18n"
)

// identity has the commands for the player's account.
type identity struct {
	*player
	arrive func() // called after the player has signed in
}

// mayChange reports whether the player can change accounts now. If not, it says so.
func (i identity) mayChange() bool {
	if i.playing() || i.state.Offer != nil {
		i.print("You can't do that while you play or wait for an opponent.")
		return false
	}
	return true
}

// setName renames the player's account, or creates an account for the player's key.
func (i identity) setName(name string) {
	switch {
	case name == "":
		i.print("Your name is %s.", i.state.Me.Name)
	case !i.mayChange():
	case i.state.Me.Account != "":
		if i.wait(func(ctx context.Context) error { return i.own.Rename(ctx, name) }) {
			i.print("Your name is now %s.", i.state.Me.Name)
		}
	case i.wait(func(ctx context.Context) error { return i.own.Register(ctx, name) }):
		i.saveSettings() // the account takes over the guest's settings
		i.welcome()
	}
}

// welcome greets a player who has signed in.
func (i identity) welcome() {
	i.own.LeaveMatch(false)
	i.sync()
	i.own.StopWatching()
	i.sync()
	i.print("Welcome, %s. Your key is now your account.", i.state.Me.Name)
	i.arrive()
}

// link adds the player's key to the account of a link code. Without a code, it creates
// one.
func (i identity) link(code string) {
	switch {
	case code == "":
		i.newLinkCode()
	case i.state.Me.Account != "":
		i.print("This key already belongs to your account. Type link without a code to get a code for another computer.")
	case !i.mayChange():
	case i.wait(func(ctx context.Context) error { return i.own.LinkKey(ctx, code) }):
		i.chosen, _ = ask(i.player, i.own.Settings) // the defaults if they cannot be read
		if l, ok := i18n.Parse(i.chosen.Language); ok {
			i.setLanguage(l)
		}
		i.welcome()
	}
}

func (i identity) newLinkCode() {
	link, err := i.own.NewLinkCode()
	if err != nil {
		i.fail(err)
		return
	}
	i.print("The code is %s. Connect from the other computer within %s, and type link %s there.", link.Code, i.until(link.Expires), link.Code)
}
