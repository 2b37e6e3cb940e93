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
	// Numbers in commands refer to these lists, which were printed last.
	listedOpponents []view.Opponent
	listedMatches   []lobby.RunningMatch
}

// startQuickGame starts a match in which the player can fire immediately.
func (f *finder) startQuickGame(string) {
	if f.canPlayMeanwhile() || f.requireNoMatch() {
		f.reportAndSync(f.session.StartQuickGame(f.settings.Rules))
	}
}

// playBot starts a match against a bot, or lists the bots.
func (f *finder) playBot(name string) {
	if name == "" {
		f.interpreter.execute(f.interpreter.commandByName("bots"), "")
		return
	}
	f.interpreter.execute(f.interpreter.commandByName("play"), "--vs "+name)
}

// currentOpponents returns the possible opponents. Those with an open offer come first.
func (f *finder) currentOpponents() []view.Opponent {
	f.syncState()
	return view.OpponentRows(f.lang, f.state.Lobby, f.state.Me.ID, f.settings.Rules)
}

// listOpponents lists the possible opponents with numbers.
func (f *finder) listOpponents(string) {
	f.listedOpponents = f.currentOpponents()
	if len(f.listedOpponents) == 0 {
		f.print("No one else is online. Type play to wait for an opponent, or bot easy to play a bot.")
		return
	}
	f.addTable(view.OpponentsList.TableRows(f.lang, f.listedOpponents))
	f.print("Type: challenge NAME, or challenge NUMBER.")
}

// challengePlayer accepts a player's open offer. If there is none, it challenges the player.
func (f *finder) challengePlayer(name string) {
	if name == "" {
		f.print("Type: challenge NAME. Type opponents to list players.")
		return
	}
	if !f.requireNoMatch() {
		return
	}
	isNamed := func(o view.Opponent) bool { return strings.EqualFold(o.Name, name) }
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(f.listedOpponents) {
		isNamed = func(o view.Opponent) bool { return o.ID == f.listedOpponents[n-1].ID }
	}
	all := f.currentOpponents()
	switch at := slices.IndexFunc(all, isNamed); {
	case at < 0:
		f.print("%s is not online. Type opponents to list players.", shortenWord(name))
	case all[at].Offer != 0:
		f.reportAndSync(f.session.AcceptOffer(all[at].Offer))
	default:
		f.syncAndPrintOffer(f.session.Challenge(all[at].ID, f.settings.Rules, f.settings.RatingMode()))
	}
}

// acceptChallenge accepts a challenge, or an offer of a correspondence match by its ID.
func (f *finder) acceptChallenge(offer string) {
	if offer != "" {
		if f.requireNoMatch() {
			f.acceptOffer(offer)
		}
		return
	}
	switch c := f.state.Challenge; {
	case c == nil:
		f.print("No one is challenging you.")
	case f.isPlaying():
		// This explains the problem.
		f.requireNoMatch()
	default:
		f.reportAndSync(f.session.AcceptOffer(c.Offer))
	}
}

// declineChallenge declines a challenge.
func (f *finder) declineChallenge(string) {
	if f.state.Challenge == nil {
		f.print("No one is challenging you.")
		return
	}
	f.session.DeclineChallenge(f.state.Challenge.Offer)
	f.syncState()
	f.print("Declined.")
}

// openPrivateMatch offers a private match.
func (f *finder) openPrivateMatch(string) {
	if f.requireNoMatch() {
		f.syncAndPrintOffer(f.session.OpenPrivateMatch(f.settings.Rules, f.settings.RatingMode()))
	}
}

// refuseTakeover keeps the seat after another session has entered its resume code.
func (f *finder) refuseTakeover(string) {
	if f.game == nil || f.state.Seat.Takeover == nil {
		f.print("No one is taking over your seat.")
		return
	}
	if !f.reportAndSync(f.session.RefuseTakeover()) {
		return
	}
	f.print("You keep your seat.")
	code := f.state.Seat.ResumeCode
	if code != "" {
		f.print("Your new resume code: %s", code)
	}
}

// syncAndPrintOffer is reportAndSync after an action that may open an offer. It says what the player is
// waiting for.
func (f *finder) syncAndPrintOffer(err error) {
	if f.reportAndSync(err) && f.state.Offer != nil {
		f.session.StopWatching()
		f.syncState()
		f.printOffer()
	}
}

// cancelWaiting withdraws the player's offer and drops all queued commands.
func (f *finder) cancelWaiting(string) {
	n := f.interpreter.clearQueue()
	// It fails if there is no offer.
	withdrawn, _ := f.session.CancelOffer()
	f.syncState()
	switch {
	case withdrawn:
		f.print("You are no longer waiting.")
	case n > 0:
		f.interpreter.printDroppedCount(n)
	default:
		f.print("There is nothing to cancel.")
	}
}

