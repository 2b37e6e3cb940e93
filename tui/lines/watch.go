package lines

import (
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
)

// sight is a match that this session watches.
type sight struct {
	id    string
	names [2]string // clean
	last  session.MatchUpdate
	seen  bool // an update has come
	log   []string
}

// WatchPace is the shortest time between two updates of a match that is
// watched, see [session.Config]. A match of programs is faster than anybody can
// read.
const WatchPace = time.Second

// sightLines are the most shots told at a time.
const sightLines = 4

// begunWatching follows the session to a match to watch.
func (s *Session) begunWatching(about *session.Running) {
	s.game = nil
	s.sight = &sight{id: about.ID}
	for side, p := range about.Players {
		s.sight.names[side] = clean(p.Name)
	}
	s.chats[session.InMatch] = chat{}
}

// watched tells what has happened in the match that is watched.
func (s *Session) watched(u *session.MatchUpdate) {
	w := s.sight
	if w == nil {
		return
	}
	before, came := w.last, !w.seen
	w.last, w.seen = *u, true
	if came {
		s.say("You watch %s against %s: %s.", w.names[match.First], w.names[match.Second], terms(s.l, u.View.Rules))
		s.tellSight()
		return
	}
	var told []string
	note := func(text i18n.Text, args ...any) { told = append(told, s.l.Say(text, args...)) }
	for i, e := range u.Events {
		switch e.Kind {
		case match.ShotAnswered:
			switch shots := match.Volley(u.Events[i:]); {
			case match.InVolley(u.Events, i):
			case len(shots) > 1:
				note("%s fires a salvo: %s.", w.names[e.Side.Other()], phrase.Results(shots).In(s.l))
			default:
				s.noteShot(note, w.names[e.Side.Other()], e)
			}
		case match.BattleBegun:
			note("The battle begins.")
		case match.AnswersDisputed:
			note("The answers of %s cannot all be true: the match is disputed.", w.names[e.Side])
		}
	}
	switch {
	case u.Paused && !before.Paused:
		note("The match is paused.")
	case !u.Paused && before.Paused:
		note("The match goes on.")
	}
	for side, name := range w.names {
		switch {
		case u.Away[side] && !before.Away[side]:
			note("%s has lost the connection.", name)
		case !u.Away[side] && before.Away[side]:
			note("%s is back.", name)
		}
	}
	w.log = append(w.log, told...)
	w.log = w.log[max(0, len(w.log)-logKept):]
	if left := len(told) - sightLines; left > 0 {
		s.say("%d things happened before that.", left)
		told = told[left:]
	}
	s.said = append(s.said, told...)
	if u.View.Phase == match.Over {
		s.tellSight()
	}
}

// noteShot tells a shot of somebody else's.
func (s *Session) noteShot(note func(i18n.Text, ...any), shooter string, e match.Event) {
	cell := e.Cell.String()
	switch e.Result {
	case match.Water:
		note("%s fires at %s: water.", shooter, cell)
	case match.Hit:
		note("%s fires at %s: hit.", shooter, cell)
	case match.Sunk:
		note("%s fires at %s: hit and sunk.", shooter, cell)
	default:
		note("%s fires at %s: hit and sunk, the last ship.", shooter, cell)
	}
}

// tellSight says how the match watched stands.
func (s *Session) tellSight() {
	w := s.sight
	v := &w.last.View
	switch {
	case !w.seen:
		s.say("The match is about to begin.")
		return
	case v.Phase == match.Over && v.Winner == match.Nobody:
		s.say("The match is over. Nobody has won.")
	case v.Phase == match.Over:
		s.say("The match is over. %s has won.", w.names[v.Winner])
	case v.Phase == match.Placing:
		s.say("They are placing ships.")
	case v.Phase == match.Revealing:
		s.said = append(s.said, phrase.Revealing(v, w.names).In(s.l))
	default:
		s.say("%s is aiming.", w.names[v.Turn])
	}
	if v.Phase == match.Over {
		s.say("Say watch for another match, or lobby.")
		return
	}
	for side := match.First; side <= match.Second; side++ {
		s.say("%s has %d ships left.", w.names[side], v.Charts[side.Other()].ShipsLeft())
	}
}

// sightBoards tells what is known of one side, by its name and what else is
// named.
func (s *Session) sightBoards(which string) {
	w := s.sight
	if !w.seen {
		s.tellSight()
		return
	}
	name, rest, _ := strings.Cut(which, " ")
	for side := match.First; side <= match.Second; side++ {
		if !strings.EqualFold(w.names[side], name) {
			continue
		}
		s.tellWaters(s.charted(&w.last.View.Charts[side.Other()]), rest)
		return
	}
	s.say("Say chart and whose: chart %s, or chart %s.", w.names[match.First], w.names[match.Second])
}
