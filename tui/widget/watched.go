package widget

import (
	"time"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
)

// WatchedMatch is a match that this session watches.
type WatchedMatch struct {
	ID        string
	Counted   bool // counts as a spectator
	Narrator  narrate.Narrator
	Last      live.Update
	UpdatedAt time.Time // when Last arrived; zero: not yet
	Reports   Reports
	Log       ShotLog
	Chat      *Chat
}

// NewWatchedMatch returns a watched match without any updates.
func NewWatchedMatch(e *Env, about *lobby.RunningMatch, counted bool) *WatchedMatch {
	w := &WatchedMatch{ID: about.ID, Counted: counted, Chat: NewChat(about.ID, nil)}
	w.Narrator.Side = match.Nobody
	for side, p := range about.Players {
		w.Narrator.Names[side] = e.ShortName(p)
	}
	return w
}

// Receive applies an update.
func (w *WatchedMatch) Receive(u *live.Update) {
	if u.Missed {
		w.Log, w.Reports = ShotLog{}, nil
	}
	w.Log.AddShots(u)
	w.Reports.Add(w.Narrator.ChangeLines(&w.Last, u)...)
	w.Last, w.UpdatedAt = *u, time.Now()
}

// IsOver reports whether the match has ended.
func (w *WatchedMatch) IsOver() bool { return w.Last.View.Phase == match.Over }

// StateText describes the next step of the match, or who won.
func (w *WatchedMatch) StateText(l i18n.Language) string {
	v := &w.Last.View
	if w.UpdatedAt.IsZero() {
		return ""
	}
	line := w.Narrator.StatusLine(v)
	style := text.ToneStyle(line.Tone)
	if v.Phase == match.Battle {
		style = term.Warn
	}
	return style.Render(line.Full.Text(l))
}

// Board returns a side's board as the opponent knows it. After the match it shows the
// fleet, if known.
func (w *WatchedMatch) Board(side match.Side) *board.Board {
	v := &w.Last.View
	if v.Fleets[side] == nil {
		return board.NewAimedChart(&v.Charts[side.Other()], board.Nowhere, v.Last[side.Other()]...)
	}
	return board.NewFleetWithLastShots(v, side)
}
