package web

import (
	"cmp"
	"net/http"

	"broadside/internal/session"
	"broadside/match"
)

// ladderPage is the content of the page of the ladder.
type ladderPage struct {
	Rules []tab
	Rows  []ladderRow
}

type ladderRow struct {
	Place                                int
	Name, Link, Kind, Rating, Games, Won string
	Online                               bool
}

// readLadder returns the ladder that a request asks for.
func (s *Server) readLadder(r *http.Request) (l session.Ladder, err error) {
	rules, err := match.Preset(cmp.Or(r.URL.Query().Get("rules"), "classic"))
	if err != nil || !s.cfg.Ladder {
		return l, errNotFound
	}
	return ask(r.Context(), s.answers, session.GetLadder{Rules: rules.Name})
}

func (s *Server) ladder(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "ladder")
	p.Title, p.Description = p.T("ladder"), p.T("ladder-about")
	l, err := s.readLadder(r)
	if err != nil {
		s.fail(w, p, err)
		return
	}
	body := ladderPage{Rows: p.ladderRows(l)}
	for _, rules := range match.Presets() {
		body.Rules = append(body.Rules, tab{rules, p.Link("/ladder?rules=" + rules), rules == l.Rules})
	}
	p.Body = body
	p.render(w, "ladder", http.StatusOK)
}

func (p *page) ladderRows(l session.Ladder) (rows []ladderRow) {
	for _, x := range l.Players {
		rows = append(rows, ladderRow{
			Place: x.Place, Name: x.Name, Link: p.Profile(x.Name, true), Kind: p.T(x.Kind), Games: p.Number(x.Games), Won: p.Number(x.Won), Online: x.Online,
			Rating: x.RatingText(),
		})
	}
	return rows
}

// HasLadder reports whether programs play on a ladder here.
func (p *page) HasLadder() bool { return p.server.cfg.Ladder }

func (a api) ladder(w http.ResponseWriter, r *http.Request) {
	l, err := a.readLadder(r)
	if err != nil {
		a.fail(w, err)
		return
	}
	respondJSON(w, r, fresh, l)
}