// offerRematch asks the last opponent for a rematch.
func (f *finder) offerRematch(string) {
	switch {
	case f.game == nil:
		f.print("There is no opponent for a rematch. Type play, or bot easy.")
		return
	case f.isPlaying():
		f.print("Your match is still running. Type resign to resign it.")
		return
	case f.game.Pace > 0:
		f.offerCorrespondence()
		return
	case f.state.Offer != nil:
		f.print("You are waiting for an opponent. Type cancel to stop waiting.")
		return
	}
	if f.reportAndSync(f.session.OfferRematch()) && f.state.Offer != nil {
		f.print("Waiting for %s to agree to a rematch.", f.game.opponent)
	}
}

// listMatches lists the running matches with numbers.
func (f *finder) listMatches(string) {
	f.listedMatches = f.session.RunningMatches()
	if len(f.listedMatches) == 0 {
		f.print("No match is running. Type watch to see two bots play.")
		return
	}
	f.addTable(view.MatchesList.TableRows(f.lang, view.MatchRows(f.lang, f.listedMatches)))
	f.print("Type: watch NAME, or watch NUMBER.")
}

// requestLadderMatch requests a match against a program on the ladder.
func (f *finder) requestLadderMatch(name string) {
	if name == "" {
		f.print("Add a name.")
		return
	}
	rules := f.settings.Rules
	p, err := queryStore(f.player, func(ctx context.Context) (ladder.Page, error) {
		return f.session.LadderPage(ctx, rules.Name, narrate.ParseBotName(f.lang, name))
	})
	if err != nil {
		f.printError(err)
		return
	}
	if !f.requireNoMatch() {
		return
	}
	switch {
	case p.Kind == "bot":
		f.reportAndSync(f.session.PlayBot(p.Name, rules.WithClock(0), f.settings.RatingMode()))
	case !p.Online:
		f.print("%s is offline.", collapseSpaces(p.Name))
	default:
		f.syncAndPrintOffer(f.session.PlayOpponent(p.Name, rules.WithClock(0), f.settings.RatingMode()))
	}
}

// canPlayMeanwhile reports whether the player can play a bot while waiting for any opponent.
func (f *finder) canPlayMeanwhile() bool {
	return !f.isPlaying() && f.state.Offer != nil && f.state.Offer.IsOpenToAnyone
}

// openStartScreen starts what a command or the client asked for.
func (f *finder) openStartScreen(o session.StartScreen) {
	if n, err := strconv.Atoi(o.Watch); err == nil && n >= 1 && n <= len(f.listedMatches) {
		o.Watch = f.listedMatches[n-1].ID
	}
	if o.Daily {
		f.interpreter.execute(f.interpreter.commandByName("daily"), "")
		return
	}
	if o.Puzzles {
		f.interpreter.execute(f.interpreter.commandByName("puzzle"), "")
		return
	}
	if o.Turn != "" && (!f.isPlaying() || f.game.Pace > 0) {
		f.runStoreAction(func(ctx context.Context) error { return f.session.OpenCorrespondence(ctx, o.Turn) })
		return
	}
	if o.IsLobby() || !(o.Bot != "" && f.canPlayMeanwhile()) && !f.requireNoMatch() {
		return
	}
	switch {
	case o.Rejoin && f.session.Occupancy() == lobby.NoSeat:
		f.print("You have no match to continue.")
	case o.Rejoin:
		// This works even if another session is playing the match.
		f.reportAndSync(f.session.RejoinMatch(false, true))
	case o.PrivateCode != "":
		f.reportAndSync(f.session.JoinPrivateMatch(o.PrivateCode))
	case o.ResumeCode != "":
		f.syncAndPrintOffer(f.session.ResumeSeat(o.ResumeCode))
	case o.Watch != "":
		f.reportAndSync(f.session.FindAndWatch(o.Watch))
	case o.Bot != "":
		f.reportAndSync(f.session.PlayBot(o.Bot, o.Rules, o.RatingMode))
	default:
		f.syncAndPrintOffer(f.session.FindOpponent(o.Rules, o.RatingMode))
	}
}

// returnToLobby leaves a finished or watched match.
func (f *finder) returnToLobby(string) {
	switch {
	case f.isPlaying() && f.game.Pace > 0:
		f.game.printDueTime()
	case f.isPlaying():
		f.print("Your match is still running. Type resign to resign it.")
		return
	case f.state.Offer != nil && (f.game == nil || !f.state.Offer.IsOpenToAnyone):
		f.cancelWaiting("")
		return
	}
	f.session.LeaveMatch(false)
	f.syncState()
	f.session.StopWatching()
	f.syncState()
	f.print("You are in the lobby.")
	if f.state.Offer != nil {
		f.printOffer()
	}
}
