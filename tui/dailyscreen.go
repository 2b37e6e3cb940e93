package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/match"
	"broadside/tui/board"
)

// dailyScreen is the sea of the day: one chart to shoot at, and how others have
// done.
type dailyScreen struct {
	try      *lobby.DailyTry // nil until it is read
	view     lobby.DailyView
	standing lobby.DailyStanding
	at       match.Cell
	typing   typing
	busy     bool   // the disk has been asked, and has not answered yet
	said     string // what the last shot did
}

// dailyRows is how many of the best are read.
const dailyRows = 10

// toDaily goes to the sea of the day.
func (m *Model) toDaily() tea.Cmd {
	s := &dailyScreen{at: newBattleScreen(match.Classic()).at}
	m.screen = s
	return s.load(m)
}

// load reads how far the person is and how it stands.
func (s *dailyScreen) load(m *Model) tea.Cmd {
	me, practice := m.me, m.practice
	s.busy = true
	return m.later(s, func(ctx context.Context) func() tea.Cmd {
		try, err := practice, error(nil)
		if try == nil || me.Account != "" {
			try, err = m.hall.OpenDaily(ctx, me)
		}
		var standing lobby.DailyStanding
		if err == nil {
			standing = m.readStanding(ctx, me, try)
		}
		return func() tea.Cmd {
			if err != nil {
				m.toLobby(sentence(err))
				return nil
			}
			s.busy, s.said, s.standing = false, "", standing
			s.take(m, try)
			return nil
		}
	})
}

// readStanding reads how it stands with the day of a try. What cannot be read
// is not shown.
func (m *Model) readStanding(ctx context.Context, me lobby.Player, try *lobby.DailyTry) lobby.DailyStanding {
	shelf := m.hall.Store()
	if shelf == nil {
		return lobby.DailyStanding{}
	}
	d, err := lobby.ReadDaily(ctx, shelf, me.Account, try.View().Day, dailyRows)
	if err != nil && ctx.Err() == nil {
		m.log.Error("the table of the daily sea cannot be read", "error", err)
	}
	return d
}

// take goes on with a try. A guest finds theirs again as long as they stay.
func (s *dailyScreen) take(m *Model, try *lobby.DailyTry) {
	s.try, s.view = try, try.View()
	m.practice = nil
	if s.view.Practice && !s.view.Done {
		m.practice = try
	}
}

func (s *dailyScreen) key(m *Model, key string) tea.Cmd {
	switch key {
	case "ctrl+c":
		return tea.Quit
	case "q", "esc":
		notice := ""
		if n := len(s.view.Cells); n > 0 && !s.view.Done && !s.view.Practice {
			notice = plural(n, "shot", "shots") + " fired: come back and go on until midnight UTC."
		}
		m.toLobby(notice)
		return nil
	}
	if s.try == nil {
		return nil
	}
	if s.view.Done {
		if key == "r" && !s.busy {
			return s.load(m)
		}
		return nil
	}
	if at, ok := s.typing.key(key, s.at, s.view.Chart.Rules); ok {
		s.at = at
		return nil
	}
	if key == "enter" || key == "space" {
		return s.fire(m)
	}
	return nil
}

// fire shoots at the cell under the cursor, or says why not.
func (s *dailyScreen) fire(m *Model) tea.Cmd {
	switch {
	case s.busy:
		m.notice = "Your shot is on its way."
		return nil
	case s.view.Chart.Deduced.Has(s.at):
		m.notice = s.at.String() + " must be water, beside a sunk ship: choose another cell."
		return nil
	}
	me, try, at, standing := m.me, s.try, s.at, s.standing
	s.busy = true
	return m.later(s, func(ctx context.Context) func() tea.Cmd {
		next, err := try.Fire(ctx, at)
		if next.View().Done {
			standing = m.readStanding(ctx, me, next)
		}
		return func() tea.Cmd {
			s.busy, s.standing = false, standing
			s.take(m, next)
			if err != nil {
				m.notice = sentence(err)
				return nil
			}
			s.said = at.String() + ": " + told(s.view.Course[len(s.view.Course)-1])
			return nil
		}
	})
}

func (s *dailyScreen) draw(m *Model) []string {
	if s.try == nil {
		return []string{"Looking at today's sea …"}
	}
	if s.view.Done {
		return s.drawDone(m)
	}
	heading := "THE SEA OF " + s.view.Day
	if s.view.Practice {
		heading = "PRACTICE · a fleet of your own"
	}
	chart := chartBoard(&s.view.Chart, s.at, s.last())
	m.hovered(0, chart)
	about := []string{plural(len(s.view.Cells), "shot", "shots") + " so far", looks().faint.Render(s.about(m))}
	return m.showBoards(scene{status: s.status(), boards: []shown{{heading, chart, shipsLeft(&s.view.Chart)}}, text: about,
		aside: s.table(m.height - 6), instead: about})
}

