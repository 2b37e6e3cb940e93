package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/format"
)

// dailyScreen is the sea of the day: one chart to shoot at, and how others have
// done.
type dailyScreen struct {
	read     bool // view and standing are there
	view     session.DailyView
	standing session.DailyStanding
	at       match.Cell
	typing   typing
	click    click
	busy     bool         // the disk has been asked, and has not answered yet
	said     i18n.Message // what the last shot did
}

// dailyRows is how many of the best are read.
const dailyRows = 10

// toDaily goes to the sea of the day.
func (m *Model) toDaily() tea.Cmd {
	s := &dailyScreen{at: newBattleScreen(match.Classic()).at}
	m.screen = s
	return s.load(m)
}

// load reads how far the player is, and the leaderboard.
func (s *dailyScreen) load(m *Model) tea.Cmd {
	s.busy = true
	return m.later(s, func(ctx context.Context) func() tea.Cmd {
		d, err := session.Ask(ctx, m.own, session.OpenDaily{Rows: dailyRows})
		return func() tea.Cmd {
			if err != nil {
				m.toLobby(m.sentence(err))
				return nil
			}
			s.busy, s.said = false, i18n.Message{}
			s.take(d)
			return nil
		}
	})
}

// refresh reads the leaderboard once more, for somebody has finished.
func (s *dailyScreen) refresh(m *Model) tea.Cmd {
	if !s.read {
		return nil
	}
	ask := session.GetDailyStanding{Day: s.view.Day, Rows: dailyRows}
	return m.later(s, func(ctx context.Context) func() tea.Cmd {
		standing, err := session.Ask(ctx, m.own, ask)
		return func() tea.Cmd {
			if err == nil {
				s.standing = standing
			}
			return nil
		}
	})
}

// take takes in how far the player is.
func (s *dailyScreen) take(d session.Daily) {
	s.read, s.view, s.standing = true, d.View, d.Standing
}

func (s *dailyScreen) key(m *Model, key string) tea.Cmd {
	switch key {
	case "ctrl+c":
		return tea.Quit
	case "q", "esc":
		notice := ""
		if n := len(s.view.Cells); n > 0 && !s.view.Done && !s.view.Practice {
			notice = m.lang.Say("%d shots fired: come back and go on until midnight UTC.", n)
		}
		m.toLobby(notice)
		return nil
	}
	if !s.read {
		return nil
	}
	if s.view.Done {
		if key == "r" && !s.busy {
			return s.load(m)
		}
		return nil
	}
	if at, ok := s.typing.key(key, s.at, s.view.Chart.Rules); ok {
		s.at, s.click.aimed = at, true
		return nil
	}
	if (key == "enter" || key == "space") && s.typing.chosen(m, s.view.Chart.Rules) {
		return s.fire(m)
	}
	return nil
}

// fire shoots at the cell under the cursor, or says why not.
func (s *dailyScreen) fire(m *Model) tea.Cmd {
	switch {
	case s.busy:
		m.notice = m.lang.Say("Your shot is on its way.")
		return nil
	case s.view.Chart.Deduced.Has(s.at):
		m.notice = m.lang.Say("%s must be water, beside a sunk ship: choose another cell.", s.at.String())
		return nil
	}
	at := s.at
	s.busy = true
	return m.later(s, func(ctx context.Context) func() tea.Cmd {
		d, err := session.Ask(ctx, m.own, session.FireDaily{Cell: at, Rows: dailyRows})
		return func() tea.Cmd {
			s.busy = false
			s.take(d)
			if err != nil {
				m.notice = m.sentence(err)
				return nil
			}
			s.said = i18n.Mean("%s: %s", at.String(), phrase.Told(s.view.Course[len(s.view.Course)-1]))
			return nil
		}
	})
}

