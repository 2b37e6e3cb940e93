package lines

import (
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

// watched is a match that the player watches.
type watched struct {
	*player
	id      string
	players [2]account.Player
	names   [2]string   // cleaned; see clean
	last    live.Update // the newest update
	seen    bool        // an update has arrived
	log     log
}

// WatchPace is the minimum time between two updates of a watched match, see
// [session.Config]. Matches between programs are too fast to read.
const WatchPace = time.Second

// maxChanges is the maximum number of sentences per update.
const maxChanges = 4

func newWatched(p *player, about *lobby.Running) *watched {
	w := &watched{player: p, id: about.ID, players: about.Players}
	for side, player := range about.Players {
		w.names[side] = clean(w.shortName(player))
	}
	return w
}

// update handles an update of the match.
func (w *watched) update(u *live.Update) {
	before, first := w.last, !w.seen
	w.last, w.seen = *u, true
	if first {
		w.log.add(w.describeChanges(&w.last)...)
		w.print("You are watching %s against %s: %s.", w.rated(w.players[match.First], u.View.Rules), w.rated(w.players[match.Second], u.View.Rules), w.terms(u.View.Rules))
		w.printStatus()
		return
	}
	describeChanges := w.describeChanges(&before)
	w.log.add(describeChanges...)
	if left := len(describeChanges) - maxChanges; left > 0 {
		w.print("%d event happened before that.||%d events happened before that.", left)
		describeChanges = describeChanges[left:]
	}
	w.add(describeChanges...)
	if u.View.Phase == match.Over {
		w.printStatus()
	}
}

// describeChanges returns sentences about the changes since the previous update.
func (w *watched) describeChanges(before *live.Update) []string {
	var all []string
	noteMessage := func(m i18n.Message) { all = append(all, m.In(w.l)) }
	note := func(text i18n.Key, args ...any) { noteMessage(i18n.NewMessage(text, args...)) }
	for i, e := range w.last.Events {
		switch e.Kind {
		case match.ShotAnswered:
			switch shots := match.Volley(w.last.Events[i:]); {
			case match.InVolley(w.last.Events, i):
			case len(shots) > 1:
				note("%s fires a salvo: %s.", w.names[e.Side.Other()], narrate.Results(shots).In(w.l))
			default:
				note(shotTexts[e.Result], w.names[e.Side.Other()], e.Cell.String())
			}
		case match.BattleBegun:
			note("The battle begins.")
		case match.AnswersDisputed:
			noteMessage(narrate.Disputed(w.names[e.Side]))
		}
	}
	switch {
	case w.last.Paused && !before.Paused:
		note("The match is paused.")
	case !w.last.Paused && before.Paused:
		note("The match continues.")
	}
	for side, name := range w.names {
		if away := w.last.Away[side]; away != before.Away[side] {
			noteMessage(narrate.Presence(name, away))
		}
	}
	return all
}

// shotTexts are the texts for a shot, by result.
var shotTexts = map[match.Result]i18n.Key{
	match.Water:    "%s fires at %s: miss.",
	match.Hit:      "%s fires at %s: hit.",
	match.Sunk:     "%s fires at %s: hit and sunk.",
	match.LastSunk: "%s fires at %s: hit and sunk, the last ship.",
}

// printStatus describes the state of the match.
func (w *watched) printStatus() {
	v := &w.last.View
	switch {
	case !w.seen:
		w.print("The match is about to begin.")
		return
	case v.Phase == match.Over && v.Winner == match.Nobody:
		w.print("The match is over. Nobody won.")
	case v.Phase == match.Over:
		w.print("The match is over. %s won.", w.names[v.Winner])
	case v.Phase == match.Placing:
		w.print("Both players are placing ships.")
	default:
		w.print("%s is aiming.", w.names[v.Turn])
	}
	if v.Phase == match.Over {
		w.print("Type watch for another match, or lobby to leave.")
		return
	}
	for side := match.First; side <= match.Second; side++ {
		w.print("%s has %d ship left.||%s has %d ships left.", w.names[side], v.Charts[side.Other()].ShipsLeft())
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
		if strings.EqualFold(w.names[side], name) {
			w.charted(&w.last.View.Charts[side.Other()]).describe(part)
			return
		}
	}
	w.print("Type: chart %s, or chart %s.", w.names[match.First], w.names[match.Second])
}
