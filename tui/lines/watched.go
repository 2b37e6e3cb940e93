package lines

import (
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
)

// watched is a match that the player watches.
type watched struct {
	*player
	id    string
	names [2]string           // clean
	last  session.MatchUpdate // the newest
	seen  bool                // there is one
	log   log
}

// WatchPace is the minimum time between two updates of a match that is watched, see
// [session.Config]. Matches between programs are faster than anyone can read.
const WatchPace = time.Second

// maxNews is the maximum number of sentences about an update.
const maxNews = 4

func newWatched(p *player, about *session.Running) *watched {
	w := &watched{player: p, id: about.ID}
	for side, p := range about.Players {
		w.names[side] = clean(p.Name)
	}
	return w
}

// update handles an update of the match.
func (w *watched) update(u *session.MatchUpdate) {
	before, first := w.last, !w.seen
	w.last, w.seen = *u, true
	if first {
		w.say("You watch %s against %s: %s.", w.names[match.First], w.names[match.Second], w.terms(u.View.Rules))
		w.tellStatus()
		return
	}
	news := w.news(&before)
	w.log.add(news...)
	if left := len(news) - maxNews; left > 0 {
		w.say("%d things happened before that.", left)
		news = news[left:]
	}
	w.add(news...)
	if u.View.Phase == match.Over {
		w.tellStatus()
	}
}

// news returns sentences about what has happened since the update before.
func (w *watched) news(before *session.MatchUpdate) []string {
	var all []string
	noteMessage := func(m i18n.Message) { all = append(all, m.In(w.l)) }
	note := func(text i18n.Text, args ...any) { noteMessage(i18n.Mean(text, args...)) }
	for i, e := range w.last.Events {
		switch e.Kind {
		case match.ShotAnswered:
			switch shots := match.Volley(w.last.Events[i:]); {
			case match.InVolley(w.last.Events, i):
			case len(shots) > 1:
				note("%s fires a salvo: %s.", w.names[e.Side.Other()], phrase.Results(shots).In(w.l))
			default:
				note(shotTexts[e.Result], w.names[e.Side.Other()], e.Cell.String())
			}
		case match.BattleBegun:
			note("The battle begins.")
		case match.AnswersDisputed:
			noteMessage(phrase.Disputed(w.names[e.Side]))
		}
	}
	switch {
	case w.last.Paused && !before.Paused:
		note("The match is paused.")
	case !w.last.Paused && before.Paused:
		note("The match goes on.")
	}
	for side, name := range w.names {
		if away := w.last.Away[side]; away != before.Away[side] {
			noteMessage(phrase.Presence(name, away))
		}
	}
	return all
}

// shotTexts say who fired where, by result.
var shotTexts = map[match.Result]i18n.Text{
	match.Water:    "%s fires at %s: water.",
	match.Hit:      "%s fires at %s: hit.",
	match.Sunk:     "%s fires at %s: hit and sunk.",
	match.LastSunk: "%s fires at %s: hit and sunk, the last ship.",
}

// tellStatus says how the match stands.
func (w *watched) tellStatus() {
	v := &w.last.View
	switch {
	case !w.seen:
		w.say("The match is about to begin.")
		return
	case v.Phase == match.Over && v.Winner == match.Nobody:
		w.say("The match is over. Nobody has won.")
	case v.Phase == match.Over:
		w.say("The match is over. %s has won.", w.names[v.Winner])
	case v.Phase == match.Placing:
		w.say("They are placing ships.")
	case v.Phase == match.Revealing:
		w.add(phrase.Revealing(v, w.names).In(w.l))
	default:
		w.say("%s is aiming.", w.names[v.Turn])
	}
	if v.Phase == match.Over {
		w.say("Say watch for another match, or lobby.")
		return
	}
	for side := match.First; side <= match.Second; side++ {
		w.say("%s has %d ships left.", w.names[side], v.Charts[side.Other()].ShipsLeft())
	}
}

// tellBoards describes the board of the player whom which names, or a part of it.
func (w *watched) tellBoards(which string) {
	if !w.seen {
		w.tellStatus()
		return
	}
	name, part, _ := strings.Cut(which, " ")
	for side := match.First; side <= match.Second; side++ {
		if strings.EqualFold(w.names[side], name) {
			w.charted(&w.last.View.Charts[side.Other()]).tell(part)
			return
		}
	}
	w.say("Say chart and whose: chart %s, or chart %s.", w.names[match.First], w.names[match.Second])
}
