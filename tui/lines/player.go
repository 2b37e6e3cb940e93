package lines

import (
	"context"
	"time"

	"broadside/internal/session"
)

// player is what the parts of a session share: the headless session, what it was last
// known to be doing, and the output.
type player struct {
	*output
	ctx     context.Context
	own     session.Session
	state   session.State    // of own, as last read
	chosen  session.Settings // by the player
	game    *game            // the match being played, or just over; else nil
	watched *watched         // the match being watched; else nil
	// moved is called when the player has entered another match, to play or to watch.
	moved func()
	// dropped is called when commands that wait for a turn are obsolete.
	dropped func()

	confirming confirmation // what was answered with a question
	done       bool         // the session is to end
}

// confirmation identifies a command that must be given twice.
type confirmation struct {
	command string
	game    *game
}

// storeTime is the maximum time that an action waits for the database.
const storeTime = 5 * time.Second

// do carries out an action. If that fails it says why and returns false.
func (p *player) do(a session.Action) bool {
	ctx, cancel := context.WithTimeout(p.ctx, storeTime)
	defer cancel()
	err := p.own.Do(ctx, a)
	if err != nil {
		p.fail(err)
	}
	p.sync()
	return err == nil
}

// sync reads the session's state, and follows it into a match or out of one.
func (p *player) sync() {
	p.state = p.own.State()
	if m := p.state.Match; m == nil {
		p.game = nil
	} else if (p.game == nil || p.game.Match != m) && !m.HotSeat { // Rejoin refuses a hot seat
		p.game = newGame(p, m)
		p.moved()
	}
	if w := p.state.Watching; w == nil {
		p.watched = nil
	} else if p.watched == nil || p.watched.id != w.ID {
		p.game, p.watched = nil, newWatched(p, w)
		p.moved()
	}
}

// playing reports whether a match of this session is running.
func (p *player) playing() bool { return p.game != nil && !p.game.over() }

// placing reports whether the player has ships to place, or may soon have.
func (p *player) placing() bool {
	if p.game == nil {
		return p.state.Offer != nil
	}
	return p.game.placing()
}

// requireMatch reports whether a match of this session is running. If not it says so.
func (p *player) requireMatch() bool {
	switch {
	case p.playing():
		return true
	case p.game != nil:
		p.say("the-match-is-over-say")
	default:
		p.say("you-are-not-in-say")
	}
	return false
}

// requireNoMatch reports whether the player can begin a match. If not it says why.
func (p *player) requireNoMatch() bool {
	switch {
	case p.playing():
		p.say("you-are-playing-say-resign")
	case p.state.Offer != nil:
		p.say("you-are-waiting-for-say")
	default:
		return true
	}
	return false
}

// confirmed reports whether a command is given for the second time in a row.
func (p *player) confirmed(command string) bool {
	c := confirmation{command, p.game}
	if p.confirming == c {
		p.confirming = confirmation{}
		return true
	}
	p.confirming = c
	return false
}

// occupancy asks whether the player has a match to continue.
func (p *player) occupancy() session.Occupancy {
	o, _ := session.Ask(p.ctx, p.own, session.GetOccupancy{}) // cannot fail
	return o
}

// saveSettings stores what the player has chosen, without waiting for it.
func (p *player) saveSettings() { p.own.SaveSettings(p.chosen) }

// sayOffer says what the player is waiting for.
func (p *player) sayOffer() {
	o := p.state.Offer
	terms := p.offer(o.Rules, o.Stakes)
	switch {
	case o.To != nil:
		p.say("you-challenged-x-x-the", p.name(*o.To), terms, p.until(o.Until))
	case o.TakesOver:
		p.say("another-session-uses-this-you", p.until(o.Until))
	case o.Code != "":
		p.say("your-room-is-open-its", o.Code, terms, o.Code, o.Code)
	default:
		p.say("waiting-for-an-opponent-x", terms)
	}
}

// sayReturn says how to come back to a match that the player leaves.
func (p *player) sayReturn() {
	if code := p.state.Seat.Code; code != "" {
		p.say("you-leave-your-match-with", p.duration(session.Grace), code)
		return
	}
	p.say("you-leave-your-match-and", p.duration(session.Grace))
}
