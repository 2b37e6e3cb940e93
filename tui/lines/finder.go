package lines

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"broadside/internal/narrate"
	"broadside/internal/view"
	"broadside/lobby"
	"broadside/lobby/ladder"
	"broadside/lobby/session"
)

// finder has the commands for finding a match to play or watch.
type finder struct {
	*player
	interpreter *interpreter
	opponents   []view.Opponent // as last listed
	matches     []lobby.Running // as last listed
}

// quickGame starts a match in which the player can fire at once.
func (f *finder) quickGame(string) {
	if f.requireNoMatch() {
		f.check(f.own.StartQuickGame(f.chosen.Rules))
	}
}

// playBot starts a match against a bot, or lists the bots.
func (f *finder) playBot(name string) {
	if name == "" {
		f.interpreter.carryOut(f.interpreter.named("bots"), "")
		return
	}
	f.interpreter.carryOut(f.interpreter.named("play"), "--vs "+name)
}

// others returns the possible opponents; those with an open offer come first.
func (f *finder) others() []view.Opponent {
	f.sync()
	return view.OpponentRows(f.l, f.state.Lobby, f.state.Me.ID, f.chosen.Rules)
}

// listOpponents lists the possible opponents with numbers.
func (f *finder) listOpponents(string) {
	f.opponents = f.others()
	if len(f.opponents) == 0 {
		f.print("Nobody else is online. Type play to wait for an opponent, or bot easy to play a bot.")
		return
	}
	f.addTable(view.OpponentsList.TableRows(f.l, f.opponents))
	f.print("Type: challenge NAME, or challenge NUMBER.")
}

// challenge accepts the open offer of a player, or challenges the player.
func (f *finder) challenge(name string) {
	if name == "" {
		f.print("Type: challenge NAME. Type opponents to list players.")
		return
	}
	if !f.requireNoMatch() {
		return
	}
	isNamed := func(o view.Opponent) bool { return strings.EqualFold(o.Name, name) }
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(f.opponents) {
		isNamed = func(o view.Opponent) bool { return o.ID == f.opponents[n-1].ID }
	}
	all := f.others()
	switch at := slices.IndexFunc(all, isNamed); {
	case at < 0:
		f.print("%s is not online. Type opponents to list players.", quote(name))
	case all[at].Offer != 0:
		f.check(f.own.AcceptOffer(all[at].Offer))
	default:
		f.seek(f.own.Challenge(all[at].ID, f.chosen.Rules, f.chosen.Stakes()))
	}
}

// accept accepts a challenge.
func (f *finder) accept(string) {
	switch c := f.state.Challenge; {
	case c == nil:
		f.print("Nobody is challenging you.")
	case f.playing():
		f.requireNoMatch() // explains the problem
	default:
		f.check(f.own.AcceptOffer(c.Offer))
	}
}

// decline declines a challenge.
func (f *finder) decline(string) {
	if f.state.Challenge == nil {
		f.print("Nobody is challenging you.")
		return
	}
	f.own.DeclineChallenge(f.state.Challenge.Offer)
	f.sync()
	f.print("Declined.")
}

// openPrivate offers a private match.
func (f *finder) openPrivate(string) {
	if f.requireNoMatch() {
		f.seek(f.own.OpenPrivateMatch(f.chosen.Rules, f.chosen.Stakes()))
	}
}

// refuse keeps the seat after another session has entered its resume code.
func (f *finder) refuse(string) {
	if f.game == nil || f.state.Seat.Takeover == nil {
		f.print("Nobody is taking over your seat.")
		return
	}
	f.check(f.own.RefuseTakeover())
	f.print("You keep your seat.")
	code := f.state.Seat.Code
	if code != "" {
		f.print("Your new resume code: %s", code)
	}
}

// seek is check after an action that may open an offer, and says what the player is waiting
// for.
func (f *finder) seek(err error) {
	if f.check(err) && f.state.Offer != nil {
		f.own.StopWatching()
		f.sync()
		f.printOffer()
	}
}

