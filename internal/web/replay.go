package web

import (
	"context"
	"net/http"
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/internal/svg"
	"broadside/internal/web/feed"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/text"
)

// course is a finished match as frames. It is not safe for concurrent use.
type course struct {
	*text.Replay
	about store.Summary
	names [2]string
	moves bool // ships move
}

// course returns the frames of a finished match. It hides the names of guests.
func (s *Server) course(ctx context.Context, p *page, id string) (*course, error) {
	m, err := s.answers.record(ctx, id)
	if err != nil {
		return nil, err
	}
	c := &course{moves: m.Rules.Moving}
	for side := range m.Seats {
		c.names[side] = p.seatName(m.Summary, match.Side(side))
		m.Seats[side].Name = c.names[side]
	}
	c.about = m.Summary
	if c.Replay, err = text.NewReplay(p.Lang, m); err == nil {
		c.names = c.Names()
	}
	return c, err
}

// replayPage is the page of a finished match.
type replayPage struct {
	sides
	ID, Rules, Ended, Line, Ending string
	Frame, Last                    int
	First, Back, Next, End, Heat   string // links without JavaScript
	Hot                            bool
	Costly                         []replayShot
	Shots                          []replayShot
}

// replayShot is a turn in the list of a match.
type replayShot struct {
	Frame      int
	Text, Link string
}

// replay serves the page of a finished match.
func (s *Server) replay(w http.ResponseWriter, p *page, id string) {
	c, err := s.course(p.r.Context(), p, id)
	if err != nil {
		s.fail(w, p, err)
		return
	}
	q := p.r.URL.Query()
	n := c.Len() - 1
	if shot, err := strconv.Atoi(q.Get("shot")); err == nil {
		n = min(max(shot, 0), n)
	}
	b := replayPage{
		ID: id, Rules: c.about.RuleSet, Ended: p.Date(c.about.Ended()), Frame: n, Last: c.Len() - 1,
		Ending: c.Ending(), Hot: q.Get("heat") == "1", sides: sides{Names: c.names, Status: feed.StatusOf(c.View(n))},
	}
	for side, seat := range c.about.Seats {
		b.Links[side] = p.Profile(seat.Name, seat.Player != "")
	}
	b.Boards = c.boards(n)
	if b.Hot {
		if hot, side, err := s.heat(p.r.Context(), c, n); err == nil && hot != nil {
			b.Boards[side] = hot
		}
	}
	for i := range c.Len() {
		b.Shots = append(b.Shots, replayShot{i, c.TurnText(i), p.Link(frameLink(id, i, b.Hot))})
	}
	b.Line = b.Shots[n].Text
	b.First, b.Back = p.Link(frameLink(id, 0, b.Hot)), p.Link(frameLink(id, max(n-1, 0), b.Hot))
	b.Next, b.End = p.Link(frameLink(id, min(n+1, b.Last), b.Hot)), p.Link(frameLink(id, b.Last, b.Hot))
	b.Heat = p.Link(frameLink(id, n, !b.Hot))
	if review, err := s.answers.review(p.r.Context(), id); err == nil && review.Ready {
		b.addReview(p, review)
	}
	p.Title = p.T("%s – %s", c.names[0], c.names[1])
	p.Description = p.Title + ". " + b.Ending
	p.Unlisted = c.about.Private
	p.Body = b
	p.render(w, http.StatusOK)
}

func (b replayPage) markup(p *page) g.Node {
	record, hot := apiRoot+"/matches/"+b.ID, ""
	if b.Hot {
		hot = "1"
	}
	return h.Div(h.Data("replay", record), h.Data("frame", strconv.Itoa(b.Frame)), h.Data("hot", hot),
		h.H1(g.Text(versus(b.Names))),
		h.P(h.Class("line"), spaced(g.Text(b.Ending), remark(b.Rules+" · "+b.Ended))),
		b.sides.markup(p),
		b.controls(p),
		card(p.T("Shots"), h.Ol(h.Class("log"), g.Attr("start", "0"), h.TabIndex("0"), h.Aria("label", p.T("Shots")), g.Attr("data-shots"),
			g.Map(b.Shots, func(s replayShot) g.Node {
				return h.Li(h.A(h.Href(s.Link), current(s.Frame == b.Frame), g.Text(s.Text)))
			}))),
		g.If(len(b.Costly) > 0, card(p.T("Worst mistakes"), h.Ul(h.Class("matches"), g.Attr("data-costly"),
			g.Map(b.Costly, func(s replayShot) g.Node { return h.Li(link(s.Link, s.Text)) })))),
		h.P(h.Class("note"), link(record, p.T("Record of the match as JSON"))),
	)
}

