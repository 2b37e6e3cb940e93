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
	ID string
	// Counted is set if the session counts as a spectator.
	Counted  bool
	Narrator narrate.Narrator
	Last     live.Update
	// UpdatedAt is the time when Last arrived. Before that, it is zero.
	UpdatedAt time.Time
	Reports   Reports
	Log       ShotLog
	Chat      *Chat
}

// NewWatchedMatch returns a watched match without any updates.
func NewWatchedMatch(e *Env, running *lobby.RunningMatch, counted bool) *WatchedMatch {
	w := &WatchedMatch{ID: running.ID, Counted: counted, Chat: NewChat(running.ID, nil)}
	w.Narrator.Side = match.Nobody
	for side, p := range running.Players {
		w.Narrator.Names[side] = e.DisplayName(p)
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

// StateText says whose turn it is or who won. Before the first update, it is empty.
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
