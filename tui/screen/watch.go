package screen

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// watchScreen shows a match between other players: both charts, and the fleets once it has
// ended.
type watchScreen struct {
	*widget.Env
	id     string
	boards widget.Boards
	input  widget.ChatInput
}

// NewWatch returns the spectator screen of a match.
func NewWatch(env *widget.Env, id string) widget.Screen {
	return &watchScreen{Env: env, id: id, boards: widget.Boards{Chosen: widget.EnemyBoard}, input: widget.ChatInput{Env: env}}
}

// watchedMatch returns the match, or nil until it is available.
func (s *watchScreen) watchedMatch() *widget.WatchedMatch {
	w := s.Watched
	if w != nil && w.ID == s.id {
		return w
	}
	return nil
}

// WatchTarget implements [widget.MatchSpectator]. A spectator of a running match counts as
// looking even when idle.
func (s *watchScreen) WatchTarget() widget.WatchTarget {
	w := s.watchedMatch()
	return widget.WatchTarget{ID: s.id, Counted: true, KeepsFeatured: !s.Idle || w == nil || !w.IsOver()}
}

// Subject implements [widget.Subject].
func (s *watchScreen) Subject() any { return s.nextMatch().ID }

// ShownRules implements [widget.RulesScreen].
func (s *watchScreen) ShownRules() match.Rules {
	w := s.watchedMatch()
	if w != nil {
		return w.Last.View.Rules
	}
	return s.Settings.Rules
}

// NextTick implements [widget.Ticker].
func (s *watchScreen) NextTick(now time.Time) time.Duration {
	w := s.watchedMatch()
	if w == nil {
		return 0
	}
	next := widget.TimeToClockChange(now, w.Last.AwayUntil[0], w.Last.AwayUntil[1])
	if w.Last.View.Phase == match.Battle {
		next = widget.ShorterWait(next, widget.TimeToClockChange(now, w.Last.Deadline))
	}
	_, until := w.Chat.NewestLine(s.Env, now)
	return widget.ShorterWait(next, until.Sub(now))
}

// Typing implements [widget.Typist].
func (s *watchScreen) Typing() widget.Typing {
	if s.input.IsOpen() {
		return widget.AllText
	}
	return widget.NoText
}

func (s *watchScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		if s.input.IsOpen() {
			return s.input.Update(msg)
		}
	case session.Update:
		w := s.watchedMatch()
		if w != nil && msg.Kind == session.WatchChanged && msg.ID == s.id && !msg.Match.Missed && !s.Settings.NoAnimation {
			return s.boards.AnimateShots(s.Ctx, msg.Match.Events, [2]int{match.First: 0, match.Second: 1})
		}
	}
	return nil
}

// Actions implements [widget.Screen].
func (s *watchScreen) Actions() []widget.Action {
	if s.input.IsOpen() {
		return s.input.Actions()
	}
	next := widget.Action{Keys: "right l tab enter", Cap: "→", Label: "next match", Do: s.openNextMatch}
	actions := []widget.Action{
		widget.ChatAction(func() {
			s.input.Chat = s.watchedMatch().Chat
			s.input.Open()
		}), s.boards.SwitchAction("tab"), next,
		{Keys: "w", Label: "matches", Do: func() tea.Cmd { return s.Nav.Replace(NewMatchList(s.Env, s.id)) }},
		{Keys: "esc q backspace", Label: "lobby", Do: widget.NoCommand(s.Nav.GoBack)},
		widget.HelpHint,
	}
	actions[0].Off = s.watchedMatch() == nil
	return actions
}

// openNextMatch shows the next match.
func (s *watchScreen) openNextMatch() tea.Cmd {
	next := s.nextMatch()
	if next.ID == "" {
		s.Notice = s.Lang.Text("There is no other match to watch right now.")
		return nil
	}
	return s.Nav.Replace(NewWatch(s.Env, next.ID))
}

// nextMatch returns the match after this one in the list.
func (s *watchScreen) nextMatch() lobby.RunningMatch {
	all := WatchableMatches(s.Lobby)
	i := slices.IndexFunc(all, func(r lobby.RunningMatch) bool { return r.ID == s.id })
	if i >= 0 {
		all = slices.Concat(all[i+1:], all[:i])
	}
	if len(all) == 0 {
		return lobby.RunningMatch{}
	}
	return all[0]
}

