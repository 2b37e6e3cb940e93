package play

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"broadside/internal/narrate"
	"broadside/lobby/review"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/live"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/term/colour"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// result shows how the match ended, how well both sides shot, and what to do next.
type result struct {
	*widget.Env
	match  *Match
	boards widget.Boards
	review session.Review
	// selected is the index of the selected suggestion.
	selected int
	// opened is zero once the player has pressed a key other than enter.
	opened time.Time
	// isSmall is set if there is no room for the blocks beside the boards. Then showsBoards selects the boards.
	isSmall     bool
	showsBoards bool
}

// newResult returns the result of a match. It keeps the board selection and scroll
// position of the battle. The result of a hot-seat match is for both players.
func newResult(m *Match) *result {
	r := &result{Env: m.Env, match: m, opened: time.Now(), boards: widget.Boards{Chosen: widget.EnemyBoard}}
	if m.hotSeat != nil {
		m.game = m.hotSeat.games[match.First]
	}
	if b, ok := m.page.(*battle); ok {
		r.boards = b.boards.Copy()
	}
	return r
}

// handleUpdate implements [page].
func (s *result) handleUpdate(*live.Update) tea.Cmd { return s.loadReview() }

// loadReview requests the match's review, which may arrive later.
func (s *result) loadReview() tea.Cmd {
	if !s.match.game.outcome.Stored || s.review.Ready {
		return nil
	}
	id := s.match.game.info.ID
	read := func(ctx context.Context) (session.Review, error) { return s.Session.Review(ctx, id) }
	return widget.Query(s.Env, read, func(review session.Review, err error) tea.Cmd {
		// Without a review, the result is shown without accuracies.
		if err == nil {
			s.review = review
		}
		return nil
	})
}

// worstMistakes returns the player's mistakes that cost most, if they are known.
func (s *result) worstMistakes() []review.Shot { return s.review.Sides[s.match.game.side].Costliest }

func (s *result) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.Pick:
		shots := s.worstMistakes()
		if msg.Item <= len(shots) {
			return s.Nav.OpenReplay(s.match.game.info.ID, shots[msg.Item-1].Turn)
		}
	case tea.KeyPressMsg:
		s.opened = time.Time{}
		n := len(s.suggestions())
		s.selected = widget.MoveInMenu(msg, min(s.selected, n-1), n)
	}
	return nil
}

// Sizes in cells.
const (
	// The minimum size of a terminal for blocks beside the boards.
	resultWidth, resultHeight = 80, 22
	// resultGapHeight is the minimum height for a blank line below the banner.
	resultGapHeight       = 36
	resultBlocksWidth     = 41
	resultWideBlocksWidth = 56
	resultSmallBoardWidth = 36
)

func (s *result) View(size widget.Size) widget.View {
	g := s.match.game
	// The match may be stored by now.
	if !g.outcome.Stored {
		s.State = s.Session.State()
		g.outcome = s.State.Outcome
	}
	s.isSmall = size.Width < resultWidth || size.Height < resultHeight
	switch {
	case s.isSmall && s.showsBoards:
		return s.boards.View(s.Env, size, s.scene(size))
	case s.isSmall:
		return s.summaryView(size)
	}
	margin, left := size.Margin(), resultBlocksWidth
	width := size.Width - 2*margin
	if size.Width >= 100 {
		left = resultWideBlocksWidth
	}
	one := width - margin - resultSmallBoardWidth
	if one-left < resultSmallBoardWidth {
		// Only one board fits beside the blocks.
		left = max(left, one)
	}
	header := s.bannerLines(size)
	var head []string
	if header == nil {
		head = append(s.headingLines(width), "")
	} else {
		size.Body -= len(header) - 1
		if size.Height >= resultGapHeight {
			head = []string{""}
		}
	}
	height := size.Body - len(head)
	blocks := s.blockColumn(left, height, header == nil)
	right := widget.Size{Width: width - left - margin, Height: size.Height, Body: height}
	panels := s.scene(size).Panels
	var boards []string
	if right.Width < 2*resultSmallBoardWidth {
		boards = board.StackPanels(board.Space{Width: right.Width, Height: height, Detail: s.Detail}, panels)
	}
	s.boards.ShowsOne = false
	if boards == nil {
		boards = s.boards.View(s.Env, right, board.Scene{Panels: panels}).Lines
	}
	// Blank lines keep the header above the blocks.
	boards = append(boards, make([]string, max(0, height-len(boards)))...)
	lines := text.Stack(0, head, text.JoinColumns(margin, blocks, boards))
	return widget.View{Lines: lines, Width: width, Header: header}
}

