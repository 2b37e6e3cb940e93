package web

import (
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
	p.Description = p.Title + ". " + b.Line
	p.Picture, p.Refresh, p.Unlisted = "/m/"+id+"/picture.png", refreshTime, b.Private
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
