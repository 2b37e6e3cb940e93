package web

import (
	"context"
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/internal/svg"
	"broadside/internal/view"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/text"
)

// replayFrames is a finished match as frames. It must not be used by several goroutines.
type replayFrames struct {
	*text.Replay
	about store.Summary
}

// readReplayFrames returns the frames of the match in the address, without guests' names.
func (p *page) readReplayFrames() (*replayFrames, error) {
	m, err := p.session.MatchRecord(p.r.Context(), p.matchID())
	if err != nil {
		return nil, err
	}
	m.Summary = replaceGuestNames(m.Summary, p.translate("guest"))
	r, err := text.NewReplay(p.Lang, m)
	return &replayFrames{r, m.Summary}, err
}

// replayPage is a finished match's page.
type replayPage struct {
	sides  sides
	frames *replayFrames
	id     string
	frame  int
	// showsOdds is set if the board shows the odds of the next shot.
	showsOdds bool
	mistakes  []replayShot
}

// replayShot is a shot in a list, with its frame.
type replayShot struct {
	frame int
	text  string
}

// readReplay returns the replay of the match in the address.
func (p *page) readReplay() (g.Node, error) {
	c, err := p.readReplayFrames()
	if err != nil {
		return nil, err
	}
	q := p.r.URL.Query()
	n := c.Len() - 1
	if shot, err := strconv.Atoi(q.Get("shot")); err == nil {
		n = min(max(shot, 0), n)
	}
	var links [2]string
	for side, seat := range c.about.Seats {
		if seat.Player != "" {
			links[side] = p.profilePath(seat.Name)
		}
	}
	rp := replayPage{
		frames: c, id: p.matchID(), frame: n, showsOdds: q.Get("heat") == "1",
		sides: newSides(c.FrameView(n), c.Names(), links),
	}
	if rp.showsOdds {
		if hot, side, err := p.site.oddsBoard(p.r.Context(), c, n); err == nil && hot != nil {
			rp.sides.boards[side] = hot
		}
	}
	if review, err := p.session.RequestReview(p.r.Context(), rp.id); err == nil && review.Ready {
		rp.addReview(p, review)
	}
	p.Title = p.translate("%s – %s", rp.sides.names[0], rp.sides.names[1])
	p.Description = p.Title + ". " + c.EndingText()
	p.Unlisted = c.about.Private
	return rp.pageMarkup(p), nil
}

func (rp *replayPage) pageMarkup(p *page) g.Node {
	record, hot, shots := apiRoot+"/matches/"+rp.id, "", p.translate("Shots")
	if rp.showsOdds {
		hot = "1"
	}
	result, address := view.MatchResult(p.Lang, rp.frames.about), p.siteURL()+p.Path
	if rp.frames.about.Private {
		address = p.sshCommand()
	}
	about := rp.frames.about.RuleSet + " · " + view.FormatDateTime(p.Lang, rp.frames.about.EndTime())
	var turns []g.Node
	for i := range rp.frames.Len() {
		link := h.A(h.Href(rp.frameLink(p, i, rp.showsOdds)), currentAttr(i == rp.frame), g.Text(rp.frames.TurnText(i)))
		turns = append(turns, h.Li(link))
	}
	return h.Div(h.Data("replay", record), h.Data("frame", strconv.Itoa(rp.frame)), h.Data("hot", hot),
		h.H1(g.Text(view.MatchTitle(rp.sides.names))),
		h.P(h.Class("line"), joinWithSpaces(g.Text(rp.frames.EndingText()), noteSpan(about))),
		rp.sides.boardsMarkup(p),
		rp.controls(p),
		cardSection(shots, h.Ol(h.Class("log"), g.Attr("start", "0"), h.TabIndex("0"), h.Aria("label", shots),
			g.Attr("data-shots"), g.Group(turns))),
		g.If(len(rp.mistakes) > 0, cardSection(p.translate("Worst mistakes"), h.Ul(h.Class("matches"), g.Attr("data-costly"),
			g.Map(rp.mistakes, func(s replayShot) g.Node { return h.Li(linkOrText(rp.frameLink(p, s.frame, true), s.text)) })))),
		g.If(result != "", p.commandBox(p.translate("Result to share"), narrate.ShareLine(result, address))),
		h.P(h.Class("note"), linkOrText(record, p.translate("Match record as JSON"))),
	)
}

func (rp *replayPage) frameLink(p *page, frame int, hot bool) string {
	frame = min(max(frame, 0), rp.frames.Len()-1)
	path := "/m/" + rp.id + "?shot=" + strconv.Itoa(frame)
	if hot {
		path += "&heat=1"
	}
	return p.localizedPath(path)
}

