package web

import (
	"cmp"
	_ "embed" // for the description of the API
	"net/http"
	"strconv"
	"strings"
	"time"

	"broadside/internal/export"
	"broadside/internal/store"
	"broadside/internal/svg"
	"broadside/internal/web/feed"
	"broadside/match"
)

// apiRoot is the path of the API. Later versions get another one.
const apiRoot = "/api/v1"

// endpoint is an address of the API that openapi.json describes.
type endpoint struct {
	path  string
	cache string
	read  func(*page) (any, error)
}

var endpoints = []endpoint{
	{path: "/server", cache: fresh, read: (*page).getServer},
	{path: "/matches", cache: fresh, read: (*page).listMatches},
	{path: "/matches/{id}", cache: permanent, read: (*page).getRecord},
	{path: "/matches/{id}/frames", cache: permanent, read: (*page).getFrames},
	{path: "/matches/{id}/odds", cache: permanent, read: (*page).getOdds},
	{path: "/games", cache: fresh, read: (*page).listGames},
	{path: "/leaderboard", cache: fresh, read: (*page).getLeaderboard},
	{path: "/ladder", cache: fresh, read: (*page).getLadder},
	{path: "/ladder/{name}", cache: fresh, read: (*page).getLadderPlayer},
	{path: "/bots", cache: fresh, read: (*page).listBots},
	{path: "/rules", cache: fresh, read: (*page).listRules},
	{path: "/daily/{day}", cache: fresh, read: (*page).getDaily},
	{path: "/players/{name}", cache: fresh, read: (*page).getProfile},
}

// openAPI describes the API.
//
//go:embed openapi.json
var openAPI []byte

// handleAPI adds the handlers of the API.
func (s *Server) handleAPI(handle func(path string, h http.HandlerFunc)) {
	for _, e := range endpoints {
		handle(apiRoot+e.path, s.endpoint(e))
	}
	handle(apiRoot+"/matches/{id}/events", s.matchEvents)
	handle(apiRoot+"/events", s.allEvents)
	handle(apiRoot+"/openapi.json", func(w http.ResponseWriter, r *http.Request) {
		response{contentType: "application/json", cache: fresh, body: openAPI}.write(w, r)
	})
}

// endpoint returns the handler of an endpoint.
func (s *Server) endpoint(e endpoint) http.HandlerFunc {
	build := func(p *page) (response, error) {
		v, err := e.read(p)
		return jsonResponse(0, e.cache, v), err
	}
	return s.answer(build, (*page).failAPI)
}

// ServerInfo describes the server.
type ServerInfo struct {
	Command     string   `json:"command"`     // connects a player
	Fingerprint string   `json:"fingerprint"` // of the host key
	RelayPort   string   `json:"relay_port"`  // for programs
	Online      []string `json:"online"`      // people with an account
	Guests      int      `json:"guests"`      // people without one
}

func (p *page) getServer() (any, error) {
	info := ServerInfo{
		Command: p.Command(), Fingerprint: p.server.cfg.Fingerprint, RelayPort: p.RelayPort(), Online: []string{},
	}
	for _, x := range p.session.LobbySnapshot().People {
		if x.Player.Account == "" {
			info.Guests++
		} else {
			info.Online = append(info.Online, x.Player.Name)
		}
	}
	return info, nil
}

func (p *page) listMatches() (any, error) {
	out := []export.RunningMatch{}
	for _, m := range p.session.RunningMatches() {
		out = append(out, export.NewRunningMatch(feed.PublicRunning(m, ""), nil))
	}
	return out, nil
}

func (p *page) getRecord() (any, error) {
	m, err := p.session.MatchRecord(p.r.Context(), p.id())
	if err != nil {
		return nil, err
	}
	m.Summary = nameGuests(m.Summary, "")
	return export.NewRecord(m), nil
}

// Frames is a finished match as drawn.
type Frames struct {
	Frames []Frame `json:"frames"`
}

// Frame is the state after a turn; the first one is the state before the first turn.
type Frame struct {
	At     int64           `json:"ms"`     // since the start of the match
	Player *int            `json:"player"` // who shot; null in the first frame
	Shots  []FrameShot     `json:"shots"`
	Boards [2][]svg.Change `json:"boards"` // cells that differ from the frame before
	Status feed.Status     `json:"status"`
}

// FrameShot is a shot of a turn.
type FrameShot struct {
	Cell   string       `json:"cell"`
	Result match.Result `json:"result"` // empty if the match ended before the answer
}

