package lines

import (
	"context"

	"broadside/internal/i18n"
)

// identity has the commands for the player's account.
type identity struct {
	*player
	// onSignIn is called after the player has signed in.
	onSignIn func()
}

// canChangeAccount reports whether the player can change accounts now. If not, it says why.
func (i identity) canChangeAccount() bool {
	if i.isPlaying() || i.state.Offer != nil {
		i.print("You can't do that while you play or wait for an opponent.")
		return false
	}
	return true
}

// setName renames the player's account, or creates an account for the player's key.
func (i identity) setName(name string) {
	if name == "" {
		i.print("Your name is %s.", i.state.Me.Name)
		return
	}
	if !i.canChangeAccount() {
		return
	}
	if i.state.Me.Account != "" {
		if i.runStoreAction(func(ctx context.Context) error { return i.session.Rename(ctx, name) }) {
			i.print("Your name is now %s.", i.state.Me.Name)
		}
		return
	}
	if i.runStoreAction(func(ctx context.Context) error { return i.session.Register(ctx, name) }) {
		// The account takes over the guest's settings.
		i.saveSettings()
		i.finishSignIn()
	}
}

// finishSignIn greets a player who has signed in.
func (i identity) finishSignIn() {
	i.session.LeaveMatch(false)
	i.syncState()
	i.session.StopWatching()
	i.syncState()
	i.print("Welcome, %s. Your key is now your account.", i.state.Me.Name)
	i.onSignIn()
}

// linkKey adds the player's key to the account that created the link code. Without a code, it creates one.
func (i identity) linkKey(code string) {
	if code == "" {
		i.printLinkCode()
		return
	}
	if i.state.Me.Account != "" {
		i.print("This key already belongs to your account. Type link without a code to get a code for another computer.")
		return
	}
	link := func(ctx context.Context) error { return i.session.LinkKey(ctx, code) }
	if !i.canChangeAccount() || !i.runStoreAction(link) {
		return
	}
	// If the settings cannot be read, these are the defaults.
	i.settings, _ = queryStore(i.player, i.session.Settings)
	if l, ok := i18n.Parse(i.settings.Language); ok {
		i.setLanguage(l)
	}
	i.finishSignIn()
}

func (i identity) printLinkCode() {
	link, err := i.session.NewLinkCode()
	if err != nil {
		i.printError(err)
		return
	}
	i.print("The code is %s. Connect from the other computer within %s, and type link %s there.", link.Code, i.timeLeft(link.Expires), link.Code)
}