// controls returns a replay's timeline and buttons.
func (rp *replayPage) controls(p *page) g.Node {
	last, position := rp.frames.Len()-1, p.translate("Position in the replay")
	step := func(name string, frame int, text string, attrs ...g.Node) g.Node {
		return h.A(h.Class("key"), h.Data("go", name), h.Href(rp.frameLink(p, frame, rp.showsOdds)), g.Group(attrs), g.Text(text))
	}
	return h.Section(h.Class("card controls"), h.Aria("label", position),
		h.P(h.Class("line"), joinWithSpaces(
			h.Span(h.Class("count"), g.Attr("data-count"), p.textNode("Shot %v of %v", rp.frame, last)),
			h.Span(g.Attr("data-status"), h.Role("status"), g.Text(rp.frames.TurnText(rp.frame))),
		)),
		h.Input(h.Type("range"), h.Min("0"), h.Max(strconv.Itoa(last)), h.Value(strconv.Itoa(rp.frame)),
			h.Aria("label", position), g.Attr("data-scrub"), hiddenAttr()),
		h.P(h.Class("buttons"), joinWithSpaces(
			step("first", 0, "⇤ "+p.translate("First")),
			step("back", rp.frame-1, "← "+p.translate("Back"), h.Rel("prev")),
			step("next", rp.frame+1, "→ "+p.translate("Next"), h.Rel("next")),
			step("last", last, "⇥ "+p.translate("Last")),
			h.Button(h.Class("key"), h.Type("button"), g.Attr("data-play"), hiddenAttr(), p.textNode("Play##replay")),
			h.Label(g.Attr("data-pace"), hiddenAttr(), joinWithSpaces(p.textNode("Speed"), speedChoice())),
			h.A(h.Class("key"), g.Attr("data-heat"), h.Href(rp.frameLink(p, rp.frame, !rp.showsOdds)),
				h.Aria("pressed", strconv.FormatBool(rp.showsOdds)), h.Role("button"), p.textNode("Odds")),
		)),
		h.P(h.Class("note"), joinWithSpaces(
			p.textNode("The odds are the strongest bot's estimate before the next shot: the chance, in percent, that a cell has a ship."),
			h.Span(g.Attr("data-keys"), hiddenAttr(),
				p.textNode("Keys: ← → one shot, ↑ ↓ ten shots, space to play or pause, a for odds.")),
		)),
	)
}

// speedChoice returns a choice whose values are the milliseconds between two turns.
func speedChoice() g.Node {
	return h.Select(
		h.Option(h.Value("2000"), g.Text("½×")),
		h.Option(h.Value("1000"), h.Selected(), g.Text("1×")),
		h.Option(h.Value("500"), g.Text("2×")),
		h.Option(h.Value("200"), g.Text("5×")),
	)
}

// addReview adds the accuracy of both players and their worst mistakes.
func (rp *replayPage) addReview(p *page, review session.Review) {
	percent := func(share float64) string { return narrate.Percent(p.Lang, share) }
	for side, r := range review.Sides {
		if r.Judged > 0 {
			rp.sides.accuracy[side] = percent(r.Accuracy)
		}
		for _, x := range r.Costliest {
			text := p.translate("%s at %s: %s. Best was %s: %s.", rp.sides.names[side], x.Cell, percent(x.Odds), x.Best, percent(x.BestOdds))
			rp.mistakes = append(rp.mistakes, replayShot{x.Turn - 1, text})
		}
	}
}

// oddsBoard returns the board that is fired at next, with the admiral's odds of a ship in each
// open cell. The board is nil if no shot follows or there are no odds.
func (s *Server) oddsBoard(ctx context.Context, c *replayFrames, n int) (*svg.Board, match.Side, error) {
	v := c.FrameView(n)
	if v.Phase != match.Battle {
		return nil, match.Nobody, nil
	}
	select {
	case s.adviceSlots <- struct{}{}:
		defer func() { <-s.adviceSlots }()
	case <-ctx.Done():
		return nil, match.Nobody, ctx.Err()
	}
	a := c.AdviceFunc(n)()
	side := v.Turn.Other()
	b := svg.NewBoard(v, side)
	if a.Odds == nil {
		return nil, side, nil
	}
	showOdds(b, v.Charts[v.Turn].OpenCells(), a.OddsAt)
	return b, side, nil
}

// showOdds shows the odds of a ship in each open cell.
func showOdds(b *svg.Board, open match.Set, odds func(match.Cell) float64) {
	hottest := 0.0
	for cell := range open.All() {
		hottest = max(hottest, odds(cell))
	}
	for cell := range open.All() {
		b.SetOdds(cell, odds(cell), hottest)
	}
}