// bannerLines returns a banner with the result, or nil if there is no room for it or no winner.
func (s *result) bannerLines(size widget.Size) []string {
	v := &s.match.game.last.View
	if v.Winner == match.Nobody || s.match.game.outcome.Continues || !text.BannerFits(size.Width, size.Height, s.Detail) {
		return nil
	}
	word, colours := s.Lang.Text("VICTORY"), colour.Win0
	if s.match.hotSeat == nil && v.Winner != s.match.game.side {
		word, colours = s.Lang.Text("DEFEAT"), colour.Loss0
	}
	_, why := s.verdict()
	room := size.Width - text.LargeWordWidth(word) - 9
	beside := append(text.Wrap(why, room), s.shotCounts())
	rating := s.ratingChange()
	if rating != "" {
		beside = append(beside, ansi.Strip(rating))
	}
	lines := text.WordBanner(size.Width, word, colours, beside, s.Detail)
	if size.Height < 34 {
		lines = lines[:4]
	}
	return lines
}

// narrator returns the narrator of the result. At a shared terminal it addresses neither player.
func (s *result) narrator() *narrate.Narrator {
	if s.match.hotSeat != nil {
		return &narrate.Narrator{Side: match.Nobody, Names: s.match.hotSeat.playerNames()}
	}
	return &s.match.game.narrator
}

func (s *result) shotCounts() string {
	return s.narrator().ShotCounts(&s.match.game.last.View).Text(s.Lang)
}

// showNextPage shows the next page on a small terminal: the blocks, then the boards on one page or two.
func (s *result) showNextPage() {
	switch {
	case !s.showsBoards:
		s.showsBoards, s.boards.Chosen = true, widget.EnemyBoard
	case s.boards.ShowsOne && s.boards.Chosen == widget.EnemyBoard:
		s.boards.SwitchBoard()
	default:
		s.showsBoards = false
	}
}

// summaryView shows the result and the suggestions on a small terminal, without boards.
func (s *result) summaryView(size widget.Size) widget.View {
	head := s.headingLines(size.Width)
	room := size.Body - len(head)
	about, next := s.matchBlock(size.Width, true), s.suggestionsBlock(size.Width, room)
	left := room - len(next)
	if left < len(about) {
		about = about[:max(0, left)]
	} else if left > len(about) {
		head = append(head, "")
	}
	return widget.View{Lines: text.Stack(0, head, next, about), Width: size.Width}
}

// blockColumn returns the blocks about the match and what to do next, with the player's rating if rated is set.
// The costliest shots come last, because they are known late: then nothing moves while the player points
// at a suggestion.
func (s *result) blockColumn(width, height int, rated bool) []string {
	about := s.matchBlock(width, rated)
	height -= len(about) + 1
	if len(s.worstMistakes()) == 0 {
		return text.Stack(1, about, s.suggestionsBlock(width, height))
	}
	costly := s.mistakesBlock(width)
	return text.Stack(1, about, s.suggestionsBlock(width, height-len(costly)-1), costly)
}

// headingLines says how the match ended, in lines of at most width.
func (s *result) headingLines(width int) []string {
	verdict, why := s.verdict()
	return text.WrapStyled(" "+verdict+" "+why, width)
}

// verdict returns who won, and why.
func (s *result) verdict() (verdict, reason string) {
	g := s.match.game
	v := &g.last.View
	if g.outcome.Continues {
		reason = s.Lang.Text("The server is shutting down. Come back later to continue your match.")
		if g.seat.Code != "" {
			reason = s.Lang.Text("To continue your match later: ssh -t HOST resume %s", g.seat.Code)
		}
		return term.Warn.Render(s.Lang.Text("INTERRUPTED.")), reason
	}
	line := s.narrator().Verdict(v)
	verdict = text.ToneStyle(line.Tone).Render(strings.ToUpper(line.Full.Text(s.Lang)))
	return verdict, s.narrator().EndReason(v).Text(s.Lang)
}