// last is the last shot.
func (s *dailyScreen) last() match.Shot {
	n := len(s.view.Cells)
	if n == 0 {
		return match.Shot{}
	}
	return match.Shot{Cell: s.view.Cells[n-1], Result: s.view.Course[n-1], Number: n}
}

// status says what to do, and what the last shot did.
func (s *dailyScreen) status() string {
	t := looks()
	line := ""
	if s.said != "" {
		line += t.strong.Render(s.said) + "  "
	}
	line += t.good.Render("Fire") + " at " + t.strong.Render(s.at.String()) + " with enter."
	if typed := s.typing.shown(); typed != "" {
		line += "  Cell: " + typed
	}
	return line
}

// about says what this is.
func (s *dailyScreen) about(m *Model) string {
	switch {
	case !s.view.Practice:
		return "One hidden fleet a day for all, one try each. Fewest shots win. No clock."
	case m.hall.Store() == nil:
		return "This server keeps no accounts, so nothing is counted."
	}
	return "You are a guest: this counts for nothing. With an account you get today's sea."
}

// drawDone is the result: first what can be selected and copied, as plain text
// with nothing beside it.
func (s *dailyScreen) drawDone(m *Model) []string {
	t := looks()
	verdict := "   " + t.good.Render("THE WHOLE FLEET IS SUNK.")
	if s.standing.Own.Place > 0 {
		verdict += fmt.Sprintf(" Place %d of %d.", s.standing.Own.Place, s.standing.Finished)
	}
	share := lobby.Share(s.view.Day, lobby.Blocks(s.view.Course))
	if s.view.Practice {
		share[0] += " (practice)"
	}
	lines := []string{verdict, ""}
	for _, l := range share {
		lines = append(lines, "   "+l)
	}
	lines = append(lines, "")
	var chart []string
	for _, l := range chartBoard(&s.view.Chart, board.Nowhere, s.last()).Bare() {
		chart = append(chart, "   "+l)
	}
	return append(lines, m.columns(chart, s.table(m.height-4-len(lines)), 6)...)
}

// tableWidth is the width of the table of the best.
const tableWidth = 36

// table is how others have done, and the person's streak, in at most so many
// lines.
func (s *dailyScreen) table(room int) []string {
	t := looks()
	d := &s.standing
	if d.Day == "" { // nothing is kept, or it cannot be read
		return nil
	}
	row := func(r lobby.DailyRow) string {
		text := fmt.Sprintf("%4d  %s", r.Place, pad(clean(r.Name, nameWidth), nameWidth)) + fmt.Sprintf("%5d", r.Shots)
		if r.Own {
			return t.strong.Render(text)
		}
		return text
	}
	lines := []string{pad(t.strong.Render("Best of "+d.Day)+t.faint.Render(fmt.Sprintf("  %d done", d.Finished)), tableWidth)}
	best := d.Best[:min(len(d.Best), max(1, room-8))]
	for _, r := range best {
		lines = append(lines, row(r))
	}
	if len(best) == 0 {
		lines = append(lines, t.faint.Render("  nobody yet"))
	}
	if d.Own.Place > len(best) {
		lines = append(lines, row(d.Own))
	}
	yesterday := t.faint.Render("  nobody")
	if d.Yesterday.Place > 0 {
		yesterday = "  " + clean(d.Yesterday.Name, nameWidth) + ", " + plural(d.Yesterday.Shots, "shot", "shots")
	}
	lines = append(lines, "", t.strong.Render("The day before"), yesterday)
	if d.Own.Own {
		lines = append(lines, "", t.strong.Render("Your streak"), fmt.Sprintf("  %s, the longest %d", plural(d.Streak, "day", "days"), d.Longest))
	}
	return lines
}

func (s *dailyScreen) hints(*Model) []string {
	switch {
	case s.try == nil:
		return []string{"esc", "lobby"}
	case !s.view.Done:
		return []string{"↑↓←→ hjkl", "aim", "B7", "name a cell", "enter", "fire", "?", "help", "esc", "lobby"}
	case s.view.Practice:
		return []string{"r", "another one", "esc", "lobby", "?", "help"}
	case s.view.Day != lobby.Today(time.Now()):
		return []string{"r", "today's sea", "esc", "lobby", "?", "help"}
	}
	return []string{"r", "read again", "esc", "lobby", "?", "help"}
}
