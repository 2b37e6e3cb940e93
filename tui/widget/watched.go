package widget

import (
	"time"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
	"broadside/tui/board"
	"broadside/tui/term"
)

// Watched is a match that this session watches.
type Watched struct {
	ID      string
	Counted bool      // counts as a spectator
	Names   [2]string // safe to display
	Last    live.Update
	Seen    time.Time // when Last arrived; zero: not yet
	Reports Reports
	Log     Log
	Chat    *Chat
}

// NewWatched returns a watched match without any updates.
func NewWatched(e *Env, about *lobby.Running, counted bool) *Watched {
	w := &Watched{ID: about.ID, Counted: counted, Chat: NewChat(about.ID, nil)}
	for side, p := range about.Players {
		w.Names[side] = e.ShortName(p)
	}
	return w
}

// Receive applies an update.
func (w *Watched) Receive(u *live.Update) {
	away := w.Last.Away
	w.Last, w.Seen = *u, time.Now()
	w.Last.Names = w.Names
	auto := false
	if u.Missed {
		w.Log, w.Reports = Log{}, nil
	}
	w.Log.Receive(u)
	for i, e := range u.Events {
		switch e.Kind {
		case match.ShotFired:
			auto = auto || e.Auto
		case match.ShotAnswered:
			w.Reports.AddShots(w.Names[e.Side.Other()], u.Events, i, auto)
			w.Reports[len(w.Reports)-1].Style = term.Plain
			auto = false
		case match.BattleBegun:
			w.Reports.Add(BattleBegun())
		case match.AnswersDisputed:
			w.Reports.Add(DisputeReport(w.Names[e.Side]))
		}
	}
	for side, name := range w.Names {
		if u.Away[side] != away[side] {
			w.Reports.Add(PresenceReport(name, u.Away[side]))
		}
	}
}

// Over reports whether the match has ended.
func (w *Watched) Over() bool { return w.Last.View.Phase == match.Over }

// State describes the next step of the match, or how it ended.
func (w *Watched) State(l i18n.Language) string {
	v := &w.Last.View
	switch {
	case w.Seen.IsZero():
		return ""
	case v.Phase == match.Over && v.Winner == match.Nobody:
		return term.Warn.Render(l.Text("Nobody won."))
	case v.Phase == match.Over:
		return term.Good.Render(l.Text("%s won.", w.Names[v.Winner]))
	case v.Phase == match.Placing && v.Ready[match.First]:
		return l.Text("%s is placing ships.", w.Names[match.Second])
	case v.Phase == match.Placing && v.Ready[match.Second]:
		return l.Text("%s is placing ships.", w.Names[match.First])
	case v.Phase == match.Placing:
		return l.Text("Both are placing ships.")
	}
	return term.Warn.Render(l.Text("%s is aiming.", w.Names[v.Turn]))
}

// Board returns a side's board as the opponent knows it. After the match it shows the
// fleet, if known.
func (w *Watched) Board(side match.Side) *board.Board {
	v := &w.Last.View
	if v.Fleets[side] == nil {
		return board.Enemy(&v.Charts[side.Other()], board.Nowhere, v.Last[side.Other()]...)
	}
	return board.Own(v, side)
}