func (s *watchScreen) View(size widget.Size) widget.View {
	g := s.watchedMatch()
	if g == nil || g.UpdatedAt.IsZero() {
		return widget.View{Lines: []string{"", text.Center(s.Lang.Text("Loading the match…"), size.Width)}}
	}
	u := &g.Last
	v := &u.View
	status := g.StateText(s.Lang)
	if v.Phase == match.Over {
		status += " " + g.Narrator.EndReason(v).Text(s.Lang)
	} else {
		if !u.Deadline.IsZero() && v.Phase == match.Battle {
			status += "  " + term.Strong.Render(narrate.TimeLeft(s.Lang, time.Until(u.Deadline)))
		}
		if u.Paused {
			status += term.Warn.Render("  " + s.Lang.Text("The match is paused."))
		}
		for side, name := range g.Narrator.Names {
			if u.Away[side] {
				away := s.Lang.Text("%s is away", name)
				at := u.AwayUntil[side]
				if !at.IsZero() {
					away = s.Lang.Text("%s is away and loses in %s", name, narrate.TimeLeft(s.Lang, time.Until(at)))
				}
				status += term.Warn.Render("  " + away)
			}
		}
	}
	var boards [2]board.Panel
	for side := match.First; side <= match.Second; side++ {
		heading := s.Lang.Text("%s's waters", g.Narrator.Names[side])
		if v.Fleets[side] != nil {
			heading = s.Lang.Text("%s's fleet", g.Narrator.Names[side])
		}
		boards[side] = board.Panel{Heading: heading, Board: g.Board(side), Note: narrate.ShipsAfloat(s.Lang, &v.Charts[side.Other()]), Chart: &v.Charts[side.Other()]}
	}
	var lines []string
	brief := g.Reports.Brief(s.Lang, size.Width, narrate.Line{})
	boards[match.First].Text, boards[match.Second].Text = g.Reports.Lines(s.Lang, 34), g.Chat.LastLines(s.Env, 3, 30)
	if v.Phase == match.Over {
		boards[match.First].Text, boards[match.Second].Text = nil, nil
		lines = []string{strings.TrimSpace(g.Narrator.ShotCounts(v).Text(s.Lang) + " " + narrate.RoundsAndTime(v).Text(s.Lang)), s.nextMatchHint(size)}
		brief = lines[1]
	}
	pane := widget.Pane{Log: &g.Log, Names: g.Narrator.Names, Own: match.Nobody, Chat: g.Chat}
	view := s.boards.View(s.Env, size, board.Scene{Status: status, Panels: boards[:], Text: lines, Brief: brief,
		Pane: func(height int) []string { return pane.Lines(s.Env, height, s.Detail) }})
	view.Spectators = s.SpectatorCount(s.id)
	view.Input = s.input.View(size.Width - 2)
	view.Recent, _ = g.Chat.NewestLine(s.Env, time.Now())
	return view
}

// nextMatchHint returns text about what to watch after the match has ended.
func (s *watchScreen) nextMatchHint(size widget.Size) string {
	next := s.nextMatch()
	if next.ID == "" {
		return size.FirstFitting(s.Lang.Text("No other match is running. Press esc for the lobby."), s.Lang.Text("Press esc for the lobby."))
	}
	return size.FirstFitting(s.Lang.Text("Press → to watch %s next.", playerNames(s.Env, next)), s.Lang.Text("Press → to watch another match."))
}

// WatchableMatches returns the matches to watch: the running public ones, preceded by the featured one
// if it is not among them.
func WatchableMatches(in *lobby.Snapshot) []lobby.RunningMatch {
	featured, running := in.Featured, session.PublicMatches(in.Running)
	if featured.ID == "" || slices.ContainsFunc(running, func(r lobby.RunningMatch) bool { return r.ID == featured.ID }) {
		return running
	}
	return append([]lobby.RunningMatch{featured}, running...)
}

// playerNames returns the names of a match's players.
func playerNames(e *widget.Env, r lobby.RunningMatch) string {
	return e.DisplayName(r.Players[match.First]) + " – " + e.DisplayName(r.Players[match.Second])
}
