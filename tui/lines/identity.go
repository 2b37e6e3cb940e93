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
		i.print("not-while-you-play-or")
		return false
	}
	return true
}

// setName renames the player's account, or creates an account for the player's key.
func (i identity) setName(name string) {
	switch {
	case name == "":
		i.print("you-are-called-x", i.state.Me.Name)
	case !i.mayChange():
	case i.state.Me.Account != "":
		if i.wait(func(ctx context.Context) error { return i.own.Rename(ctx, name) }) {
			i.print("your-name-is-now-x", i.state.Me.Name)
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
	i.own.Unwatch()
	i.sync()
	i.print("welcome-x-your-key-is", i.state.Me.Name)
	i.arrive()
}

// link adds the player's key to the account of a link code. Without a code, it creates
// one.
func (i identity) link(code string) {
	switch {
	case code == "":
		i.newLinkCode()
	case i.state.Me.Account != "":
		i.print("this-key-belongs-to-your")
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
	i.print("the-code-is-x-connect", link.Code, i.until(link.Until), link.Code)
}