func (s *dailyScreen) draw(m *Model) []string {
	if !s.read {
		return []string{m.lang.Say("Looking at today's sea …")}
	}
	if s.view.Done {
		return s.drawDone(m)
	}
	heading := m.lang.Say("THE SEA OF %s", m.seaDay(s.view.Day))
	if s.view.Practice {
		heading = m.lang.Say("PRACTICE · a fleet of your own")
	}
	chart := board.Enemy(&s.view.Chart, s.at, s.last())
	m.hovered(0, chart)
	about := []string{m.lang.Say("%d shots so far", len(s.view.Cells)), looks().faint.Render(s.about(m))}
	return m.showBoards(board.Scene{Status: s.status(m), Panels: []board.Panel{{Heading: heading, Board: chart, Below: phrase.Afloat(m.lang, &s.view.Chart)}}, Text: about,
		Aside: s.table(m, m.height-6), Instead: about, Brief: about[0]})
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
func (s *dailyScreen) status(m *Model) string {
	t := looks()
	line := ""
	if said := s.said.In(m.lang); said != "" {
		line += t.strong.Render(said) + "  "
	}
	line += m.aims(&s.view.Chart, s.at, &s.typing)
	if typed := s.typing.shown(m.lang); typed != "" {
		line += "  " + typed
	}
	return line
}

// about says what this is.
func (s *dailyScreen) about(m *Model) string {
	switch {
	case !s.view.Practice:
		return m.lang.Say("One hidden fleet a day for all, one try each. Fewest shots win. No clock.")
	case !m.own.HasStore():
		return m.lang.Say("This server keeps no accounts, so nothing is counted.")
	}
	return m.lang.Say("You are a guest: this counts for nothing. With an account you get today's sea.")
}

// drawDone is the result: first what can be selected and copied, as plain text
// with nothing beside it.
func (s *dailyScreen) drawDone(m *Model) []string {
	t := looks()
	lines := []string{"   " + t.good.Render(m.lang.Say("THE WHOLE FLEET IS SUNK."))}
	if s.standing.Own.Place > 0 {
		lines[0] += " " + m.lang.Say("Place %d of %d.", s.standing.Own.Place, s.standing.Finished)
	} else if s.standing.Done {
		lines = append(lines, "   "+m.lang.Say("Not ranked: accounts must be a week old and have five rated matches."))
	}
	share := session.DailyShare(m.lang, s.view.Day, session.DailyBlocks(s.view.Course))
	if s.view.Practice {
		share[0] += " " + m.lang.Say("(practice)")
	}
	lines = append(lines, "")
	for _, l := range share {
		lines = append(lines, "   "+l)
	}
	lines = append(lines, "")
	var chart []string
	for _, l := range board.Enemy(&s.view.Chart, board.Nowhere, s.last()).Bare() {
		chart = append(chart, "   "+l)
	}
	return append(lines, format.Columns(m.width, chart, s.table(m, m.height-4-len(lines)), 6)...)
}

// seaDay is the day of a sea as people write it.
func (m *Model) seaDay(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return m.lang.Day(at)
}

// tableWidth is the width of the table of the best.
const tableWidth = 36

// table is how others have done, and the person's streak, in at most so many
// lines.
func (s *dailyScreen) table(m *Model, room int) []string {
	t := looks()
	d := &s.standing
	if d.Day == "" { // nothing is kept, or it cannot be read
		return nil
	}
	row := func(r session.DailyRow) string {
		text := fmt.Sprintf("%4d  %s", r.Place, format.Pad(format.Name(r.Name), format.NameWidth)) + fmt.Sprintf("%5d", r.Shots)
		if r.Own {
			return t.strong.Render(text)
		}
		return text
	}
	lines := []string{format.Pad(t.strong.Render(m.lang.Say("Best of %s", m.seaDay(d.Day)))+t.faint.Render("  "+m.lang.Say("%d done", d.Finished)), tableWidth)}
	best := d.Best[:min(len(d.Best), max(1, room-8))]
	for _, r := range best {
		lines = append(lines, row(r))
	}
	if n := len(d.Newcomers); n > 0 {
		lines = append(lines, t.faint.Render("  "+m.lang.Say("and %d not ranked", n)))
	} else if len(best) == 0 {
		lines = append(lines, t.faint.Render("  "+m.lang.Say("nobody yet")))
	}
	if d.Own.Place > len(best) {
		lines = append(lines, row(d.Own))
	}
	yesterday := t.faint.Render("  " + m.lang.Say("nobody"))
	if d.Yesterday.Place > 0 {
		yesterday = "  " + format.Name(d.Yesterday.Name) + ", " + m.lang.Say("%d shots", d.Yesterday.Shots)
	}
	lines = append(lines, "", t.strong.Render(m.lang.Say("The day before")), yesterday)
	if d.Own.Own {
		streak := t.faint.Render(m.lang.Say("none yet"))
		if d.Longest > 0 {
			streak = m.lang.Say("%s, the longest %d", m.lang.Say("%d days", d.Streak), d.Longest)
		}
		lines = append(lines, "", t.strong.Render(m.lang.Say("Your streak")), "  "+streak)
	}
	return lines
}

func (s *dailyScreen) hints(*Model) []i18n.Text {
	switch {
	case !s.read:
		return []i18n.Text{"esc", "lobby"}
	case !s.view.Done:
		return []i18n.Text{"↑↓←→ hjkl", "aim", "B7", "name a cell", "enter", "fire", "?", "help", "esc", "lobby"}
	case s.view.Practice:
		return []i18n.Text{"r", "another one", "esc", "lobby", "?", "help"}
	case s.view.Day != session.Today(time.Now()):
		return []i18n.Text{"r", "today's sea", "esc", "lobby", "?", "help"}
	}
	return []i18n.Text{"r", "read again", "esc", "lobby", "?", "help"}
}
