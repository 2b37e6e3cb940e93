package lines

import (
	"context"
	"time"

	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
)

// player has what the parts of a session share: the player's session in the lobby, its last known state, and the
// output.
type player struct {
	*output
	ctx     context.Context
	session *session.Session
	// state is the session's state when sync read it last.
	state    session.State
	settings account.Settings
	// game is the match being played, or just over. Otherwise, it is nil.
	game *game
	// watched is nil unless the player watches a match.
	watched *watchedMatch
	// onMatchEntered is called after the player has entered another match, to play or to watch.
	onMatchEntered func()
	// onTurnsObsolete is called when commands waiting for a turn become obsolete.
	onTurnsObsolete func()

	confirming confirmation
	// printedAccountHint is set once the player knows how to get an account.
	printedAccountHint bool
	// isLeaving is set when the session should end.
	isLeaving bool
}

// confirmation identifies a command that awaits its confirmation: it must be entered twice.
type confirmation struct {
	command string
	game    *game
}

// storeTime is the maximum time that an action or a query waits for the store.
const storeTime = 5 * time.Second

// queryStore returns what read returns. It waits at most storeTime.
func queryStore[R any](p *player, read func(context.Context) (R, error)) (R, error) {
	ctx, cancel := context.WithTimeout(p.ctx, storeTime)
	defer cancel()
	return read(ctx)
}

// runStoreAction executes an action that may take storeTime. If it fails, it says why and returns false.
func (p *player) runStoreAction(act func(context.Context) error) bool {
	ctx, cancel := context.WithTimeout(p.ctx, storeTime)
	defer cancel()
	return p.reportAndSync(act(ctx))
}

// reportAndSync reads the session's state after an action that returned err. If the action failed, it says why
// and returns false.
func (p *player) reportAndSync(err error) bool {
	if err != nil {
		p.printError(err)
	}
	p.syncState()
	return err == nil
}

// syncState reads the session's state, and enters or leaves a match accordingly.
func (p *player) syncState() {
	p.state = p.session.State()
	m := p.state.Match
	if m == nil {
		p.game = nil
	} else if (p.game == nil || p.game.Match != m) && !m.HotSeat {
		if p.isPlaying() && m.Pace == 0 {
			p.print("%s is here. Your match against %s waits: type resume after this one.", collapseSpaces(m.Opponent.Name), p.game.opponent)
		}
		p.game = newGame(p, m)
		p.onMatchEntered()
	}
	w := p.state.Watching
	if w == nil {
		p.watched = nil
	} else if p.watched == nil || p.watched.id != w.ID {
		p.game, p.watched = nil, newWatched(p, w)
		p.onMatchEntered()
	}
}

// isPlaying reports whether the player has a running match in this session.
func (p *player) isPlaying() bool { return p.game != nil && !p.game.isOver() }

// isPlacing reports whether the player has ships to place, or may have soon.
func (p *player) isPlacing() bool {
	if p.game == nil {
		return p.state.Offer != nil
	}
	return p.game.isPlacing()
}

// requireMatch reports whether a match of this session is running. If not, it says so.
func (p *player) requireMatch() bool {
	switch {
	case p.isPlaying():
		return true
	case p.game != nil:
		p.print("The match is over. Type rematch for another one, or lobby.")
	default:
		p.print("You are not in a match. Type play, or bot easy, to start one.")
	}
	return false
}

// requireNoMatch reports whether the player can start a match. If not, it says why.
func (p *player) requireNoMatch() bool {
	switch {
	case p.isPlaying() && p.game.Pace > 0:
		p.print("You are in a correspondence match. Type lobby to leave it: it waits for you.")
	case p.isPlaying():
		p.print("You are playing. Type resign to resign this match.")
	case p.state.Offer != nil:
		p.print("You are waiting for an opponent. Type cancel to stop waiting.")
	default:
		return true
	}
	return false
}

// isConfirmed reports whether a command was entered twice in a row.
func (p *player) isConfirmed(command string) bool {
	c := confirmation{command, p.game}
	if p.confirming == c {
		p.confirming = confirmation{}
		return true
	}
	p.confirming = c
	return false
}

// saveSettings saves the player's settings in the background.
func (p *player) saveSettings() { p.session.SaveSettings(p.settings) }

// printOffer says what the player is waiting for.
func (p *player) printOffer() {
	o := p.state.Offer
	terms := p.offerTerms(o.Rules, o.RatingMode)
	switch {
	case o.Challenged != nil:
		p.print("You challenged %s: %s. They have %s to answer.", p.nameWithRating(*o.Challenged, o.Rules), terms, p.timeLeft(o.Expires))
	case o.IsTakeover:
		p.print("Another session uses this seat. You take it over in %s, unless its player refuses. Type cancel to stop waiting.", p.timeLeft(o.Expires))
	case o.Code != "":
		p.print("Your private match is open. Its code is %s: %s. Your opponent types join %s, or connects with: %s", o.Code, terms, o.Code, narrate.InvitationCommand(p.session.Client().Address, o.Code))
	default:
		p.print("Waiting for an opponent: %s. Type cancel to stop waiting.", terms)
		if o.UsualWait > 0 {
			p.add(narrate.UsualWait(p.lang, o.UsualWait))
		}
	}
}

// printAccountHint explains once how a player with a new key gets an account.
func (p *player) printAccountHint() {
	if !p.printedAccountHint && p.state.Me.Account == "" && p.session.Client().Fingerprint != "" && p.session.State().HasStore {
		p.printedAccountHint = true
		p.print("To keep your rating and matches, type: name YOURNAME. To use an account you already have, type: link CODE (from your other computer).")
	}
}

// printReturnHint explains how to return to a match that the player is leaving.
func (p *player) printReturnHint() {
	if p.game.Pace > 0 {
		p.game.printDueTime()
		p.print("Goodbye.")
		return
	}
	grace := lobby.DefaultGrace
	if p.state.WouldQuittingEndMatch() {
		grace = lobby.ReturnTime
	}
	switch code := p.state.Seat.ResumeCode; {
	case p.state.WouldQuittingEndMatch() && p.game.enemyChart().Fired == 0:
		// The match ends.
		p.print("Goodbye.")
	case code != "":
		p.print("You left the match. Reconnect within %s with: ssh HOST resume %s", p.durationText(grace), code)
	default:
		p.print("You left the match. Reconnect within %s to continue it.", p.durationText(grace))
	}
}
