package lines

import (
	"context"

	"broadside/internal/i18n"
	"broadside/internal/session"
)

// identity has the commands for the player's account.
type identity struct {
	*player
	arrive func() // called when the player has signed in
}

// mayChange reports whether the player can change accounts now. If not it says so.
func (i identity) mayChange() bool {
	if i.playing() || i.state.Offer != nil {
		i.say("Not while you play or wait for an opponent.")
		return false
	}
	return true
}

// setName renames the player's account, or makes an account of the player's key.
func (i identity) setName(name string) {
	switch {
	case name == "":
		i.say("You are called %s.", i.state.Me.Name)
	case !i.mayChange():
	case i.state.Me.Account != "":
		if i.do(session.Rename{Name: name}) {
			i.say("You are %s from now on.", i.state.Me.Name)
		}
	case i.do(session.Register{Name: name}):
		i.saveSettings() // the guest's choices become the account's
		i.welcome()
	}
}

// welcome greets a player who has signed in.
func (i identity) welcome() {
	i.do(session.LeaveMatch{})
	i.do(session.Unwatch{})
	i.say("Welcome, %s. Your key is your account from now on.", i.state.Me.Name)
	i.arrive()
}

// link adds the player's key to the account with a link code, or makes a link code.
func (i identity) link(code string) {
	switch {
	case code == "":
		i.newLinkCode()
	case i.state.Me.Account != "":
		i.say("This key belongs to your account already. Say link without a code to hear a code for another machine.")
	case !i.mayChange():
	case i.do(session.LinkKey{Code: code}):
		ctx, cancel := context.WithTimeout(i.ctx, storeTime)
		defer cancel()
		i.chosen, _ = session.Ask(ctx, i.own, session.GetSettings{}) // the defaults, if they cannot be read
		if l, ok := i18n.Parse(i.chosen.Language); ok {
			i.speak(l)
		}
		i.welcome()
	}
}

func (i identity) newLinkCode() {
	link, err := session.Ask(i.ctx, i.own, session.NewLinkCode{})
	if err != nil {
		i.fail(err)
		return
	}
	i.say("The code is %s. Connect from the other machine within %s, and say link %s there.", link.Code, i.until(link.Until), link.Code)
}
