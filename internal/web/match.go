package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"broadside/internal/export"
	"broadside/internal/session"
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
		if _, err := ask(r.Context(), s.answers, session.GetRecord{ID: id}); err == nil {
			s.replay(w, p, id)
			return
		}
	}
	p.Title = p.T("web-live-of", b.Names[0], b.Names[1])
	p.Description = p.Title + ". " + b.Line
	p.Picture, p.Refresh, p.Unlisted = "/m/"+id+"/picture.png", refreshTime, b.Private
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
func (s *sides) markup(p *page) markup {
	return fill(`%v
<div class="boards" data-names="%v&#10;%v">
%v%v</div>`, markup(svg.Symbol(s.Boards[0].Size())), s.Names[0], s.Names[1], s.side(p, 0), s.side(p, 1))
}

// side returns the board of a player.
func (s *sides) side(p *page, i int) markup {
	name := fill(`%v`, s.Names[i])
	if s.Links[i] != "" {
		name = fill(`<a href="%v">%v</a>`, s.Links[i], s.Names[i])
	}
	return fill(`<section class="side">
<h2>%v</h2>
%v
<p class="figures" data-side="%v"><span>%v <b data-shots>%v</b></span> <span>%v <b data-hits>%v</b></span> <span>%v <b data-afloat>%v</b></span>%v</p>
</section>
`, name, p.grid(s.Boards[i], "board-"+strconv.Itoa(i), s.Names[i]), i,
		p.T("web-shots"), s.Status.Shots[i], p.T("web-hits"), s.Status.Hits[i], p.T("web-afloat"), s.Status.Afloat[i],
		when(s.Accuracy[i] != "", fill(` <span>%v <b>%v</b></span>`, p.T("accuracy-title"), s.Accuracy[i])))
}

// grid returns a board.
func (p *page) grid(b *svg.Board, id, owner string) markup {
	return markup(b.Grid(id, p.T("web-board-of", owner), func(at match.Cell, c svg.Cell) string {
		label := at.String() + " " + p.T(stateTexts[c.State])
		if c.Heat > 0 {
			label += ", " + c.Glyph + " %"
		}
		return label
	}))
}

func (b *liveBoards) markup(p *page) markup {
	return fill(`<div data-live="%v" data-phase="%v" data-again="%v">
<h1>%v – %v</h1>
<p class="line"><span class="chip">%v</span> <span class="status" data-status role="status">%v</span> <span class="note">%v</span></p>
%v
<section class="card">
%v
<ol class="log" data-log role="log" tabindex="0" aria-label="%v">%v</ol>
</section>
<p class="note">%v <code>%v watch %v</code></p>
</div>`, b.Feed, b.Status.Phase, b.Link, b.Names[0], b.Names[1], p.T("web-live"), b.Line, b.Rules, b.sides.markup(p),
		title(p.T("web-log")), p.T("web-log"), each(b.Log, func(line string) markup { return fill(`<li>%v</li>`, line) }),
		p.T("web-follow-ssh"), p.Command(), b.ID)
}

// statusLine describes the state of a match.
func (p *page) statusLine(s feed.Status, names [2]string) string {
	switch {
	case s.Winner != nil:
		return p.T("web-won", names[*s.Winner])
	case s.Phase == "over":
		return p.T("web-nobody-won")
	case s.Turn != nil:
		return p.T("web-turn", names[*s.Turn])
	case s.Phase == "placing":
		return p.T("web-placing")
	}
	return p.T("web-revealing")
}

// logLine describes an event, or returns "" for an event that the log leaves out.
func (p *page) logLine(e export.Event, names [2]string) string {
	switch e.Event {
	case "answered":
		return p.T("web-fired", names[1-*e.Player], e.Cell, p.Lang.Text(resultTexts[e.Result]))
	case "begun":
		return p.T("web-begins", names[*e.Player])
	case "ended":
		if e.Player == nil {
			return p.T("web-nobody-won")
		}
		return p.T("web-won", names[*e.Player])
	}
	return ""
}
