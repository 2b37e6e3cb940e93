package play

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/narrate"
	"broadside/lobby/daily"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/term/colour"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// dailyScreen shows the daily sea: one chart to fire at, and the results of other players.
type dailyScreen struct {
	*widget.Env
	boards            widget.Boards
	view              daily.View
	standing          daily.Leaderboard
	standingRevision  int
	isLoaded          bool
	isWaitingForStore bool
	aim               widget.Aim
}

// dailyRows is the number of leaderboard rows to read.
const dailyRows = 10

// NewDaily returns the screen of the daily sea.
func NewDaily(env *widget.Env) widget.Screen {
	return &dailyScreen{Env: env, aim: widget.Aim{Cursor: widget.CenterCell(match.Classic())}}
}

// Init implements [widget.Initializer]. It reads the player's progress and the leaderboard.
func (s *dailyScreen) Init() tea.Cmd {
	s.isWaitingForStore, s.standingRevision = true, s.Lobby.DailyRevision
	open := func(ctx context.Context) (session.Daily, error) { return s.Session.OpenDaily(ctx, dailyRows) }
	return widget.Query(s.Env, open, func(d session.Daily, err error) tea.Cmd {
		if err == nil {
			s.applyProgress(d)
		} else if s.Nav.IsCurrent(s) {
			s.Nav.LeaveToLobby(s.ErrorText(err))
		}
		return nil
	})
}

// reloadStanding reads the leaderboard again after another player has finished.
func (s *dailyScreen) reloadStanding() tea.Cmd {
	s.standingRevision = s.Lobby.DailyRevision
	day := s.view.Day
	read := func(ctx context.Context) (daily.Leaderboard, error) {
		return s.Session.DailyLeaderboard(ctx, day, dailyRows)
	}
	return widget.Query(s.Env, read, func(standing daily.Leaderboard, err error) tea.Cmd {
		// If it failed, the previous leaderboard stays.
		if err == nil && day == s.view.Day {
			s.standing = standing
		}
		return nil
	})
}

// applyProgress applies the player's progress and the leaderboard.
func (s *dailyScreen) applyProgress(d session.Daily) {
	s.isLoaded, s.isWaitingForStore, s.view, s.standing = true, false, d.View, d.Leaderboard
}

// Subject implements [widget.Subject].
func (s *dailyScreen) Subject() any { return s.isWaitingForStore }

func (s *dailyScreen) Update(msg tea.Msg) tea.Cmd {
	aims := s.isLoaded && !s.view.Done
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if aims {
			s.aim.HandleKey(s.Env, msg.String(), s.view.Chart.Rules)
		}
	case widget.MouseEvent:
		if _, at, ok := s.boards.HighlightCell(msg); ok && aims && msg.Action == widget.MousePress && s.aim.Click(at) {
			return s.fire()
		}
	case session.Update:
		if s.isLoaded && s.Lobby.DailyRevision != s.standingRevision {
			return s.reloadStanding()
		}
	}
	return nil
}

// Actions implements [widget.Screen].
func (s *dailyScreen) Actions() []widget.Action {
	back := widget.Action{Keys: "esc q", Label: "lobby", Do: widget.NoCommand(func() {
		notice := ""
		n := len(s.view.Cells)
		if n > 0 && !s.view.Done && !s.view.Practice {
			notice = s.Lang.Text("%d shot fired: you can continue until midnight UTC.||%d shots fired: you can continue until midnight UTC.", n)
		}
		s.Nav.LeaveToLobby(notice)
	})}
	rules := s.view.Chart.Rules
	switch {
	case !s.isLoaded:
		return []widget.Action{back}
	case !s.view.Done:
		fire := widget.Action{Keys: "enter space", Label: "fire", Do: func() tea.Cmd {
			if !s.aim.ConfirmInput(s.Env, rules) {
				return nil
			}
			return s.fire()
		}}
		return append(s.aim.EditActions(rules), fire, widget.AimHint, widget.TypeHint(rules), widget.HelpHint, back)
	}
	again := widget.Action{Keys: "r", Label: "reload", Do: s.Init}
	if s.isWaitingForStore {
		again.Do = nil
	}
	if s.view.Practice {
		again.Label = "new fleet"
	} else if s.view.Day != daily.PuzzleDay(time.Now()) {
		again.Label = "today's sea"
	}
	return []widget.Action{again, s.CopyAction(s.shareLine()), back, widget.HelpHint}
}