// scene returns both fleets, with the result for small terminals.
func (s *result) scene(size widget.Size) board.Scene {
	g := s.match.game
	v := &g.last.View
	other := g.side.Other()
	heading := s.Lang.Text("Your fleet")
	if s.match.hotSeat != nil {
		heading = s.Lang.Text("%s's fleet", g.ownName)
	}
	own := newPanel(s.Lang, heading, board.NewFleetWithLastShots(v, g.side), &v.Charts[other])
	heading = s.Lang.Text("%s's fleet", g.opponent)
	theirs := newPanel(s.Lang, heading, board.NewFleetWithLastShots(v, other), &v.Charts[g.side])
	if v.Fleets[other] == nil {
		theirs.Heading = s.Lang.Text("Enemy waters") + " · " + g.opponent
		theirs.Board = board.NewAimedChart(&v.Charts[g.side], board.Nowhere, v.Last[g.side]...)
	}
	verdict, why := s.verdict()
	scene := board.Scene{Status: verdict + " " + why, Panels: []board.Panel{own, theirs}}
	rating := s.ratingChange()
	switch {
	case s.State.Offer != nil || g.seat.RematchOffered:
		scene.Brief = term.Good.Render(s.rematchNote())
	case g.seat.OpponentLeft:
		scene.Brief = term.Faint.Render(s.Lang.Text("%s left.", g.opponent))
	default:
		scene.Brief = size.FirstFitting(s.shotCounts()+"   "+rating, cmp.Or(rating, s.shotCounts()))
	}
	scene.Text = []string{scene.Brief}
	return scene
}

// warnings returns lines about unusual facts: a rating that stays, a dispute, a match that is not saved.
func (s *result) warnings() (lines []string) {
	g := s.match.game
	if g.outcome.IsRatingKept(g.side) {
		lines = append(lines, s.Lang.Text("Your rating stays the same: %s's rating is provisional.", g.opponent))
	}
	v := &g.last.View
	if v.Disputed[match.First] || v.Disputed[match.Second] {
		lines = append(lines, term.Warn.Render(s.Lang.Text("The match is disputed: results contradicted each other.")))
	}
	if s.Session.State().HasStore && s.match.hotSeat == nil && !g.outcome.Stored && !g.outcome.Continues {
		lines = append(lines, term.Warn.Render(s.Lang.Text("The server could not save this match yet and will try again.")))
	}
	return lines
}

// ratingChange describes how the player's rating changed. It is empty after a casual match.
func (s *result) ratingChange() string {
	g := s.match.game
	o := &g.outcome
	if !o.Rated {
		return ""
	}
	colour := term.Good
	if o.After[g.side] < o.Before[g.side] {
		colour = term.Bad
	}
	change := colour.Render(fmt.Sprintf("(%+.0f)", o.After[g.side]-o.Before[g.side]))
	return s.Lang.Text("Your rating: %s %s", term.Strong.Render(o.RatingText(g.side)), change)
}

