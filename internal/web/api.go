package web

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"broadside/internal/export"
	"broadside/internal/store"
	"broadside/internal/svg"
	"broadside/internal/web/feed"
	"broadside/lobby/ladder"
	"broadside/match"
)

// apiRoot is the path of the API. Later versions get another one.
const apiRoot = "/api/v1"

// api serves the API.
type api struct{ *Server }

// endpoint is an address of the API. The OpenAPI document is generated from it.
type endpoint struct {
	path, id, about string
	query           []parameter
	returns         any // an example of the response; nil for an event stream
	handle          http.HandlerFunc
}

// parameter is a parameter of a query.
type parameter struct{ name, about, kind string }

// Parameters that several endpoints have.
var (
	rulesParameter  = parameter{"rules", "Rule set; classic by default", "string"}
	limitParameter  = parameter{"limit", "Maximum number of results, from 1 to 1000", "integer"}
	resumeParameter = parameter{"last-event-id", "Resumes after this event, as the header Last-Event-ID does", "string"}
)

// endpoints returns the addresses of the API.
func (a api) endpoints() []endpoint {
	return []endpoint{
		{"/server", "getServer", "How to connect, and who is online", nil, ServerInfo{}, a.json(fresh, a.server)},
		{"/matches", "listMatches", "Running public matches, newest first, as `watch --list --json` prints them", nil, []export.Begun{}, a.json(fresh, a.matches)},
		{"/matches/{id}", "getRecord", "The record of a finished match, as `record` prints it", nil, export.Record{}, a.json(permanent, a.record)},
		{"/matches/{id}/frames", "getFrames", "A finished match as frames, one for each turn", nil, Frames{}, a.json(permanent, a.frames)},
		{"/matches/{id}/odds", "getOdds", "The admiral's odds of a ship in each open cell before a shot", []parameter{{"frame", "Number of the frame, from 0", "integer"}}, Odds{}, a.json(permanent, a.odds)},
		{"/matches/{id}/events", "followMatch", "The events of a running match, as `watch --json` prints them, and its boards", []parameter{resumeParameter}, nil, a.matchEvents},
		{"/events", "followMatches", "The events of all public matches, each with the ID of its match", []parameter{resumeParameter}, nil, a.allEvents},
		{"/games", "listGames", "Finished matches, newest first, as `games --json` prints them", []parameter{{"player", "Only matches of this player", "string"}, limitParameter}, []export.Summary{}, a.json(fresh, a.games)},
		{"/leaderboard", "getLeaderboard", "The best players, as `leaderboard --json` prints them", []parameter{rulesParameter, {"of", "all, people or bots", "string"}, limitParameter}, []export.Standing{}, a.json(fresh, a.leaderboard)},
		{"/ladder", "getLadder", "The ladder of programs, as `ladder --json` prints it; not found if the server has none", []parameter{rulesParameter}, ladder.Report{}, a.json(fresh, a.ladder)},
		{"/ladder/{name}", "getLadderPlayer", "A player of the ladder, as `ladder NAME --json` prints it", []parameter{rulesParameter}, ladder.Page{}, a.json(fresh, a.ladderPage)},
		{"/bots", "listBots", "The built-in bots, as `bots --json` prints them", []parameter{rulesParameter}, []export.Bot{}, a.json(fresh, a.bots)},
		{"/rules", "listRules", "The rule sets, as `rules --json` prints them", nil, []match.Rules{}, a.json(fresh, a.rules)},
		{"/daily/{day}", "getDaily", "The results of a daily sea, as `daily --json` prints them; the day may be `today`", []parameter{limitParameter}, export.Daily{}, a.json(fresh, a.daily)},
		{"/players/{name}", "getProfile", "A player's profile, as `profile --json` prints it", nil, export.Profile{}, a.json(fresh, a.player)},
	}
}

// json returns the handler that responds with the value that find returns, or with an error.
func (a api) json(cache string, find func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := find(r)
		if err != nil {
			a.fail(w, err)
			return
		}
		respondJSON(w, r, cache, v)
	}
}

// ServerInfo describes the server.
type ServerInfo struct {
	Command     string   `json:"command"`     // connects a player
	Fingerprint string   `json:"fingerprint"` // of the host key
	RelayPort   string   `json:"relay_port"`  // for programs
	Online      []string `json:"online"`      // people with an account
	Guests      int      `json:"guests"`      // people without one
}

func (a api) server(r *http.Request) (any, error) {
	lobby, err := a.answers.snapshot(r.Context())
	if err != nil {
		return nil, err
	}
	p := a.newPage(r, "")
	info := ServerInfo{Command: p.Command(), Fingerprint: p.Fingerprint(), RelayPort: p.RelayPort(), Online: []string{}}
	for _, x := range lobby.People {
		if x.Player.Account == "" {
			info.Guests++
		} else {
			info.Online = append(info.Online, x.Player.Name)
		}
	}
	return info, nil
}

