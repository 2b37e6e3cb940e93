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

// watchedMatch is a match that the player watches.
type watchedMatch struct {
	*player
	id         string
	players    [2]account.Player
	narrator   narrate.Narrator
	lastUpdate live.Update
	hasUpdate  bool
	log        eventLog
}

// WatchPace is the minimum time between two updates of a watched match, see
// [session.Config]. Matches between programs are too fast to read.
const WatchPace = time.Second

// maxChanges is the maximum number of sentences per update.
const maxChanges = 4

func newWatched(p *player, about *lobby.RunningMatch) *watchedMatch {
	w := &watchedMatch{player: p, id: about.ID, players: about.Players}
	w.narrator.Side = match.Nobody
	for side, player := range about.Players {
		w.narrator.Names[side] = collapseSpaces(w.shortName(player))
	}
	return w
}

// handleUpdate prints what happened in the match.
func (w *watchedMatch) handleUpdate(u *live.Update) {
	var changes []string
	for _, line := range w.narrator.ChangeLines(&w.lastUpdate, u) {
		changes = append(changes, line.Text(w.lang))
	}
	w.log.add(changes...)
	w.lastUpdate = *u
	if !w.hasUpdate {
		w.hasUpdate = true
		r := u.View.Rules
		w.print("You are watching %s against %s: %s.",
			w.nameWithRating(w.players[match.First], r), w.nameWithRating(w.players[match.Second], r), w.matchTerms(r))
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

// printStatus prints whose turn it is, or who won, and how many ships or shots there are.
func (w *watchedMatch) printStatus() {
	if !w.hasUpdate {
		w.print("The match is about to start.")
		return
	}
	v := &w.lastUpdate.View
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

// printWatchedBoard prints the board of the player whose name starts which, or a part of it.
func (w *watchedMatch) printWatchedBoard(which string) {
	if !w.hasUpdate {
		w.printStatus()
		return
	}
	name, part, _ := strings.Cut(which, " ")
	for side := match.First; side <= match.Second; side++ {
		if strings.EqualFold(w.narrator.Names[side], name) {
			w.newChartDescription(&w.lastUpdate.View.Charts[side.Other()]).printBoardPart(part)
			return
		}
	}
	w.print("Type: chart %s, or chart %s.", w.narrator.Names[match.First], w.narrator.Names[match.Second])
}