// fire fires at the cell under the cursor, or shows why it cannot.
func (s *dailyScreen) fire() tea.Cmd {
	if s.isWaitingForStore {
		s.Notice = s.Lang.Text("Your shot is on its way.")
		return nil
	}
	why := narrate.WastedShotReason(&s.view.Chart, 1, s.aim.Cursor)
	if why.Key != "" {
		s.Notice = why.Text(s.Lang)
		return nil
	}
	at := s.aim.Cursor
	s.isWaitingForStore = true
	fire := func(ctx context.Context) (session.Daily, error) { return s.Session.FireDaily(ctx, at, dailyRows) }
	return widget.Query(s.Env, fire, func(d session.Daily, err error) tea.Cmd {
		s.applyProgress(d)
		s.CheckAction(err)
		return nil
	})
}

func (s *dailyScreen) View(size widget.Size) widget.View {
	if !s.isLoaded {
		return widget.View{Lines: []string{s.Lang.Text("Loading today's sea…")}}
	}
	if s.view.Done {
		return s.resultView(size)
	}
	heading := s.Lang.Text("DAILY SEA · %s", narrate.ShortDay(s.Lang, s.view.Day))
	if s.view.Practice {
		heading = s.Lang.Text("Practice: a fleet just for you")
	}
	chart := board.NewAimedChart(&s.view.Chart, s.aim.Cursor, s.lastShots()...)
	about := []string{s.Lang.Text("%d shot so far||%d shots so far", len(s.view.Cells))}
	for _, l := range text.Wrap(s.description(), size.Width-4) {
		about = append(about, term.Faint.Render(l))
	}
	v := s.boards.View(s.Env, size, board.Scene{
		Status: s.statusLine(), Panels: []board.Panel{newPanel(s.Lang, heading, chart, &s.view.Chart)},
		Text: about, Aside: s.leaderboardBlock(size, size.Height-6), Instead: about, Brief: about[0],
	})
	v.Mouse = true
	return v
}

// lastShots returns a slice with the last shot, or an empty one.
func (s *dailyScreen) lastShots() []match.Shot {
	log := s.view.Chart.Log
	return log[max(0, len(log)-1):]
}

// statusLine returns the last shot's result and the next step.
func (s *dailyScreen) statusLine() string {
	line := ""
	for _, shot := range s.lastShots() {
		line = term.Strong.Render(shot.Cell.String()+": "+narrate.ResultWithShip(&s.view.Chart, shot).Text(s.Lang)) + "  "
	}
	return line + s.aim.TargetText(s.Lang, &s.view.Chart) + s.aim.InputText(s.Lang)
}

func (s *dailyScreen) description() string {
	switch {
	case !s.view.Practice:
		return s.Lang.Text("One hidden fleet a day for everyone. One try, no clock. Fewest shots wins.")
	case !s.Session.State().HasStore:
		return s.Lang.Text("This server has no accounts, so results are not recorded.")
	}
	return s.Lang.Text("You are a guest, so this is practice. With an account you play today's sea.")
}

