package lines

import (
	"context"

	"broadside/internal/i18n"
	"broadside/internal/session"
)

// account has the commands for the player's account.
type account struct {
	*player
	arrive func() // called when the player has signed in
}

// mayChange reports whether the player can change accounts now. If not it says so.
func (a account) mayChange() bool {
	if a.playing() || a.state.Offer != nil {
		a.say("Not while you play or wait for an opponent.")
		return false
	}
	return true
}

// setName renames the player's account, or makes an account of the player's key.
func (a account) setName(name string) {
	switch {
	case name == "":
		a.say("You are called %s.", a.state.Me.Name)
	case !a.mayChange():
	case a.state.Me.Account != "":
		if a.do(session.Rename{Name: name}) {
			a.say("You are %s from now on.", a.state.Me.Name)
		}
	case a.do(session.Register{Name: name}):
		a.saveSettings() // the guest's choices become the account's
		a.welcome()
	}
}

// welcome greets a player who has signed in.
func (a account) welcome() {
	a.do(session.LeaveMatch{})
	a.do(session.Unwatch{})
	a.say("Welcome, %s. Your key is your account from now on.", a.state.Me.Name)
	a.arrive()
}

// link adds the player's key to the account with a link code, or makes a link code.
func (a account) link(code string) {
	switch {
	case code == "":
		a.newLinkCode()
	case a.state.Me.Account != "":
		a.say("This key belongs to your account already. Say link without a code to hear a code for another machine.")
	case !a.mayChange():
	case a.do(session.LinkKey{Code: code}):
		ctx, cancel := context.WithTimeout(a.ctx, storeTime)
		defer cancel()
		a.chosen, _ = session.Ask(ctx, a.own, session.GetSettings{}) // the defaults, if they cannot be read
		if l, ok := i18n.Parse(a.chosen.Language); ok {
			a.speak(l)
		}
		a.welcome()
	}
}

func (a account) newLinkCode() {
	link, err := session.Ask(a.ctx, a.own, session.NewLinkCode{})
	if err != nil {
		a.fail(err)
		return
	}
	a.say("The code is %s. Connect from the other machine within %s, and say link %s there.", link.Code, a.until(link.Until), link.Code)
}
