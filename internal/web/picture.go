package web

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"broadside/internal/svg"
	"broadside/internal/web/feed"
	"broadside/match"
)

// picture serves a picture of a match, running or finished, or of the featured match if the
// address has no ID.
func (s *Server) picture(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "")
	view, names, err := s.readPicture(r.Context(), p, strings.ToLower(r.PathValue("id")))
	w.Header().Add("Vary", "Accept-Language")
	if err != nil {
		code := status(err)
		if code == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "5")
		}
		http.Error(w, http.StatusText(code), code)
		return
	}
	var panels [2]svg.Panel
	for side := range panels {
		panels[side] = svg.Panel{Title: names[side], Board: svg.NewBoard(&view, match.Side(side))}
	}
	// Pictures have their own styles and load nothing.
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	respond(w, r, "image/svg+xml", fresh, svg.Picture(panels))
}

// readPicture returns the content of a picture. An empty ID selects the featured match or, if
// there is none, two empty boards.
func (s *Server) readPicture(ctx context.Context, p *page, id string) (v match.View, names [2]string, err error) {
	follow := s.hub.Featured
	if id != "" {
		follow = func(ctx context.Context) (*feed.Match, func(), error) { return s.hub.Match(ctx, id) }
	}
	m, release, err := follow(ctx)
	switch {
	case err == nil:
		defer release()
		now := m.Snapshot()
		return now.View, [2]string{p.Name(now.About.Players[0]), p.Name(now.About.Players[1])}, nil
	case id == "":
		empty := match.NewChart(match.Classic())
		return match.View{Rules: match.Classic(), Charts: [2]match.Chart{empty, empty}}, names, nil
	case !errors.Is(err, feed.ErrNoMatch):
		return v, names, err
	}
	c, err := s.course(ctx, p, id)
	if err != nil {
		return v, names, err
	}
	return *c.View(c.Len() - 1), c.names, nil
}