// resultView shows the player's result. The part to share comes first, as plain text with nothing beside it,
// so that it can be selected and copied.
func (s *dailyScreen) resultView(size widget.Size) (v widget.View) {
	verdict, rank := s.Lang.Text("YOU SANK THE ENTIRE FLEET."), ""
	if s.standing.Own.Place > 0 {
		rank = s.Lang.Text("Place %d of %d.", s.standing.Own.Place, s.standing.Finished)
	} else if s.standing.Done {
		rank = s.Lang.Text("Not ranked: accounts must be a week old and have five rated matches.")
	}
	var lines []string
	if text.BannerFits(size.Width, size.Height, s.Detail) {
		word := s.Lang.Text("VICTORY")
		beside := append([]string{verdict}, text.Wrap(rank, size.Width-text.LargeWordWidth(word)-9)...)
		v.Header = text.WordBanner(size.Width, word, colour.Win0, beside, s.Detail)
		size.Body -= len(v.Header) - 1
		lines = append(lines, "")
	} else {
		for _, l := range text.WrapStyled(term.Good.Render(verdict)+" "+rank, size.Width-3) {
			lines = append(lines, "   "+l)
		}
		lines = append(lines, "")
	}
	share := text.Wrap(s.shareLine(), size.Width-3)
	if size.Width >= wideResult {
		share = append(share, daily.BlockLines(daily.ResultBlocks(s.view.Results))...)
	}
	for _, l := range append(share, "") {
		lines = append(lines, "   "+l)
	}
	fleet, room := board.NewAimedChart(&s.view.Chart, board.Nowhere, s.lastShots()...), size.Body-len(lines)
	shots := s.Lang.Text("%d shot||%d shots", len(s.view.Cells))
	chart := board.StackPanels(board.Space{Width: size.Width - 6 - tableWidth, Height: room, Detail: s.Detail},
		[]board.Panel{{Heading: s.Lang.Text("Enemy waters"), Board: fleet, Note: shots}})
	if chart == nil {
		for _, l := range fleet.DrawBare(s.Detail) {
			chart = append(chart, "   "+l)
		}
	}
	beside := text.Stack(1, chart, s.leaderboardBlock(size, room))
	if size.Width >= wideResult {
		beside = text.JoinColumns(4, chart, s.leaderboardBlock(size, room))
	}
	v.Lines = append(lines, beside...)
	return v
}

// wideResult is the width of the narrowest screen with a block for each shot, and the leaderboard beside the chart.
const wideResult = 80

// shareLine returns the player's result as a line to copy. A practice fleet has no page.
func (s *dailyScreen) shareLine() string {
	address := s.PublicAddress("/daily/" + s.view.Day)
	if s.view.Practice {
		address = s.Lang.Text("(practice)")
	}
	return narrate.DailyLine(s.Lang, narrate.ShortDay(s.Lang, s.view.Day), daily.ResultBlocks(s.view.Results), address)
}

// tableWidth is the width of the leaderboard.
const tableWidth = 42

// leaderboardBlock returns the leaderboard and the player's streak, in at most room lines.
func (s *dailyScreen) leaderboardBlock(size widget.Size, room int) []string {
	d := &s.standing
	// There is no store, or it cannot be read.
	if d.Day == "" {
		return nil
	}
	width := min(tableWidth, size.Width)
	b := widget.Block{
		Title: s.Lang.Text("Best on %s", narrate.ShortDay(s.Lang, d.Day)), Note: s.Lang.Text("%d finished||%d finished", d.Finished),
	}
	line := func(style term.Style, content string) { b.Rows = append(b.Rows, widget.TextRow(style.Render(content))) }
	row := func(r daily.Row) {
		style := term.Plain
		if r.Own {
			style = term.Strong
		}
		line(style, fmt.Sprintf("%4d  %s%6d", r.Place, text.Pad(text.CleanName(r.Name), width-16), r.Shots))
	}
	best := d.Best[:min(len(d.Best), max(1, room-8))]
	for _, r := range best {
		row(r)
	}
	n := len(d.Newcomers)
	if n > 0 {
		line(term.Faint, s.Lang.Text("and %d not ranked", n))
	} else if len(best) == 0 {
		line(term.Faint, s.Lang.Text("no one yet"))
	}
	if d.Own.Place > len(best) {
		row(d.Own)
	}
	yesterday := s.Lang.Text("no one")
	if d.Yesterday.Place > 0 {
		yesterday = text.CleanName(d.Yesterday.Name) + ", " + s.Lang.Text("%d shot||%d shots", d.Yesterday.Shots)
	}
	b.Rows = append(b.Rows, widget.Row{}, widget.Row{Heading: s.Lang.Text("Previous day")})
	line(term.Plain, yesterday)
	if d.Own.Own {
		streak := s.Lang.Text("none yet")
		if d.Longest > 0 {
			streak = s.Lang.Text("%s, longest %d", s.Lang.Text("%d day||%d days", d.Streak), d.Longest)
		}
		b.Rows = append(b.Rows, widget.Row{}, widget.Row{Heading: s.Lang.Text("Your streak")})
		line(term.Plain, streak)
	}
	return b.Draw(width, len(b.Rows)+2)
}
