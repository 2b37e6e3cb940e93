package web

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/svg"
	"broadside/internal/web/feed"
	"broadside/match"
)

// Limits on cached pictures.
const (
	pictureTime = 5 * time.Second // how long the picture of a running match is used
	maxPictures = 100             // some 50 KB each
	maxPainters = 16              // requests that wait for a picture
)

// pictures draws pictures for links, one at a time, and keeps them, because they take much more
// work than pages.
type pictures struct {
	waiting chan struct{} // capacity: maxPainters
	drawing chan struct{} // capacity: 1

	mu    sync.Mutex
	known map[pictureKey]picture // guarded by mu
}

// pictureKey identifies a picture: guests are named in the language. An empty match is the
// featured one.
type pictureKey struct {
	match string
	lang  i18n.Language
}

type picture struct {
	png     []byte
	expires time.Time
}

func newPictures() *pictures {
	return &pictures{waiting: make(chan struct{}, maxPainters), drawing: make(chan struct{}, 1), known: map[pictureKey]picture{}}
}

// errBusy is returned if too many requests wait for pictures.
var errBusy = errors.New("too many pictures are being drawn")

// get returns a picture that is known, or the one that draw returns.
func (ps *pictures) get(ctx context.Context, key pictureKey, draw func() (png []byte, err error)) ([]byte, error) {
	if png := ps.find(key); png != nil {
		return png, nil
	}
	select {
	case ps.waiting <- struct{}{}:
		defer func() { <-ps.waiting }()
	default:
		return nil, errBusy
	}
	select {
	case ps.drawing <- struct{}{}:
		defer func() { <-ps.drawing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if png := ps.find(key); png != nil { // drawn in the meantime
		return png, nil
	}
	png, err := draw()
	if err == nil {
		ps.add(key, png)
	}
	return png, err
}

// find returns a known picture, or nil.
func (ps *pictures) find(key pictureKey) []byte {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if p := ps.known[key]; time.Now().Before(p.expires) {
		return p.png
	}
	return nil
}

func (ps *pictures) add(key pictureKey, png []byte) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if len(ps.known) >= maxPictures {
		clear(ps.known)
	}
	ps.known[key] = picture{png, time.Now().Add(pictureTime)}
}

// matchPicture serves the preview picture for links to a match.
func (s *Server) matchPicture(w http.ResponseWriter, r *http.Request) {
	s.servePicture(w, r, strings.ToLower(r.PathValue("id")))
}

// homePicture serves the preview picture for links to other pages: the featured match.
func (s *Server) homePicture(w http.ResponseWriter, r *http.Request) { s.servePicture(w, r, "") }

func (s *Server) servePicture(w http.ResponseWriter, r *http.Request, id string) {
	p := s.newPage(r, "")
	panels := func() (panels [2]svg.Panel, err error) {
		view, names, err := s.picture(r.Context(), p, id)
		for side := range panels {
			if err == nil {
				panels[side] = svg.Panel{Title: names[side], Board: svg.NewBoard(&view, match.Side(side))}
			}
		}
		return panels, err
	}
	w.Header().Add("Vary", "Accept-Language")
	if strings.HasSuffix(r.URL.Path, ".svg") {
		all, err := panels()
		if err != nil {
			pictureError(w, err)
			return
		}
		// Pictures have their own styles and load nothing.
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		respond(w, r, "image/svg+xml", fresh, svg.Picture(all))
		return
	}
	png, err := s.pictures.get(r.Context(), pictureKey{id, p.Lang}, func() ([]byte, error) {
		all, err := panels()
		if err != nil {
			return nil, err
		}
		return svg.PNG(all)
	})
	if err != nil {
		pictureError(w, err)
		return
	}
	respond(w, r, "image/png", fresh, png)
}

func pictureError(w http.ResponseWriter, err error) {
	code := status(err)
	if code == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	http.Error(w, http.StatusText(code), code)
}

// picture returns the content of the preview picture of a match, running or finished. An
// empty ID selects the featured match or, if there is none, two empty boards.
func (s *Server) picture(ctx context.Context, p *page, id string) (v match.View, names [2]string, err error) {
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
