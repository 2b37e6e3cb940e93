package lines

import (
	"strings"
	"time"

	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

// watched is a match that the player watches.
type watched struct {
	*player
	id       string
	players  [2]account.Player
	narrator narrate.Narrator // with cleaned names
	last     live.Update      // the newest update
	seen     bool             // an update has arrived
	log      log
}

// WatchPace is the minimum time between two updates of a watched match, see
// [session.Config]. Matches between programs are too fast to read.
const WatchPace = time.Second

// maxChanges is the maximum number of sentences per update.
const maxChanges = 4

func newWatched(p *player, about *lobby.Running) *watched {
	w := &watched{player: p, id: about.ID, players: about.Players}
	w.narrator.Side = match.Nobody
	for side, player := range about.Players {
		w.narrator.Names[side] = clean(w.shortName(player))
	}
	return w
}

// update handles an update of the match.
func (w *watched) update(u *live.Update) {
	var changes []string
	for _, line := range w.narrator.ChangeLines(&w.last, u) {
		changes = append(changes, line.Text(w.l))
	}
	w.log.add(changes...)
	w.last = *u
	if !w.seen {
		w.seen = true
		r := u.View.Rules
		w.print("You are watching %s against %s: %s.",
			w.rated(w.players[match.First], r), w.rated(w.players[match.Second], r), w.terms(r))
		w.printStatus()
		return
	}
	left := len(changes) - maxChanges
	if left > 0 {
		w.print("%d event happened before that.||%d events happened before that.", left)
		changes = changes[left:]
	}
	w.add(changes...)
	if u.View.Phase == match.Over {
		w.printStatus()
	}
}

// printStatus describes the state of the match.
func (w *watched) printStatus() {
	if !w.seen {
		w.print("The match is about to start.")
		return
	}
	v := &w.last.View
	w.addMessage(w.narrator.StatusLine(v).Full)
	if v.Phase == match.Over {
		w.addMessage(w.narrator.EndReason(v))
		w.addMessage(w.narrator.ShotCounts(v))
		w.print("Type watch for another match, or lobby to leave.")
		return
	}
	for side := match.First; side <= match.Second; side++ {
		w.addMessage(w.narrator.ShipsLeft(side, v))
	}
}

// describeBoards describes the board of the player named by which, or part of it.
func (w *watched) describeBoards(which string) {
	if !w.seen {
		w.printStatus()
		return
	}
	name, part, _ := strings.Cut(which, " ")
	for side := match.First; side <= match.Second; side++ {
		if strings.EqualFold(w.narrator.Names[side], name) {
			w.charted(&w.last.View.Charts[side.Other()]).describe(part)
			return
		}
	}
	w.print("Type: chart %s, or chart %s.", w.narrator.Names[match.First], w.narrator.Names[match.Second])
}
