package lines

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
)

// finder has the commands for finding a match to play or watch.
type finder struct {
	*player
	interpreter *interpreter
	opponents   []opponent      // as last listed
	matches     []lobby.Running // as last listed
}

// opponent is a possible opponent.
type opponent struct {
	player  account.Player
	waiting *lobby.Waiting  // the player's open offer; nil: none
	present *lobby.Presence // set if there is no open offer
}

// play looks for the next available opponent.
func (f *finder) play(string) {
	if f.requireNoMatch() {
		f.seek(f.own.Seek(f.chosen.Rules, f.chosen.Stakes()))
	}
}

// quickGame starts a match in which the player can fire at once.
func (f *finder) quickGame(string) {
	if f.requireNoMatch() {
		f.check(f.own.QuickGame(f.chosen.Rules))
	}
}

// playBot starts a match against a bot, or lists the bots.
func (f *finder) playBot(name string) {
	if name == "" {
		f.print("The bots, from the weakest to the strongest:")
		for _, b := range session.ListBots(f.chosen.Rules) {
			f.print("%s: fires %s.", narrate.BotName(f.l, b.Name), b.About)
		}
		return
	}
	if f.requireNoMatch() {
		f.check(f.own.PlayBot(narrate.FindBot(f.l, name), f.chosen.Rules, f.chosen.Stakes()))
	}
}

// others returns the possible opponents; those with an open offer come first.
func (f *finder) others() []opponent {
	f.sync()
	seen := map[string]bool{f.state.Me.ID: true}
	var all []opponent
	add := func(o opponent) {
		if !seen[o.player.ID] {
			all = append(all, o)
		}
		seen[o.player.ID] = true
	}
	for i, w := range f.state.Lobby.Waiting {
		add(opponent{player: w.Player, waiting: &f.state.Lobby.Waiting[i]})
	}
	for i, p := range f.state.Lobby.People {
		add(opponent{player: p.Player, present: &f.state.Lobby.People[i]})
	}
	return all
}

// listOpponents lists the possible opponents with numbers.
func (f *finder) listOpponents(string) {
	f.opponents = f.others()
	if len(f.opponents) == 0 {
		f.print("Nobody else is online. Type play to wait for an opponent, or bot easy to play a bot.")
		return
	}
	for i, o := range f.opponents {
		rules := f.chosen.Rules
		if o.waiting != nil {
			rules = o.waiting.Rules
		}
		name := f.rated(o.player, rules)
		switch {
		case o.waiting != nil:
			f.print("%d: %s is waiting for an opponent: %s.", i+1, name, f.offer(o.waiting.Rules, o.waiting.Stakes))
		case o.present.Playing:
			f.print("%d: %s is playing.", i+1, name)
		case o.present.DoNotDisturb:
			f.print("%d: %s is not accepting challenges.", i+1, name)
		default:
			f.print("%d: %s is here.", i+1, name)
		}
	}
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
	matches := func(o opponent) bool { return strings.EqualFold(o.player.Name, name) }
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(f.opponents) {
		id := f.opponents[n-1].player.ID
		matches = func(o opponent) bool { return o.player.ID == id }
	}
	all := f.others()
	switch at := slices.IndexFunc(all, matches); {
	case at < 0:
		f.print("%s is not online. Type opponents to list players.", quote(name))
	case all[at].waiting != nil:
		f.check(f.own.Accept(all[at].waiting.Offer))
	default:
		f.seek(f.own.Challenge(all[at].player.ID, f.chosen.Rules, f.chosen.Stakes()))
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
		f.check(f.own.Accept(c.Offer))
	}
}

// decline declines a challenge.
func (f *finder) decline(string) {
	if f.state.Challenge == nil {
		f.print("Nobody is challenging you.")
		return
	}
	f.own.Decline(f.state.Challenge.Offer)
	f.sync()
	f.print("Declined.")
}

// openPrivate offers a private match.
func (f *finder) openPrivate(string) {
	if f.requireNoMatch() {
		f.seek(f.own.OpenPrivate(f.chosen.Rules, f.chosen.Stakes()))
	}
}

// join joins a private match.
func (f *finder) join(code string) {
	if f.requireNoMatch() {
		f.check(f.own.JoinPrivate(code))
	}
}

// resume continues the match with a resume code, or the player's own match, even if
// another session is playing it.
func (f *finder) resume(code string) {
	switch {
	case !f.requireNoMatch():
	case code != "":
		f.seek(f.own.ResumeSeat(code))
	case f.occupancy() == lobby.NoSeat:
		f.print("You have no match to continue.")
	default:
		f.check(f.own.Rejoin(false, true))
	}
}

// refuse keeps the seat after another session has entered its resume code.
func (f *finder) refuse(string) {
	if f.game == nil || f.state.Seat.Takeover == nil {
		f.print("Nobody is taking over your seat.")
		return
	}
	f.check(f.own.Refuse())
	f.print("You keep your seat.")
	if code := f.state.Seat.Code; code != "" {
		f.print("Your new resume code: %s", code)
	}
}

// seek is check after an action that may open an offer, and says what the player is waiting
// for.
func (f *finder) seek(err error) {
	if f.check(err) && f.state.Offer != nil {
		f.own.Unwatch()
		f.sync()
		f.printOffer()
	}
}

// cancel withdraws the player's offer and drops all queued commands.
func (f *finder) cancel(string) {
	n := f.interpreter.clear()
	withdrawn, _ := f.own.Cancel() // fails if there is no offer
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
	if f.check(f.own.Rematch()) && f.state.Offer != nil {
		f.print("Waiting for %s to agree to a rematch.", f.game.opponent)
	}
}

// listMatches lists the running matches with numbers.
func (f *finder) listMatches(string) {
	f.matches = f.own.Matches()
	if len(f.matches) == 0 {
		f.print("No match is running. Type watch to see two bots play.")
		return
	}
	for i, r := range f.matches {
		f.print("%d: %s against %s, %s, for %s.", i+1, f.rated(r.Players[0], r.Rules), f.rated(r.Players[1], r.Rules), f.terms(r.Rules)+", "+f.l.Text(r.Stakes.Word()),
			f.duration(max(time.Second, time.Since(r.Started))))
	}
	f.print("Type: watch NAME, or watch NUMBER.")
}

// watch watches a match, selected by player or list number, or the featured match.
func (f *finder) watch(text string) {
	if !f.requireNoMatch() {
		return
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(f.matches) {
		text = f.matches[n-1].ID
	}
	f.check(f.own.WatchBy(cmp.Or(text, lobby.Featured)))
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
	f.own.Unwatch()
	f.sync()
	f.print("You are in the lobby.")
}
