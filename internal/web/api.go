package web

import (
	"cmp"
	_ "embed"
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

// apiRoot is the API's path. Later versions get another one.
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

// addAPIHandlers adds the API's handlers.
func (s *Server) addAPIHandlers(handle func(path string, h http.HandlerFunc)) {
	for _, e := range endpoints {
		handle(apiRoot+e.path, s.newEndpointHandler(e))
	}
	handle(apiRoot+"/matches/{id}/events", s.serveMatchEvents)
	handle(apiRoot+"/events", s.serveAllEvents)
	handle(apiRoot+"/openapi.json", func(w http.ResponseWriter, r *http.Request) {
		response{contentType: "application/json", cache: fresh, body: openAPI}.write(w, r)
	})
}

func (s *Server) newEndpointHandler(e endpoint) http.HandlerFunc {
	build := func(p *page) (response, error) {
		v, err := e.read(p)
		return jsonResponse(0, e.cache, v), err
	}
	return s.newHandler(build, (*page).apiFailure)
}

// ServerInfo describes the server.
type ServerInfo struct {
	// Command is the command line that connects a player.
	Command string `json:"command"`
	// Fingerprint is that of the preferred host key.
	Fingerprint string `json:"fingerprint"`
	// RelayPort is the port for programs.
	RelayPort string `json:"relay_port"`
	// Online lists the connected accounts, and Guests counts the players without one.
	Online []string `json:"online"`
	Guests int      `json:"guests"`
}

func (p *page) getServer() (any, error) {
	info := ServerInfo{
		Command: p.sshCommand(), Fingerprint: p.site.cfg.Fingerprint, RelayPort: p.relayPort(), Online: []string{},
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
		out = append(out, export.NewRunningMatch(feed.ReplaceGuestNames(m, ""), nil))
	}
	return out, nil
}

func (p *page) getRecord() (any, error) {
	m, err := p.session.MatchRecord(p.r.Context(), p.matchID())
	if err != nil {
		return nil, err
	}
	m.Summary = replaceGuestNames(m.Summary, "")
	return export.NewRecord(m), nil
}

// Frames is a finished match as drawn.
type Frames struct {
	Frames []Frame `json:"frames"`
}

// Frame is the state after a turn. The first frame is the state before the first turn.
type Frame struct {
	// At is the time since the match started, in milliseconds.
	At int64 `json:"ms"`
	// Player is the attacker's index, or null in the first frame.
	Player *int        `json:"player"`
	Shots  []FrameShot `json:"shots"`
	// Boards has the cells that differ from the previous frame.
	Boards [2][]svg.Change `json:"boards"`
	Status feed.Status     `json:"status"`
}

// FrameShot is a shot of a turn.
type FrameShot struct {
	Cell string `json:"cell"`
	// Result is empty if the match ended before the defender answered.
	Result match.Result `json:"result"`
}

func (p *page) getFrames() (any, error) {
	c, err := p.readReplayFrames()
	if err != nil {
		return nil, err
	}
	var before [2]*svg.Board
	out := Frames{Frames: []Frame{}}
	for n := range c.Len() {
		f := Frame{At: c.FrameTime(n).Milliseconds(), Shots: []FrameShot{}, Status: feed.NewStatus(c.FrameView(n))}
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
	Frame int `json:"frame"`
	// Board is the index of the board's owner, or null if no shot follows.
	Board *int `json:"board"`
	// Cells are the cells as drawn. An open cell's glyph is its percentage.
	Cells []svg.Change `json:"cells"`
}

func (p *page) getOdds() (any, error) {
	c, err := p.readReplayFrames()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(cmp.Or(p.r.URL.Query().Get("frame"), "0"))
	if err != nil || n < 0 || n >= c.Len() {
		return nil, errNotFound
	}
	out := Odds{Frame: n, Cells: []svg.Change{}}
	hot, side, err := p.site.oddsBoard(p.r.Context(), c, n)
	if err != nil {
		return nil, err
	}
	if hot != nil {
		out.Board, out.Cells = side.JSONIndex(), hot.ChangesSince(svg.NewBoard(c.FrameView(n), side))
	}
	return out, nil
}

// parseLimit returns the number of list items that the address asks for.
func (p *page) parseLimit() (int, error) {
	n, err := strconv.Atoi(cmp.Or(p.r.URL.Query().Get("limit"), "20"))
	if err != nil || n < 1 || n > 1000 {
		return 0, errNotFound
	}
	return n, nil
}

func (p *page) listGames() (any, error) {
	n, err := p.parseLimit()
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
		all[i] = replaceGuestNames(m, "")
	}
	return export.NewSummaries(all), nil
}

func (p *page) getLeaderboard() (any, error) {
	n, err := p.parseLimit()
	if err != nil {
		return nil, err
	}
	all, err := p.listStandings(n)
	return export.NewStandings(all), err
}

func (p *page) getLadder() (any, error) { return p.readLadderReport() }

func (p *page) getLadderPlayer() (any, error) { return p.findLadderPlayer() }

func (p *page) listBots() (any, error) {
	rules, err := p.parseRules()
	return export.NewBots(rules), err
}

func (p *page) listRules() (any, error) { return match.Presets(), nil }

func (p *page) getDaily() (any, error) {
	n, err := p.parseLimit()
	if err != nil {
		return nil, err
	}
	day, err := p.parseDay()
	if err != nil {
		return nil, err
	}
	d, err := p.session.DailyLeaderboard(p.r.Context(), day.Format(time.DateOnly), n)
	return export.NewDailyLeaderboard(d), err
}

func (p *page) getProfile() (any, error) {
	about, _, err := p.findProfile(p.r.PathValue("name"))
	return export.NewProfile(about), err
}

// Failure is the body of an error response.
type Failure struct {
	Error string `json:"error"`
}

func (p *page) apiFailure(err error) response {
	status := p.errorStatus(err)
	if status == http.StatusNotFound {
		return jsonResponse(status, "", Failure{"not found: check the address and its parameters"})
	}
	return jsonResponse(status, "", Failure{"the server cannot answer now: try again in a moment"})
}

// serveMatchEvents streams a running match's events.
func (s *Server) serveMatchEvents(w http.ResponseWriter, r *http.Request) {
	m, release, err := s.hub.FollowMatch(r.Context(), strings.ToLower(r.PathValue("id")))
	if err != nil {
		s.newPage(r).apiFailure(err).write(w, r)
		return
	}
	defer release()
	s.serveStream(w, r, m)
}

// serveAllEvents streams the events of all public matches.
func (s *Server) serveAllEvents(w http.ResponseWriter, r *http.Request) {
	all, release := s.hub.FollowAll()
	defer release()
	s.serveStream(w, r, all)
}
