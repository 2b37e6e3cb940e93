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

// resultPage shows how the match ended, how well both sides shot, and what to do next.
type resultPage struct {
	*widget.Env
	match  *Match
	boards widget.Boards
	review session.Review
	// isRematchOffered is set once the player has offered another correspondence match.
	isRematchOffered bool
	// selected is the selected suggestion's index.
	selected int
	// opened is zero once the player has pressed a key other than enter.
	opened time.Time
	// isSmall is set if there is no room for the blocks beside the boards. Then showsBoards selects the boards.
	isSmall     bool
	showsBoards bool
}

// newResultPage returns the result page. It shows the same parts of the boards as the battle before. In a hot-seat
// match, it is for both players.
func newResultPage(m *Match) *resultPage {
	p := &resultPage{Env: m.Env, match: m, opened: time.Now(), boards: widget.Boards{Chosen: widget.EnemyBoard}}
	if m.hotSeat != nil {
		m.game = m.hotSeat.games[match.First]
	}
	if b, ok := m.page.(*battlePage); ok {
		p.boards = b.boards.Copy()
	}
	return p
}

// handleUpdate implements [page].
func (p *resultPage) handleUpdate(*live.Update) tea.Cmd { return p.loadReview() }

// loadReview requests the match's review, which may arrive later.
func (p *resultPage) loadReview() tea.Cmd {
	if !p.match.game.outcome.Stored || p.review.Ready {
		return nil
	}
	id := p.match.game.info.ID
	read := func(ctx context.Context) (session.Review, error) { return p.Session.RequestReview(ctx, id) }
	return widget.Query(p.Env, read, func(review session.Review, err error) tea.Cmd {
		// Without a review, the result is shown without accuracies.
		if err == nil {
			p.review = review
		}
		return nil
	})
}

// worstMistakes returns the player's mistakes that cost most, if they are known.
func (p *resultPage) worstMistakes() []review.Shot {
	return p.review.Sides[p.match.game.side].Costliest
}

func (p *resultPage) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.Pick:
		shots := p.worstMistakes()
		if msg.Item <= len(shots) {
			return p.Nav.OpenReplay(p.match.game.info.ID, shots[msg.Item-1].Turn)
		}
	case tea.KeyPressMsg:
		p.opened = time.Time{}
		n := len(p.suggestions())
		p.selected = widget.MoveInMenu(msg, min(p.selected, n-1), n)
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