// matchBlock compares both sides, with or without the player's rating.
func (s *result) matchBlock(width int, rated bool) []string {
	g := s.match.game
	v, other := &g.last.View, g.side.Other()
	b := widget.Block{Title: s.Lang.Text("The match"), Note: narrate.MinutesAndSeconds(v.Took)}
	wide := width >= resultWideBlocksWidth
	label, column := 13, 8
	if wide {
		label, column = 18, 16
	}
	row := func(name, own, theirs string) {
		b.Rows = append(b.Rows, widget.TextRow(term.Faint.Render(text.Pad(name, label))+text.Pad(own, column)+theirs))
	}
	row("", term.Strong.Render(cmp.Or(g.ownName, s.Lang.Text("you"))), g.opponent)
	if a, b := s.review.Sides[g.side], s.review.Sides[other]; a.Judged+b.Judged > 0 {
		row(s.Lang.Text("accuracy"), s.accuracyText(a, wide), s.accuracyText(b, wide))
	} else if g.outcome.Stored && !s.review.Ready {
		row(s.Lang.Text("accuracy"), "–", "–")
	}
	count := func(name string, own, theirs int) { row(name, s.Lang.Text("%d", own), s.Lang.Text("%d", theirs)) }
	count(s.Lang.Text("shots"), v.Charts[g.side].Fired, v.Charts[other].Fired)
	count(s.Lang.Text("ships left"), v.Charts[other].ShipsAfloat(), v.Charts[g.side].ShipsAfloat())
	score := g.outcome.Score
	if score[g.side]+score[other] > 1 {
		count(s.Lang.Text("matches won"), score[g.side], score[other])
	}
	rounds := narrate.RoundsAndTime(v).Text(s.Lang)
	if rounds != "" {
		b.Rows = append(b.Rows, widget.TextRow(rounds))
	}
	rating := s.ratingChange()
	if rated && rating != "" {
		b.Rows = append(b.Rows, widget.TextRow(rating))
	}
	for _, w := range s.warnings() {
		for _, l := range text.WrapStyled(w, width-4) {
			b.Rows = append(b.Rows, widget.TextRow(l))
		}
	}
	return b.Draw(width, len(b.Rows)+1)
}

// accuracyText formats a side's accuracy, with a bar if bar is set.
func (s *result) accuracyText(side review.Side, bar bool) string {
	switch {
	case side.Judged == 0:
		return "–"
	case !bar:
		return narrate.Percent(s.Lang, side.Accuracy)
	}
	const most = 5
	full := min(most, int(most*side.Accuracy+0.5))
	return text.Pad(narrate.Percent(s.Lang, side.Accuracy), 6) +
		term.Good.Render(strings.Repeat("■", full)) + term.Faint.Render(strings.Repeat("·", most-full))
}

// mistakesBlock lists the player's worst mistakes and says what accuracy means. A click opens the replay
// there.
func (s *result) mistakesBlock(width int) []string {
	b := widget.Block{Title: s.Lang.Text("Worst mistakes"), Note: s.Lang.Text("admiral's choice")}
	percent := func(x float64) string { return fmt.Sprintf("%5s", narrate.Percent(s.Lang, x)) }
	for i, c := range s.worstMistakes() {
		best := term.Good.Render(fmt.Sprintf("%-3s%s", c.Best, percent(c.BestOdds)))
		line := fmt.Sprintf("%3d %-3s%s ► ", c.Turn, c.Cell, percent(c.Odds)) + best
		cost := term.Bad.Render(s.Lang.Text("cost %.2f", c.Loss()))
		b.Rows = append(b.Rows, widget.Row{Text: line, Note: cost, Item: i + 1})
	}
	about := s.Lang.Text("Accuracy compares each shot with the best one. It is not the hit rate.")
	for _, l := range text.Wrap(about, width-4) {
		b.Rows = append(b.Rows, widget.TextRow(term.Faint.Render(l)))
	}
	return b.Draw(width, len(b.Rows)+1)
}

// Actions implements [widget.Screen].
func (s *result) Actions() []widget.Action {
	boards := s.boards.SwitchAction("tab")
	if s.isSmall {
		boards = widget.Action{Keys: "tab", Label: "boards", Do: widget.NoCommand(s.showNextPage)}
	}
	next := s.suggestions()
	all := []widget.Action{{Keys: "enter", Do: func() tea.Cmd {
		if time.Since(s.opened) < resultPause {
			return nil
		}
		return next[min(s.selected, len(next)-1)].Do()
	}}}
	for i, item := range next {
		all = append(all, item.Action)
		if i == 0 {
			all = append(all, boards, s.match.chatAction())
		}
	}
	noReplay := func() { s.Notice = s.Lang.Text("No replay of this match is available right now.") }
	return append(all,
		widget.Action{Keys: "v", Off: s.match.game.outcome.Stored, Do: widget.NoCommand(noReplay)},
		widget.HelpHint, widget.LeaveHint)
}
