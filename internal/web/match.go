package web

import (
	"context"
	"errors"
	"net/http"
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

// liveBoards is a running match on a page.
type liveBoards struct {
	ID, Feed, Link, Rules string
	Names, Links          [2]string
	Boards                [2]*svg.Board
	Status                feed.Status
	Line                  string // what is happening
	Log                   []string
	Watching              int
	Private               bool
	Accuracy              [2]string // empty: only the record of a match has it
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
	p.Title = p.T("live-of", b.Names[0], b.Names[1])
	p.Description = b.Line
	p.Picture, p.Refresh, p.Unlisted = "/m/"+id+"/picture.svg", refreshTime, b.Private
	p.Body = b
	p.render(w, "match", http.StatusOK)
}

// boards returns a running match for the page.
func (p *page) boards(m *feed.Match) *liveBoards {
	now := m.Snapshot()
	b := &liveBoards{
		ID: now.About.ID, Link: p.Link("/m/" + now.About.ID), Rules: now.About.Rules.Name, Watching: now.About.Watching, Private: now.About.Private,
		Feed: apiRoot + "/matches/" + now.About.ID + "/events?last-event-id=" + now.Position, Status: feed.StatusOf(&now.View),
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

// statusLine describes the state of a match.
func (p *page) statusLine(s feed.Status, names [2]string) string {
	switch {
	case s.Winner != nil:
		return p.T("won", names[*s.Winner])
	case s.Phase == "over":
		return p.T("nobody-won")
	case s.Turn != nil:
		return p.T("turn", names[*s.Turn])
	case s.Phase == "placing":
		return p.T("placing")
	}
	return p.T("revealing")
}

// logLine describes an event, or returns "" for an event that the log leaves out.
func (p *page) logLine(e export.Event, names [2]string) string {
	switch e.Event {
	case "answered":
		return p.T("fired", names[1-*e.Player], e.Cell, p.Lang.Text(resultTexts[e.Result]))
	case "begun":
		return p.T("begins", names[*e.Player])
	case "ended":
		if e.Player == nil {
			return p.T("nobody-won")
		}
		return p.T("won", names[*e.Player])
	}
	return ""
}

// matchPicture serves the preview picture for links to a match.
func (s *Server) matchPicture(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "")
	id := strings.ToLower(r.PathValue("id"))
	view, names, err := s.picture(r.Context(), p, id)
	if err != nil {
		http.Error(w, "no such match", status(err))
		return
	}
	respondPicture(w, r, view, names)
}

// picture returns what the picture of a match shows.
func (s *Server) picture(ctx context.Context, p *page, id string) (v match.View, names [2]string, err error) {
	m, release, err := s.hub.Match(ctx, id)
	if err == nil {
		defer release()
		now := m.Snapshot()
		return now.View, [2]string{p.Name(now.About.Players[0]), p.Name(now.About.Players[1])}, nil
	}
	if !errors.Is(err, feed.ErrNoMatch) {
		return v, names, err
	}
	c, err := s.course(ctx, p, id)
	if err != nil {
		return v, names, err
	}
	return *c.View(c.Len() - 1), c.names, nil
}

// homePicture serves the preview picture for links to other pages: the featured
// match.
func (s *Server) homePicture(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "")
	v, names := match.View{Rules: match.Classic(), Charts: [2]match.Chart{match.NewChart(match.Classic()), match.NewChart(match.Classic())}}, [2]string{}
	if m, release, err := s.hub.Featured(r.Context()); err == nil {
		defer release()
		now := m.Snapshot()
		v, names = now.View, [2]string{p.Name(now.About.Players[0]), p.Name(now.About.Players[1])}
	}
	respondPicture(w, r, v, names)
}

func respondPicture(w http.ResponseWriter, r *http.Request, v match.View, names [2]string) {
	var panels [2]svg.Panel
	for side := range panels {
		panels[side] = svg.Panel{Title: names[side], Board: svg.NewBoard(&v, match.Side(side))}
	}
	// Pictures have their own styles and load nothing.
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	respond(w, r, "image/svg+xml", fresh, svg.Picture("", panels))
}