func (p *resultPage) View(size widget.Size) widget.View {
	g := p.match.game
	// The match may be stored by now.
	if !g.outcome.Stored {
		p.State = p.Session.State()
		g.outcome = p.State.Outcome
	}
	p.isSmall = size.Width < resultWidth || size.Height < resultHeight
	switch {
	case p.isSmall && p.showsBoards:
		return p.boards.View(p.Env, size, p.scene(size))
	case p.isSmall:
		return p.summaryView(size)
	}
	// Where the line to copy does not fit above the bottom bar, it needs two lines of the body.
	brief, share := p.shareLine(), []string(nil)
	if text.Width(brief) > size.Width {
		share, brief = text.Wrap(" "+brief, size.Width-1), ""
		size.Body -= len(share)
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
	header := p.bannerLines(size)
	var head []string
	if header == nil {
		head = append(p.headingLines(width), "")
	} else {
		size.Body -= len(header) - 1
		if size.Height >= resultGapHeight {
			head = []string{""}
		}
	}
	height := size.Body - len(head)
	blocks := p.blockColumn(left, height, header == nil)
	right := widget.Size{Width: width - left - margin, Height: size.Height, Body: height}
	panels := p.scene(size).Panels
	var boards []string
	if right.Width < 2*resultSmallBoardWidth {
		boards = board.StackPanels(board.Space{Width: right.Width, Height: height, Detail: p.Detail}, panels)
	}
	p.boards.ShowsOne = false
	if boards == nil {
		boards = p.boards.View(p.Env, right, board.Scene{Panels: panels}).Lines
	}
	// Blank lines keep the header above the blocks.
	boards = append(boards, make([]string, max(0, height-len(boards)))...)
	lines := text.Stack(0, head, text.JoinColumns(margin, blocks, boards), share)
	return widget.View{Lines: lines, Width: width, Header: header, Brief: brief}
}

// bannerLines returns a banner with the result, or nil if there is no room for it or no winner.
func (p *resultPage) bannerLines(size widget.Size) []string {
	v := &p.match.game.last.View
	if v.Winner == match.Nobody || p.match.game.outcome.Continues || !text.BannerFits(size.Width, size.Height, p.Detail) {
		return nil
	}
	word, colours := p.Lang.Text("VICTORY"), colour.Win0
	if p.match.hotSeat == nil && v.Winner != p.match.game.side {
		word, colours = p.Lang.Text("DEFEAT"), colour.Loss0
	}
	_, why := p.verdict()
	room := size.Width - text.LargeWordWidth(word) - 9
	beside := append(text.Wrap(why, room), p.shotCounts())
	rating := p.ratingChange()
	if rating != "" {
		beside = append(beside, ansi.Strip(rating))
	}
	lines := text.WordBanner(size.Width, word, colours, beside, p.Detail)
	if size.Height < 34 {
		lines = lines[:4]
	}
	return lines
}

// narrator returns the result's narrator. At a shared terminal it addresses neither player.
func (p *resultPage) narrator() *narrate.Narrator {
	if p.match.hotSeat != nil {
		return &narrate.Narrator{Side: match.Nobody, Names: p.match.hotSeat.playerNames()}
	}
	return &p.match.game.narrator
}

func (p *resultPage) shotCounts() string {
	return p.narrator().ShotCounts(&p.match.game.last.View).Text(p.Lang)
}

// showNextPage shows the next page on a small terminal: the blocks, then the boards on one page or two.
func (p *resultPage) showNextPage() {
	switch {
	case !p.showsBoards:
		p.showsBoards, p.boards.Chosen = true, widget.EnemyBoard
	case p.boards.ShowsOne && p.boards.Chosen == widget.EnemyBoard:
		p.boards.SwitchBoard()
	default:
		p.showsBoards = false
	}
}

// summaryView shows the result and the suggestions on a small terminal, without boards.
func (p *resultPage) summaryView(size widget.Size) widget.View {
	head := p.headingLines(size.Width)
	room := size.Body - len(head)
	about, next := p.matchBlock(size.Width, true), p.suggestionsBlock(size.Width, room)
	left := room - len(next)
	if left < len(about) {
		about = about[:max(0, left)]
	} else if left > len(about) {
		head = append(head, "")
	}
	return widget.View{Lines: text.Stack(0, head, next, about), Width: size.Width, Brief: size.FirstFitting(p.shareLine(), "")}
}

// blockColumn returns the blocks about the match and what to do next, with the player's rating if rated is set.
// The mistakes come last, because they are known late: then nothing moves while the player points
// at a suggestion.
func (p *resultPage) blockColumn(width, height int, rated bool) []string {
	about := p.matchBlock(width, rated)
	height -= len(about) + 1
	if len(p.worstMistakes()) == 0 {
		return text.Stack(1, about, p.suggestionsBlock(width, height))
	}
	costly := p.mistakesBlock(width)
	return text.Stack(1, about, p.suggestionsBlock(width, height-len(costly)-1), costly)
}

// headingLines says how the match ended, in lines of at most width.
func (p *resultPage) headingLines(width int) []string {
	verdict, why := p.verdict()
	return text.WrapStyled(" "+verdict+" "+why, width)
}

// shareLine returns the result as a line to copy. It is empty if no one won.
func (p *resultPage) shareLine() string {
	g := p.match.game
	v := &g.last.View
	if v.Winner == match.Nobody || g.outcome.Continues {
		return ""
	}
	names := g.narrator.Names
	if p.match.hotSeat != nil {
		names = p.match.hotSeat.playerNames()
	} else {
		names[g.side] = text.CleanName(p.State.Me.Name)
	}
	result := narrate.MatchResult(p.Lang, names, v.Winner, v.Reason, v.Charts[v.Winner].Fired)
	return narrate.ShareLine(result, p.PublicAddress(p.State.MatchPath()))
}

// verdict returns who won, and why.
func (p *resultPage) verdict() (verdict, reason string) {
	g := p.match.game
	v := &g.last.View
	if g.outcome.Continues {
		reason = p.Lang.Text("The server is shutting down. Come back later to continue your match.")
		if g.seat.ResumeCode != "" {
			reason = p.Lang.Text("To continue your match later: ssh -t HOST resume %s", g.seat.ResumeCode)
		}
		return term.Warn.Render(p.Lang.Text("INTERRUPTED.")), reason
	}
	line := p.narrator().Verdict(v)
	verdict = text.ToneStyle(line.Tone).Render(strings.ToUpper(line.Full.Text(p.Lang)))
	return verdict, p.narrator().EndReason(v).Text(p.Lang)
}

// scene returns both fleets, with the result for small terminals.
func (p *resultPage) scene(size widget.Size) board.Scene {
	g := p.match.game
	v := &g.last.View
	other := g.side.Other()
	heading := p.Lang.Text("Your fleet")
	if p.match.hotSeat != nil {
		heading = p.Lang.Text("%s's fleet", g.ownName)
	}
	own := newPanel(p.Lang, heading, board.NewFleetWithLastShots(v, g.side), &v.Charts[other])
	heading = p.Lang.Text("%s's fleet", g.opponent)
	theirs := newPanel(p.Lang, heading, board.NewFleetWithLastShots(v, other), &v.Charts[g.side])
	if v.Fleets[other] == nil {
		theirs.Heading = p.Lang.Text("Enemy waters") + " · " + g.opponent
		theirs.Board = board.NewAimedChart(&v.Charts[g.side], board.Nowhere, v.Last[g.side]...)
	}
	verdict, why := p.verdict()
	scene := board.Scene{Status: verdict + " " + why, Panels: []board.Panel{own, theirs}}
	rating := p.ratingChange()
	switch {
	case p.State.Offer != nil || g.seat.RematchOffered:
		scene.Brief = term.Good.Render(p.rematchNote())
	case g.seat.OpponentLeft:
		scene.Brief = term.Faint.Render(p.Lang.Text("%s left.", g.opponent))
	default:
		scene.Brief = size.FirstFitting(p.shotCounts()+"   "+rating, cmp.Or(rating, p.shotCounts()))
	}
	scene.Text = []string{scene.Brief}
	return scene
}

// warnings returns lines about unusual facts: a rating that stays, a dispute, a match that is not saved.
func (p *resultPage) warnings() (lines []string) {
	g := p.match.game
	if g.outcome.IsRatingKeptForProvisional(g.side) {
		lines = append(lines, p.Lang.Text("Your rating stays the same: %s's rating is provisional.", g.opponent))
	}
	v := &g.last.View
	if v.Disputed[match.First] || v.Disputed[match.Second] {
		lines = append(lines, term.Warn.Render(p.Lang.Text("The match is disputed: results contradicted each other.")))
	}
	if p.Session.State().HasStore && p.match.hotSeat == nil && !g.outcome.Stored && !g.outcome.Continues {
		lines = append(lines, term.Warn.Render(p.Lang.Text("The server could not save this match yet and will try again.")))
	}
	return lines
}

// ratingChange describes how the player's rating changed. It is empty after a casual match.
func (p *resultPage) ratingChange() string {
	g := p.match.game
	o := &g.outcome
	if !o.Rated {
		return ""
	}
	colour := term.Good
	if o.After[g.side] < o.Before[g.side] {
		colour = term.Bad
	}
	change := colour.Render(fmt.Sprintf("(%+.0f)", o.After[g.side]-o.Before[g.side]))
	return p.Lang.Text("Your rating: %s %s", term.Strong.Render(o.RatingText(g.side)), change)
}

// matchBlock compares both sides, with or without the player's rating.
func (p *resultPage) matchBlock(width int, rated bool) []string {
	g := p.match.game
	v, other := &g.last.View, g.side.Other()
	b := widget.Block{Title: p.Lang.Text("The match"), Note: narrate.MinutesAndSeconds(v.Took)}
	wide := width >= resultWideBlocksWidth
	label, column := 13, 8
	if wide {
		label, column = 18, 16
	}
	row := func(name, own, theirs string) {
		b.Rows = append(b.Rows, widget.TextRow(term.Faint.Render(text.Pad(name, label))+text.Pad(own, column)+theirs))
	}
	row("", term.Strong.Render(cmp.Or(g.ownName, p.Lang.Text("you"))), g.opponent)
	if a, b := p.review.Sides[g.side], p.review.Sides[other]; a.Judged+b.Judged > 0 {
		row(p.Lang.Text("accuracy"), p.accuracyText(a, wide), p.accuracyText(b, wide))
	} else if g.outcome.Stored && !p.review.Ready {
		row(p.Lang.Text("accuracy"), "–", "–")
	}
	count := func(name string, own, theirs int) { row(name, p.Lang.Text("%d", own), p.Lang.Text("%d", theirs)) }
	count(p.Lang.Text("shots"), v.Charts[g.side].Fired, v.Charts[other].Fired)
	count(p.Lang.Text("ships left"), v.Charts[other].ShipsAfloat(), v.Charts[g.side].ShipsAfloat())
	score := g.outcome.Score
	if score[g.side]+score[other] > 1 {
		count(p.Lang.Text("matches won"), score[g.side], score[other])
	}
	rounds := narrate.RoundsAndTime(v).Text(p.Lang)
	if rounds != "" {
		b.Rows = append(b.Rows, widget.TextRow(rounds))
	}
	rating := p.ratingChange()
	if rated && rating != "" {
		b.Rows = append(b.Rows, widget.TextRow(rating))
	}
	for _, w := range p.warnings() {
		for _, l := range text.WrapStyled(w, width-4) {
			b.Rows = append(b.Rows, widget.TextRow(l))
		}
	}
	return b.Draw(width, len(b.Rows)+1)
}

// accuracyText formats a side's accuracy, with a bar if bar is set.
func (p *resultPage) accuracyText(side review.Side, bar bool) string {
	switch {
	case side.Judged == 0:
		return "–"
	case !bar:
		return narrate.Percent(p.Lang, side.Accuracy)
	}
	const most = 5
	full := min(most, int(most*side.Accuracy+0.5))
	return text.Pad(narrate.Percent(p.Lang, side.Accuracy), 6) +
		term.Good.Render(strings.Repeat("■", full)) + term.Faint.Render(strings.Repeat("·", most-full))
}

// mistakesBlock lists the player's worst mistakes and says what accuracy means. A click opens the replay
// there.
func (p *resultPage) mistakesBlock(width int) []string {
	b := widget.Block{Title: p.Lang.Text("Worst mistakes"), Note: p.Lang.Text("admiral's choice")}
	percent := func(x float64) string { return fmt.Sprintf("%5s", narrate.Percent(p.Lang, x)) }
	for i, c := range p.worstMistakes() {
		best := term.Good.Render(fmt.Sprintf("%-3s%s", c.Best, percent(c.BestOdds)))
		line := fmt.Sprintf("%3d %-3s%s ► ", c.Turn, c.Cell, percent(c.Odds)) + best
		cost := term.Bad.Render(p.Lang.Text("cost %.2f", c.Loss()))
		b.Rows = append(b.Rows, widget.Row{Text: line, Note: cost, Item: i + 1})
	}
	about := p.Lang.Text("Accuracy compares each shot with the best one. It is not the hit rate.")
	for _, l := range text.Wrap(about, width-4) {
		b.Rows = append(b.Rows, widget.TextRow(term.Faint.Render(l)))
	}
	return b.Draw(width, len(b.Rows)+1)
}

// Actions implements [widget.Screen].
func (p *resultPage) Actions() []widget.Action {
	boards := p.boards.SwitchAction("tab")
	if p.isSmall {
		boards = widget.Action{Keys: "tab", Label: "boards", Do: widget.NoCommand(p.showNextPage)}
	}
	next := p.suggestions()
	all := []widget.Action{{Keys: "enter", Do: func() tea.Cmd {
		if time.Since(p.opened) < resultPause {
			return nil
		}
		return next[min(p.selected, len(next)-1)].Do()
	}}}
	last := len(next) - 1
	// The bottom line has room for few actions, and the suggestions between the first and the last are on the page.
	first := min(1, last)
	for _, item := range next[:first] {
		all = append(all, item.Action)
	}
	all = append(all, boards, p.match.chatAction(), next[last].Action, p.CopyAction(p.shareLine()))
	for _, item := range next[first:last] {
		all = append(all, item.Action)
	}
	noReplay := func() { p.Notice = p.Lang.Text("No replay of this match is available right now.") }
	return append(all,
		widget.Action{Keys: "v", Off: p.match.game.outcome.Stored, Do: widget.NoCommand(noReplay)},
		widget.HelpHint, widget.LeaveHint)
}