func (a api) matches(r *http.Request) (any, error) {
	all, err := a.answers.matches(r.Context())
	if err != nil {
		return nil, err
	}
	out := []export.Begun{}
	for _, m := range all {
		out = append(out, export.BegunOf(feed.PublicRunning(m), nil))
	}
	return out, nil
}

func (a api) record(r *http.Request) (any, error) {
	m, err := a.answers.record(r.Context(), strings.ToLower(r.PathValue("id")))
	if err != nil {
		return nil, err
	}
	m.Summary = publicSummary(m.Summary)
	return export.Of(m), nil
}

// publicSummary returns a match without the names of guests.
func publicSummary(m store.Summary) store.Summary {
	for side := range m.Seats {
		if isGuest(m, match.Side(side)) {
			m.Seats[side].Name = ""
		}
	}
	return m
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

func (a api) frames(r *http.Request) (any, error) {
	c, err := a.course(r.Context(), a.newPage(r, ""), strings.ToLower(r.PathValue("id")))
	if err != nil {
		return nil, err
	}
	var before [2]*svg.Board
	out := Frames{Frames: []Frame{}}
	for n := range c.Len() {
		f := Frame{At: c.At(n).Milliseconds(), Shots: []FrameShot{}, Status: feed.StatusOf(c.View(n))}
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
		for side, b := range c.boards(n) {
			f.Boards[side] = b.Changes(before[side])
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

func (a api) odds(r *http.Request) (any, error) {
	c, err := a.course(r.Context(), a.newPage(r, ""), strings.ToLower(r.PathValue("id")))
	n, numberErr := strconv.Atoi(cmp.Or(r.URL.Query().Get("frame"), "0"))
	if err == nil && (numberErr != nil || n < 0 || n >= c.Len()) {
		err = errNotFound
	}
	if err != nil {
		return nil, err
	}
	out := Odds{Frame: n, Cells: []svg.Change{}}
	hot, side, err := a.heat(r.Context(), c, n)
	if err != nil {
		return nil, err
	}
	if hot != nil {
		board := int(side)
		out.Board, out.Cells = &board, hot.Changes(c.boards(n)[side])
	}
	return out, nil
}

// limit reads the limit of a list.
func limit(r *http.Request) (int, error) {
	n, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("limit"), "20"))
	if err != nil || n < 1 || n > 1000 {
		return 0, errNotFound
	}
	return n, nil
}

func (a api) games(r *http.Request) (any, error) {
	n, err := limit(r)
	of := ""
	if name := r.URL.Query().Get("player"); err == nil && name != "" {
		var account store.Player
		account, err = a.answers.account(r.Context(), name)
		of = account.ID
	}
	var all []store.Summary
	if err == nil {
		all, err = a.answers.games(r.Context(), of, n)
	}
	if err != nil {
		return nil, err
	}
	public := make([]store.Summary, len(all))
	for i, m := range all {
		public[i] = publicSummary(m)
	}
	return export.Summaries(public), nil
}

func (a api) leaderboard(r *http.Request) (any, error) {
	n, err := limit(r)
	var q ranking
	if err == nil {
		q, _, err = rankingOf(r, n)
	}
	var all []store.Standing
	if err == nil {
		all, err = a.answers.leaderboard(r.Context(), q)
	}
	if err != nil {
		return nil, err
	}
	return export.Standings(all), nil
}

func (a api) bots(r *http.Request) (any, error) {
	rules, err := rulesOf(r)
	if err != nil {
		return nil, err
	}
	return export.Bots(rules), nil
}

func (a api) rules(r *http.Request) (any, error) {
	return match.AllPresets(), nil
}

func (a api) daily(r *http.Request) (any, error) {
	n, err := limit(r)
	day, dayErr := dayOf(r)
	if err = cmp.Or(err, dayErr); err != nil {
		return nil, err
	}
	d, err := a.answers.daily(r.Context(), day, n)
	if err != nil {
		return nil, err
	}
	return export.DailyOf(d), nil
}

func (a api) player(r *http.Request) (any, error) {
	about, _, err := a.Server.player(r, r.PathValue("name"))
	if err != nil {
		return nil, err
	}
	return export.ProfileOf(about), nil
}

// Failure is the body of an error of the API.
type Failure struct {
	Error string `json:"error"`
}

// fail writes an error of the API.
func (a api) fail(w http.ResponseWriter, err error) {
	code, text := status(err), "not found: check the address and its parameters"
	if code != http.StatusNotFound {
		text = "the server cannot answer now: try again in a moment"
		w.Header().Set("Retry-After", "5")
		a.cfg.Log.Warn("cannot answer a request", "error", err)
	}
	respondError(w, code, text)
}

// matchEvents serves the events of a running match.
func (a api) matchEvents(w http.ResponseWriter, r *http.Request) {
	m, release, err := a.hub.Match(r.Context(), strings.ToLower(r.PathValue("id")))
	if err != nil {
		a.fail(w, err)
		return
	}
	a.stream(w, r, m, release)
}

// allEvents serves the events of all public matches.
func (a api) allEvents(w http.ResponseWriter, r *http.Request) {
	all, release := a.hub.All()
	a.stream(w, r, all, release)
}
