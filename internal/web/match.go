package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/svg"
	"broadside/internal/web/feed"
	"broadside/match"
)

// refreshTime is the interval, in seconds, at which browsers without JavaScript read live
// pages again.
const refreshTime = 5

// sides are both sides of a match on a page.
type sides struct {
	Names, Links [2]string // no link: a guest
	Boards       [2]*svg.Board
	Status       feed.Status
	Accuracy     [2]string // empty until the match has ended and is analysed
}

// liveBoards is a running match on a page.
type liveBoards struct {
	sides
	ID, Feed, Link, Rules string
	Line                  string // what is happening
	Log                   []string
	Private               bool
}

// match serves the page of a match: live while it runs, and then its replay.
func (s *Server) match(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "live")
	id := strings.ToLower(r.PathValue("id"))
	p.Path = "/m/" + id
	m, release, err := s.hub.Match(r.Context(), id)
	if errors.Is(err, feed.ErrNoMatch) {
		s.replay(w, p, id)
		return
	}
	if err != nil {
		s.fail(w, p, err)
		return
	}
	defer release()
	b := p.boards(m)
	if b.Status.Phase == "over" {
		if _, err := s.answers.record(r.Context(), id); err == nil {
			s.replay(w, p, id)
			return
		}
	}
	p.Title = p.T("Live: %s – %s", b.Names[0], b.Names[1])
	p.Description = p.Title + ". " + b.Line
	p.Refresh, p.Unlisted = refreshTime, b.Private
	p.Body = b
	p.render(w, http.StatusOK)
}

// boards returns a running match for the page.
func (p *page) boards(m *feed.Match) *liveBoards {
	now := m.Snapshot()
	b := &liveBoards{
		ID: now.About.ID, Link: p.Link("/m/" + now.About.ID), Rules: now.About.Rules.Name, Private: now.About.Private,
		Feed: apiRoot + "/matches/" + now.About.ID + "/events?last-event-id=" + now.Position, sides: sides{Status: feed.StatusOf(&now.View)},
	}
	for side, player := range now.About.Players {
		b.Names[side] = p.Name(player)
		b.Links[side] = p.Profile(player.Name, player.Account != "")
		b.Boards[side] = svg.NewBoard(&now.View, match.Side(side))
	}
	b.Line = p.statusLine(b.Status, b.Names)
	for _, e := range now.Log {
		if line := p.logLine(e, b.Names); line != "" {
			b.Log = append(b.Log, line)
		}
	}
	return b
}

// markup returns both boards with their figures.
func (s *sides) markup(p *page) g.Node {
	return g.Group{
		g.Raw(svg.Symbol(s.Boards[0].Size())),
		h.Div(h.Class("boards"), h.Data("names", s.Names[0]+"\n"+s.Names[1]), s.side(p, 0), s.side(p, 1)),
	}
}

// side returns the board of a player.
func (s *sides) side(p *page, i int) g.Node {
	number := strconv.Itoa(i)
	figure := func(text i18n.Key, value string, attrs ...g.Node) g.Node {
		return h.Span(spaced(p.text(text), h.B(g.Group(attrs), g.Text(value))))
	}
	return h.Section(h.Class("side"),
		h.H2(link(s.Links[i], s.Names[i])),
		p.grid(s.Boards[i], "board-"+number, s.Names[i]),
		h.P(h.Class("figures"), h.Data("side", number), spaced(
			figure("Shots", strconv.Itoa(s.Status.Shots[i]), g.Attr("data-shots")),
			figure("Hits", strconv.Itoa(s.Status.Hits[i]), g.Attr("data-hits")),
			figure("Ships afloat", strconv.Itoa(s.Status.Afloat[i]), g.Attr("data-afloat")),
			g.If(s.Accuracy[i] != "", figure("Accuracy", s.Accuracy[i])),
		)),
	)
}

// grid returns a board.
func (p *page) grid(b *svg.Board, id, owner string) g.Node {
	return b.Grid(id, p.T("%s's board", owner), func(at match.Cell, c svg.Cell) string {
		label := at.String() + " " + p.T(stateTexts[c.State])
		if c.Heat > 0 {
			label += ", " + c.Glyph + " %"
		}
		return label
	})
}

// live returns an element that the module keeps up to date. When the match is over, the module
// loads the page at the address next.
func (b *liveBoards) live(next string, content ...g.Node) g.Node {
	return h.Div(h.Data("live", b.Feed), h.Data("phase", b.Status.Phase), h.Data("again", next), g.Group(content))
}

// statusText returns what is happening in a match. The module keeps it up to date.
func statusText(line string) g.Node {
	return h.Span(h.Class("status"), g.Attr("data-status"), h.Role("status"), g.Text(line))
}

func (b *liveBoards) markup(p *page) g.Node {
	return b.live(b.Link,
		h.H1(g.Text(versus(b.Names))),
		h.P(h.Class("line"), spaced(h.Span(h.Class("chip"), p.text("Live")), statusText(b.Line), remark(b.Rules))),
		b.sides.markup(p),
		card(p.T("Shots"), h.Ol(h.Class("log"), g.Attr("data-log"), h.Role("log"), h.TabIndex("0"), h.Aria("label", p.T("Shots")),
			g.Map(b.Log, func(line string) g.Node { return h.Li(g.Text(line)) }))),
		h.P(h.Class("note"), spaced(p.text("In a terminal:"), h.Code(g.Text(p.Command()+" watch "+b.ID)))),
	)
}

// statusLine describes the state of a match.
func (p *page) statusLine(s feed.Status, names [2]string) string {
	switch {
	case s.Winner != nil:
		return p.T(narrate.WonText, names[*s.Winner])
	case s.Phase == "over":
		return p.T(narrate.NobodyWonText)
	case s.Turn != nil:
		return p.T(narrate.AimingText, names[*s.Turn])
	}
	return p.T(narrate.PlacingText)
}

// logLine describes an event, or returns "" for an event that the log leaves out.
func (p *page) logLine(e match.EncodedEvent, names [2]string) string {
	switch e.Event {
	case "answered":
		return p.T(narrate.FiredText, names[1-*e.Player], e.Cell, narrate.Result(e.Result))
	case "begun":
		return p.T(narrate.BeginsText, names[*e.Player])
	case "ended":
		if e.Player == nil {
			return p.T(narrate.NobodyWonText)
		}
		return p.T(narrate.WonText, names[*e.Player])
	}
	return ""
}
