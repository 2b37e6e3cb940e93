package web

import (
	"net"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"broadside/internal/narrate"
	"broadside/internal/svg"
	"broadside/lobby/puzzle"
	"broadside/match"
)

// readPuzzles returns one of today's puzzles with a form for the answer, or with the odds if the address has an
// answer. Answers are not stored.
func (p *page) readPuzzles() (g.Node, error) {
	p.Title = p.translate("Puzzles")
	p.Description = p.translate("Find the shot that hits most likely. Five new positions a day, the same for everyone.")
	today, err := p.session.Puzzles(p.r.Context())
	if err != nil {
		return nil, err
	}
	content := g.Group{h.H1(g.Text(p.Title)), h.P(g.Text(p.Description))}
	if len(today.Puzzles) == 0 {
		return append(content, noteParagraph(p.translate("There are no puzzles yet. The server makes the first ones soon after its start."))), nil
	}
	n, _ := strconv.Atoi(p.r.URL.Query().Get("n"))
	n = min(max(n, 1), len(today.Puzzles))
	var tabs []tab
	for i := range today.Puzzles {
		number := strconv.Itoa(i + 1)
		tabs = append(tabs, tab{number, p.localizedPath("/puzzles?n=" + number), i+1 == n})
	}
	return append(content, tabList(p.Title, tabs), p.puzzleSection(&today.Puzzles[n-1], n)), nil
}

// puzzleSection returns today's puzzle number n with the answer in the address.
func (p *page) puzzleSection(x *puzzle.Puzzle, n int) g.Node {
	cell, note := strings.ToUpper(strings.TrimSpace(p.r.URL.Query().Get("cell"))), ""
	if cell != "" {
		at, err := match.ParseCell(cell)
		answered := *x
		if err == nil {
			answered, err = p.session.AnswerPuzzle(p.r.Context(), x.Number, at)
		}
		if err != nil {
			note = narrate.ErrorSentence(p.Lang, err)
		} else {
			x, note = &answered, narrate.PuzzleAnswer(p.Lang, &answered).Text(p.Lang)
		}
	}
	chart := &x.Chart
	b := svg.NewBoard(&match.View{Rules: chart.Rules, Charts: [2]match.Chart{*chart, *chart}}, match.First)
	if x.Answer != nil {
		showOdds(b, chart.OpenCells(), x.Answer.Odds)
	}
	command := narrate.ConnectCommand(net.JoinHostPort(p.sshAddress())) + " puzzle"
	return h.Section(h.Class("side"),
		g.Raw(svg.SeaSymbol(b.Size())),
		h.P(h.Class("line"), joinWithSpaces(p.textNode("Puzzle %d", n), noteSpan(narrate.RulesSummary(p.Lang, x.Rules())))),
		p.boardGrid(b, "board-0", p.translate("Puzzle %d", n)),
		noteParagraph(narrate.ShipsLeft(chart).Text(p.Lang)),
		g.If(note != "", h.P(h.Role("status"), g.Text(note))),
		g.If(x.Answer == nil, p.puzzleForm(n)),
		g.If(x.Answer != nil, noteParagraph(p.translate("The numbers are the odds of a ship, in percent."))),
		p.commandBox(p.translate("To count your answers and keep a streak, run this in a terminal"), command),
	)
}

// puzzleForm returns the form for an answer, which needs no JavaScript.
func (p *page) puzzleForm(n int) g.Node {
	hidden := func(name, value string) g.Node { return h.Input(h.Type("hidden"), h.Name(name), h.Value(value)) }
	return h.Form(h.Method("get"), h.Action("/puzzles"), h.Class("buttons"),
		hidden("n", strconv.Itoa(n)),
		g.If(p.hasLangInURL, hidden("lang", p.Lang.String())),
		h.Label(h.For("cell"), p.textNode("Your shot, such as B7:")),
		h.Input(h.ID("cell"), h.Name("cell"), h.Type("text"), h.MaxLength("4"), h.AutoComplete("off"), h.Required()),
		h.Button(h.Class("key"), h.Type("submit"), p.textNode("Fire")),
	)
}
