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

// course is a finished match as frames. It is not safe for concurrent use.
type course struct {
	*text.Replay
	about store.Summary
}

// course returns the frames of the match in the address. Guests have no name.
func (p *page) course() (*course, error) {
	m, err := p.session.MatchRecord(p.r.Context(), p.id())
	if err != nil {
		return nil, err
	}
	m.Summary = nameGuests(m.Summary, p.T("guest"))
	r, err := text.NewReplay(p.Lang, m)
	return &course{r, m.Summary}, err
}

// replayPage is the page of a finished match.
type replayPage struct {
	sides
	*course
	id    string
	frame int
	hot   bool // with the odds of the next shot
	worst []replayShot
}

// replayShot is a shot in a list, with its frame.
type replayShot struct {
	frame int
	text  string
}

// replay returns the replay of the match in the address.
func (p *page) replay() (g.Node, error) {
	c, err := p.course()
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
			links[side] = p.Profile(seat.Name)
		}
	}
	b := replayPage{
		course: c, id: p.id(), frame: n, hot: q.Get("heat") == "1",
		sides: newSides(c.FrameView(n), c.Names(), links),
	}
	if b.hot {
		if hot, side, err := p.server.heat(p.r.Context(), c, n); err == nil && hot != nil {
			b.boards[side] = hot
		}
	}
	if review, err := p.session.Review(p.r.Context(), b.id); err == nil && review.Ready {
		b.addReview(p, review)
	}
	p.Title = p.T("%s – %s", b.names[0], b.names[1])
	p.Description = p.Title + ". " + c.EndingText()
	p.Unlisted = c.about.Private
	return b.markup(p), nil
}

func (b *replayPage) markup(p *page) g.Node {
	record, hot, shots := apiRoot+"/matches/"+b.id, "", p.T("Shots")
	if b.hot {
		hot = "1"
	}
	var turns []g.Node
	for i := range b.Len() {
		turns = append(turns, h.Li(h.A(h.Href(b.link(p, i, b.hot)), current(i == b.frame), g.Text(b.TurnText(i)))))
	}
	return h.Div(h.Data("replay", record), h.Data("frame", strconv.Itoa(b.frame)), h.Data("hot", hot),
		h.H1(g.Text(versus(b.names))),
		h.P(h.Class("line"), spaced(g.Text(b.EndingText()), remark(b.about.RuleSet+" · "+view.FormatTime(p.Lang, b.about.EndTime())))),
		b.sides.markup(p),
		b.controls(p),
		card(shots, h.Ol(h.Class("log"), g.Attr("start", "0"), h.TabIndex("0"), h.Aria("label", shots),
			g.Attr("data-shots"), g.Group(turns))),
		g.If(len(b.worst) > 0, card(p.T("Worst mistakes"), h.Ul(h.Class("matches"), g.Attr("data-costly"),
			g.Map(b.worst, func(s replayShot) g.Node { return h.Li(link(b.link(p, s.frame, true), s.text)) })))),
		h.P(h.Class("note"), link(record, p.T("Record of the match as JSON"))),
	)
}

// link returns the address of a frame.
func (b *replayPage) link(p *page, frame int, hot bool) string {
	frame = min(max(frame, 0), b.Len()-1)
	path := "/m/" + b.id + "?shot=" + strconv.Itoa(frame)
	if hot {
		path += "&heat=1"
	}
	return p.Link(path)
}

// controls returns the timeline and the buttons of a replay.
func (b *replayPage) controls(p *page) g.Node {
	last, position := b.Len()-1, p.T("Position in the replay")
	step := func(name string, frame int, text string, attrs ...g.Node) g.Node {
		return h.A(h.Class("key"), h.Data("go", name), h.Href(b.link(p, frame, b.hot)), g.Group(attrs), g.Text(text))
	}
	return h.Section(h.Class("card controls"), h.Aria("label", position),
		h.P(h.Class("line"), spaced(
			h.Span(h.Class("count"), g.Attr("data-count"), p.text("Shot %v of %v", b.frame, last)),
			h.Span(g.Attr("data-status"), h.Role("status"), g.Text(b.TurnText(b.frame))),
		)),
		h.Input(h.Type("range"), h.Min("0"), h.Max(strconv.Itoa(last)), h.Value(strconv.Itoa(b.frame)),
			h.Aria("label", position), g.Attr("data-scrub"), hidden()),
		h.P(h.Class("buttons"), spaced(
			step("first", 0, "⇤ "+p.T("First")),
			step("back", b.frame-1, "← "+p.T("Back"), h.Rel("prev")),
			step("next", b.frame+1, "→ "+p.T("Next"), h.Rel("next")),
			step("last", last, "⇥ "+p.T("Last")),
			h.Button(h.Class("key"), h.Type("button"), g.Attr("data-play"), hidden(), p.text("Play##replay")),
			h.Label(g.Attr("data-pace"), hidden(), spaced(p.text("Speed"), pace())),
			h.A(h.Class("key"), g.Attr("data-heat"), h.Href(b.link(p, b.frame, !b.hot)),
				h.Aria("pressed", strconv.FormatBool(b.hot)), h.Role("button"), p.text("Odds")),
		)),
		h.P(h.Class("note"), spaced(
			p.text("The odds are the strongest bot's estimate, before the next shot, of the chance in percent that a cell has a ship."),
			h.Span(g.Attr("data-keys"), hidden(),
				p.text("Keys: ← → one shot, ↑ ↓ ten shots, space to play or pause, a for odds.")),
		)),
	)
}

// pace returns the choice of the milliseconds that each turn of a replay is shown.
func pace() g.Node {
	return h.Select(
		h.Option(h.Value("2000"), g.Text("½×")),
		h.Option(h.Value("1000"), h.Selected(), g.Text("1×")),
		h.Option(h.Value("500"), g.Text("2×")),
		h.Option(h.Value("200"), g.Text("5×")),
	)
}

// addReview adds the accuracy of both players and their worst mistakes.
func (b *replayPage) addReview(p *page, review session.Review) {
	percent := func(share float64) string { return narrate.Percent(p.Lang, share) }
	for side, r := range review.Sides {
		if r.Judged > 0 {
			b.accuracy[side] = percent(r.Accuracy)
		}
		for _, x := range r.Costliest {
			text := p.T("%s at %s: %s. Best was %s: %s.", b.names[side], x.Cell, percent(x.Odds), x.Best, percent(x.BestOdds))
			b.worst = append(b.worst, replayShot{x.Turn - 1, text})
		}
	}
}

// heat returns the board that is shot at next, with the admiral's odds of a ship in each
// open cell. The board is nil if nobody shoots next or there are no odds.
func (s *Server) heat(ctx context.Context, c *course, n int) (*svg.Board, match.Side, error) {
	v := c.FrameView(n)
	if v.Phase != match.Battle {
		return nil, match.Nobody, nil
	}
	select {
	case s.advice <- struct{}{}:
		defer func() { <-s.advice }()
	case <-ctx.Done():
		return nil, match.Nobody, ctx.Err()
	}
	a := c.AdviceFunc(n)()
	side := v.Turn.Other()
	b := svg.NewBoard(v, side)
	if a.Odds == nil {
		return nil, side, nil
	}
	open := v.Charts[v.Turn].Open()
	hottest := 0.0
	for cell := range open.All() {
		hottest = max(hottest, a.Of(cell))
	}
	for cell := range open.All() {
		b.SetOdds(cell, a.Of(cell), hottest)
	}
	return b, side, nil
}