// controls returns the timeline and the buttons of a replay.
func (b replayPage) controls(p *page) g.Node {
	return h.Section(h.Class("card controls"), h.Aria("label", p.T("Position in the replay")),
		h.P(h.Class("line"), spaced(
			h.Span(h.Class("count"), g.Attr("data-count"), p.text("Shot %v of %v", b.Frame, b.Last)),
			h.Span(g.Attr("data-status"), h.Role("status"), g.Text(b.Line)),
		)),
		h.Input(h.Type("range"), h.Min("0"), h.Max(strconv.Itoa(b.Last)), h.Value(strconv.Itoa(b.Frame)), h.Aria("label", p.T("Position in the replay")), g.Attr("data-scrub"), hidden()),
		h.P(h.Class("buttons"), spaced(
			step("first", b.First, "⇤ "+p.T("First")),
			step("back", b.Back, "← "+p.T("Back"), h.Rel("prev")),
			step("next", b.Next, "→ "+p.T("Next"), h.Rel("next")),
			step("last", b.End, "⇥ "+p.T("Last")),
			h.Button(h.Class("key"), h.Type("button"), g.Attr("data-play"), hidden(), p.text("Play##replay")),
			h.Label(g.Attr("data-pace"), hidden(), spaced(p.text("Speed"), pace())),
			h.A(h.Class("key"), g.Attr("data-heat"), h.Href(b.Heat), h.Aria("pressed", strconv.FormatBool(b.Hot)), h.Role("button"), p.text("Odds")),
		)),
		h.P(h.Class("note"), spaced(p.text("The odds are the strongest bot's estimate, before the next shot, of the chance in percent that a cell has a ship."), h.Span(g.Attr("data-keys"), hidden(), p.text("Keys: ← → one shot, ↑ ↓ ten shots, space to play or pause, a for odds.")))),
	)
}

// step returns a link to another turn of a replay.
func step(to, address, text string, attrs ...g.Node) g.Node {
	return h.A(h.Class("key"), h.Data("go", to), h.Href(address), g.Group(attrs), g.Text(text))
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

// addReview adds the accuracy of both players and their costliest shots.
func (b *replayPage) addReview(p *page, review session.Review) {
	for side, r := range review.Sides {
		if r.Judged > 0 {
			b.Accuracy[side] = narrate.Percent(p.Lang, r.Accuracy)
		}
		for _, x := range r.Costliest {
			text := p.T("%s at %s: %s. Best was %s: %s.", b.Names[side], x.Cell, narrate.Percent(p.Lang, x.Odds), x.Best, narrate.Percent(p.Lang, x.BestOdds))
			b.Costly = append(b.Costly, replayShot{x.Turn - 1, text, p.Link(frameLink(b.ID, x.Turn-1, true))})
		}
	}
}

// frameLink returns the path of a frame.
func frameLink(id string, n int, hot bool) string {
	link := "/m/" + id + "?shot=" + strconv.Itoa(n)
	if hot {
		link += "&heat=1"
	}
	return link
}

// boards returns both boards of a frame.
func (c *course) boards(n int) (b [2]*svg.Board) {
	for side := range b {
		b[side] = svg.NewBoard(c.View(n), match.Side(side))
	}
	return b
}

// heat returns the board that is shot at next, with the admiral's odds of a ship in each
// open cell. The board is nil if nobody shoots next or there are no odds.
func (s *Server) heat(ctx context.Context, c *course, n int) (*svg.Board, match.Side, error) {
	v := c.View(n)
	if v.Phase != match.Battle {
		return nil, match.Nobody, nil
	}
	select {
	case s.advice <- struct{}{}:
		defer func() { <-s.advice }()
	case <-ctx.Done():
		return nil, match.Nobody, ctx.Err()
	}
	a := c.Advise(n)()
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
		b.SetHeat(cell, a.Of(cell), hottest)
	}
	return b, side, nil
}