func (p *page) getFrames() (any, error) {
	c, err := p.course()
	if err != nil {
		return nil, err
	}
	var before [2]*svg.Board
	out := Frames{Frames: []Frame{}}
	for n := range c.Len() {
		f := Frame{At: c.FrameTime(n).Milliseconds(), Shots: []FrameShot{}, Status: feed.StatusOf(c.FrameView(n))}
		if t, ok := c.Turn(n); ok {
			player := int(t.Side)
			f.Player = &player
			for i, cell := range t.Cells {
				shot := FrameShot{Cell: cell.String()}
				if i < len(t.Shots) {
					shot.Result = t.Shots[i].Result
				}
				f.Shots = append(f.Shots, shot)
			}
		}
		for side, b := range newSides(c.FrameView(n), c.Names(), [2]string{}).boards {
			f.Boards[side] = b.ChangesSince(before[side])
			before[side] = b
		}
		out.Frames = append(out.Frames, f)
	}
	return out, nil
}

// Odds are the admiral's odds in a frame.
type Odds struct {
	Frame int          `json:"frame"`
	Board *int         `json:"board"` // index of the player whose board it is; null if nobody shoots next
	Cells []svg.Change `json:"cells"` // as drawn; the glyph of an open cell is its percentage
}

func (p *page) getOdds() (any, error) {
	c, err := p.course()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(cmp.Or(p.r.URL.Query().Get("frame"), "0"))
	if err != nil || n < 0 || n >= c.Len() {
		return nil, errNotFound
	}
	out := Odds{Frame: n, Cells: []svg.Change{}}
	hot, side, err := p.server.heat(p.r.Context(), c, n)
	if err != nil {
		return nil, err
	}
	if hot != nil {
		out.Board, out.Cells = side.Index(), hot.ChangesSince(svg.NewBoard(c.FrameView(n), side))
	}
	return out, nil
}

// limit reads the limit of a list.
func (p *page) limit() (int, error) {
	n, err := strconv.Atoi(cmp.Or(p.r.URL.Query().Get("limit"), "20"))
	if err != nil || n < 1 || n > 1000 {
		return 0, errNotFound
	}
	return n, nil
}

func (p *page) listGames() (any, error) {
	n, err := p.limit()
	if err != nil {
		return nil, err
	}
	player := ""
	name := p.r.URL.Query().Get("player")
	if name != "" {
		found, err := p.session.FindAccount(p.r.Context(), name)
		if err != nil {
			return nil, err
		}
		player = found.ID
	}
	all, err := p.session.FinishedMatches(p.r.Context(), player, store.Cursor{}, n)
	if err != nil {
		return nil, err
	}
	for i, m := range all {
		all[i] = nameGuests(m, "")
	}
	return export.NewSummaries(all), nil
}

func (p *page) getLeaderboard() (any, error) {
	n, err := p.limit()
	if err != nil {
		return nil, err
	}
	all, err := p.standings(n)
	return export.NewStandings(all), err
}

func (p *page) getLadder() (any, error) { return p.ladderReport() }

func (p *page) getLadderPlayer() (any, error) { return p.competitor() }

func (p *page) listBots() (any, error) {
	rules, err := p.rules()
	return export.NewBots(rules), err
}

func (p *page) listRules() (any, error) { return match.AllPresets(), nil }

func (p *page) getDaily() (any, error) {
	n, err := p.limit()
	if err != nil {
		return nil, err
	}
	day, err := p.day()
	if err != nil {
		return nil, err
	}
	d, err := p.session.DailyLeaderboard(p.r.Context(), day.Format(time.DateOnly), n)
	return export.NewDaily(d), err
}

func (p *page) getProfile() (any, error) {
	about, _, err := p.player(p.r.PathValue("name"))
	return export.NewProfile(about), err
}

// Failure is the body of an error of the API.
type Failure struct {
	Error string `json:"error"`
}

// failAPI returns an error of the API.
func (p *page) failAPI(err error) response {
	status := p.statusOf(err)
	if status == http.StatusNotFound {
		return jsonResponse(status, "", Failure{"not found: check the address and its parameters"})
	}
	return jsonResponse(status, "", Failure{"the server cannot answer now: try again in a moment"})
}

// matchEvents serves the events of a running match.
func (s *Server) matchEvents(w http.ResponseWriter, r *http.Request) {
	m, release, err := s.hub.Match(r.Context(), strings.ToLower(r.PathValue("id")))
	if err != nil {
		s.newPage(r).failAPI(err).write(w, r)
		return
	}
	defer release()
	s.stream(w, r, m)
}

// allEvents serves the events of all public matches.
func (s *Server) allEvents(w http.ResponseWriter, r *http.Request) {
	all, release := s.hub.All()
	defer release()
	s.stream(w, r, all)
}