// cancel withdraws the player's offer and drops all queued commands.
func (f *finder) cancel(string) {
	n := f.interpreter.clear()
	withdrawn, _ := f.own.CancelOffer() // fails if there is no offer
	f.sync()
	switch {
	case withdrawn:
		f.print("You are no longer waiting.")
	case n > 0:
		f.interpreter.printDropped(n)
	default:
		f.print("There is nothing to cancel.")
	}
}

// rematch asks the last opponent for a rematch.
func (f *finder) rematch(string) {
	switch {
	case f.game == nil:
		f.print("There is no opponent for a rematch. Type play, or bot easy.")
		return
	case f.playing():
		f.print("Your match is still running. Type resign to resign it.")
		return
	case f.state.Offer != nil:
		f.print("You are waiting for an opponent. Type cancel to stop waiting.")
		return
	}
	if f.check(f.own.OfferRematch()) && f.state.Offer != nil {
		f.print("Waiting for %s to agree to a rematch.", f.game.opponent)
	}
}

// listMatches lists the running matches with numbers.
func (f *finder) listMatches(string) {
	f.matches = f.own.RunningMatches()
	if len(f.matches) == 0 {
		f.print("No match is running. Type watch to see two bots play.")
		return
	}
	f.addTable(view.MatchesList.TableRows(f.l, view.MatchRows(f.l, f.matches)))
	f.print("Type: watch NAME, or watch NUMBER.")
}

// request requests a match against a program on the ladder.
func (f *finder) request(name string) {
	if name == "" {
		f.print("Add a name.")
		return
	}
	rules := f.chosen.Rules
	p, err := ask(f.player, func(ctx context.Context) (ladder.Page, error) {
		return f.own.LadderPage(ctx, rules.Name, narrate.ParseBotName(f.l, name))
	})
	switch {
	case err != nil:
		f.fail(err)
	case !f.requireNoMatch():
	case p.Kind == "bot":
		f.check(f.own.PlayBot(p.Name, rules.WithClock(0), f.chosen.Stakes()))
	case !p.Online:
		f.print("%s is offline.", clean(p.Name))
	default:
		f.seek(f.own.PlayOpponent(p.Name, rules.WithClock(0), f.chosen.Stakes()))
	}
}

// open starts what a command or the client asks for.
func (f *finder) open(o session.StartScreen) {
	if n, err := strconv.Atoi(o.Watch); err == nil && n >= 1 && n <= len(f.matches) {
		o.Watch = f.matches[n-1].ID
	}
	switch {
	case o.IsLobby():
	case o.Daily:
		f.interpreter.carryOut(f.interpreter.named("daily"), "")
	case !f.requireNoMatch():
	case o.Rejoin && f.occupancy() == lobby.NoSeat:
		f.print("You have no match to continue.")
	case o.Rejoin:
		f.check(f.own.RejoinMatch(false, true)) // even if another session is playing it
	case o.PrivateCode != "":
		f.check(f.own.JoinPrivateMatch(o.PrivateCode))
	case o.ResumeCode != "":
		f.seek(f.own.ResumeSeat(o.ResumeCode))
	case o.Watch != "":
		f.check(f.own.FindAndWatch(o.Watch))
	case o.Bot != "":
		f.check(f.own.PlayBot(o.Bot, o.Rules, o.Stakes))
	default:
		f.seek(f.own.FindOpponent(o.Rules, o.Stakes))
	}
}

// toLobby leaves a finished or watched match.
func (f *finder) toLobby(string) {
	switch {
	case f.playing():
		f.print("Your match is still running. Type resign to resign it.")
		return
	case f.state.Offer != nil:
		f.cancel("")
		return
	}
	f.own.LeaveMatch(false)
	f.sync()
	f.own.StopWatching()
	f.sync()
	f.print("You are in the lobby.")
}
