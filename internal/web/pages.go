package web

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/internal/web/feed"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/daily"
	"broadside/lobby/session"
	"broadside/match"
)

// Numbers of rows on pages.
const (
	onlineRows = 60
	rankRows   = 100
	dailyRows  = 100
	gameRows   = 20
)

// homePage is the content of the home page.
type homePage struct {
	Featured *liveBoards // nil: no match can be shown
	Online   []person
	More     int // people online who are not listed
	Guests   int
	Running  []matchRow
}

// person is a person who is online.
type person struct {
	Name, Link string
}

func (s *Server) home(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "home")
	p.Title, p.Description = "Broadside", p.T("Battleship over SSH: play people, bots and programs from any terminal.")
	lobby, err := s.answers.snapshot(r.Context())
	if err != nil {
		s.fail(w, p, err)
		return
	}
	running := session.Public(lobby.Running)
	var h homePage
	for _, x := range lobby.People {
		switch {
		case x.Player.Account == "":
			h.Guests++
		case len(h.Online) == onlineRows:
			h.More++
		default:
			h.Online = append(h.Online, person{p.Name(x.Player), p.Profile(x.Player.Name, true)})
		}
	}
	if m, release, err := s.hub.Featured(r.Context()); err == nil {
		h.Featured, running = p.boards(m), withFeatured(running, m)
		release()
		p.Refresh = refreshTime
	}
	h.Running = p.rows(running)
	p.Body = h
	p.render(w, http.StatusOK)
}

func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "live")
	p.Title, p.Description, p.Refresh = p.T("Live"), p.T("Battleship over SSH: play people, bots and programs from any terminal."), refreshTime
	running, err := s.answers.matches(r.Context())
	var recent []store.Summary
	if err == nil {
		recent, err = s.answers.games(r.Context(), "", gameRows)
	}
	if err != nil {
		s.fail(w, p, err)
		return
	}
	if m, release, err := s.hub.Featured(r.Context()); err == nil {
		running = withFeatured(running, m)
		release()
	}
	p.Body = livePage{p.rows(running), p.games(recent)}
	p.render(w, http.StatusOK)
}

// withFeatured returns the running matches, preceded by the featured one if it is not among them.
func withFeatured(running []lobby.Running, m *feed.Match) []lobby.Running {
	about := m.Snapshot().About
	if slices.ContainsFunc(running, func(r lobby.Running) bool { return r.ID == about.ID }) {
		return running
	}
	return append([]lobby.Running{about}, running...)
}

// livePage is the content of the page of running and recent matches.
type livePage struct {
	Running []matchRow
	Recent  []gameRow
}

// matchRow is a running match in a list.
type matchRow struct {
	Link, Rules, Since string
	Names              [2]string
	Watching           int
}

// rows returns the rows of matches.
func (p *page) rows(all []lobby.Running) (rows []matchRow) {
	for _, m := range all {
		rows = append(rows, matchRow{
			Link: p.Link("/m/" + m.ID), Rules: m.Rules.Name, Since: p.Date(m.Started), Watching: m.Watching,
			Names: [2]string{p.Name(m.Players[0]), p.Name(m.Players[1])},
		})
	}
	return rows
}

// tab is a choice among lists on a page.
type tab struct {
	Text, Link string
	Current    bool
}

// boards are the leaderboards by their names in addresses.
var boards = []struct {
	name  string
	text  i18n.Key
	board store.Category
}{{"all", "All", store.Everybody}, {"people", "People", store.People}, {"bots", "Bots and programs", store.Machines}}

// leaderboardPage is the content of the leaderboard.
type leaderboardPage struct {
	Rules, Boards []tab
	Rows          []rankRow
}

type rankRow struct {
	Place                           int
	Name, Link, Kind, Rating, Games string
}

// ranking identifies a leaderboard.
type ranking struct {
	board store.Category
	rules string
	limit int
}

// rankingOf reads which leaderboard an address asks for.
func rankingOf(r *http.Request, limit int) (q ranking, of string, err error) {
	rules, err := rulesOf(r)
	if err != nil {
		return q, "", err
	}
	of = cmp.Or(r.URL.Query().Get("of"), "all")
	for _, b := range boards {
		if b.name == of {
			return ranking{b.board, rules.Name, limit}, of, nil
		}
	}
	return q, "", errNotFound
}

func (s *Server) leaderboard(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "leaderboard")
	p.Title, p.Description = p.T("Leaderboard"), p.T("Glicko-2 ratings with their deviation. Players with a provisional rating are not listed.")
	q, of, err := rankingOf(r, rankRows)
	var all []store.Standing
	if err == nil {
		all, err = s.answers.leaderboard(r.Context(), q)
	}
	if err != nil {
		s.fail(w, p, err)
		return
	}
	var body leaderboardPage
	for _, rules := range match.Presets() {
		body.Rules = append(body.Rules, tab{rules, p.Link("/leaderboard?rules=" + rules + "&of=" + of), rules == q.rules})
	}
	for _, b := range boards {
		body.Boards = append(body.Boards, tab{p.T(b.text), p.Link("/leaderboard?rules=" + q.rules + "&of=" + b.name), b.name == of})
	}
	for i, x := range all {
		body.Rows = append(body.Rows, rankRow{
			i + 1, x.Name, p.Profile(x.Name, true), p.T(narrate.AccountKind(x.Kind)), narrate.Standing(x, time.Now()), p.Number(x.Games),
		})
	}
	p.Body = body
	p.render(w, http.StatusOK)
}

// dailyPage is the table of a day.
type dailyPage struct {
	Day                     string
	Earlier, Later          string // links; Later is empty today
	Finished                int
	Best, Newcomers, Before []dailyRow
}

type dailyRow struct {
	Place, Shots int
	Name, Link   string
}

// dayOf returns the day in an address. Without one, or for the word today, it is the current
// day.
func dayOf(r *http.Request) (day time.Time, err error) {
	today, text := daily.Today(time.Now()), r.PathValue("day")
	if text == "" || text == "today" {
		text = today
	}
	day, err = time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < 2000 || day.Format(time.DateOnly) > today {
		return day, errNotFound
	}
	return day, nil
}

func (s *Server) daily(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "daily")
	p.Title, p.Description = p.T("Daily sea"), p.T("One hidden fleet a day, the same for everyone. The player who sinks it with the fewest shots leads.")
	day, err := dayOf(r)
	var d daily.Standing
	if err == nil {
		d, err = s.answers.daily(r.Context(), day, dailyRows)
	}
	if err != nil {
		s.fail(w, p, err)
		return
	}
	p.Title = p.T("Daily sea of %s", p.Lang.Date(day))
	if r.PathValue("day") == "today" {
		p.Path = "/daily"
	}
	body := dailyPage{Day: p.Lang.Date(day), Earlier: p.Link("/daily/" + day.AddDate(0, 0, -1).Format(time.DateOnly)), Finished: d.Finished}
	if next := day.AddDate(0, 0, 1).Format(time.DateOnly); next <= daily.Today(time.Now()) {
		body.Later = p.Link("/daily/" + next)
	}
	row := func(x daily.Row) dailyRow { return dailyRow{x.Place, x.Shots, x.Name, p.Profile(x.Name, true)} }
	for _, x := range d.Best {
		body.Best = append(body.Best, row(x))
	}
	for _, x := range d.Newcomers {
		body.Newcomers = append(body.Newcomers, row(x))
	}
	if d.Yesterday.Place > 0 {
		body.Before = append(body.Before, row(d.Yesterday))
	}
	p.Body = body
	p.render(w, http.StatusOK)
}

// profilePage is a player's profile.
type profilePage struct {
	Name, Kind, Since string
	Results           []result // one for each listed match that is not void, newest last
	Rules             []profileRow
	Games             []gameRow
	Unlisted          bool // private matches count, but are not listed
}

// result is a result's sign, as in a terminal, and its word.
type result struct {
	sign string
	word i18n.Key
}

type profileRow struct{ Rules, Rating, Games, Won, HitRate string }

// gameRow is a finished match in a list.
type gameRow struct {
	Link, Rules, Ended, Winner string
	Names                      [2]string
}

// player returns the profile of the player named in an address, and the player's newest
// matches.
func (s *Server) player(r *http.Request, name string) (about account.Profile, games []store.Summary, err error) {
	account, err := s.answers.account(r.Context(), name)
	if err == nil {
		about, err = s.answers.profile(r.Context(), account.ID)
	}
	if err == nil {
		games, err = s.answers.games(r.Context(), account.ID, gameRows)
	}
	return about, games, err
}

func (s *Server) profile(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "")
	name, ok := strings.CutPrefix(r.PathValue("name"), "@")
	err := errNotFound
	var about account.Profile
	var games []store.Summary
	if ok {
		about, games, err = s.player(r, name)
	}
	if err != nil {
		s.fail(w, p, err)
		return
	}
	name = about.Player.Name
	p.Title, p.Path = name, "/@"+name
	p.Description = p.T("Ratings, statistics and recent matches of %s.", name)
	body := profilePage{Name: name, Kind: p.T(narrate.AccountKind(about.Player.Kind)), Since: p.Lang.Date(about.Player.Created), Games: p.games(games)}
	for _, m := range slices.Backward(games) {
		if !m.Reason.Void() {
			body.Results = append(body.Results, resultOf(m, about.Player.ID))
		}
	}
	body.Unlisted = len(games) < gameRows && about.Total().Games > len(body.Results)
	for _, x := range about.Rules {
		row := profileRow{Rules: x.Name, Rating: "–", Games: p.Number(x.Games), Won: p.Number(x.Won), HitRate: "–"}
		if x.Shots > 0 {
			row.HitRate = narrate.ExactPercent(p.Lang, x.HitRate())
		}
		if x.Standing.RuleSet != "" {
			row.Rating = narrate.Standing(x.Standing, time.Now())
		}
		body.Rules = append(body.Rules, row)
	}
	p.Body = body
	p.render(w, http.StatusOK)
}

// resultOf returns a player's result in a match.
func resultOf(m store.Summary, player string) result {
	switch {
	case m.Winner == match.Nobody:
		return result{"·", "drawn"}
	case m.Seats[m.Winner].Player == player:
		return result{"●", "won##result"}
	}
	return result{"○", "lost##result"}
}

// games returns the rows of finished matches.
func (p *page) games(all []store.Summary) (rows []gameRow) {
	for _, m := range all {
		row := gameRow{Link: p.Link("/m/" + m.ID), Rules: m.RuleSet, Ended: p.Date(m.Ended()), Winner: "–"}
		for side := range m.Seats {
			row.Names[side] = p.seatName(m, match.Side(side))
		}
		if m.Winner != match.Nobody {
			row.Winner = row.Names[m.Winner]
		}
		rows = append(rows, row)
	}
	return rows
}

// seatName returns the name of a player of a finished match.
func (p *page) seatName(m store.Summary, side match.Side) string {
	if isGuest(m, side) {
		return p.T("guest")
	}
	return m.Seats[side].Name
}

func isGuest(m store.Summary, side match.Side) bool {
	return m.Seats[side].Kind == store.Person && m.Seats[side].Player == ""
}

func (s *Server) programs(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "programs")
	p.Title, p.Description, p.Body = p.T("Programs"), p.T("Programs in any language play in the same matches as people, over a line protocol. A program connects, waits for its role, and then sends and reads one line per command."), programsPage{}
	p.render(w, http.StatusOK)
}

// unknown serves addresses without a page.
func (s *Server) unknown(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, r, http.StatusMethodNotAllowed, "only GET and HEAD are allowed")
		return
	}
	if forAPI(r) {
		api{s}.fail(w, errNotFound)
		return
	}
	s.fail(w, s.newPage(r, ""), errNotFound)
}

// robots asks search engines not to read event streams.
func (s *Server) robots(w http.ResponseWriter, r *http.Request) {
	respond(w, r, "text/plain; charset=utf-8", permanent, []byte("User-agent: *\nDisallow: /api/\n"))
}

// errNotFound is returned for an address without content.
var errNotFound = errors.New("not found")

// status returns the HTTP status of an error.
func status(err error) int {
	if slices.ContainsFunc([]error{errNotFound, store.ErrNotFound, feed.ErrNoMatch}, func(e error) bool { return errors.Is(err, e) }) {
		return http.StatusNotFound
	}
	return http.StatusServiceUnavailable
}

// fail writes the page of an error.
func (s *Server) fail(w http.ResponseWriter, p *page, err error) {
	code := status(err)
	name, about := p.T("Page not found"), p.T("There is nothing at this address. The match may have ended without a record, or the name may be misspelled.")
	if code != http.StatusNotFound {
		name, about = p.T("Not available"), p.T("The server can't show this page right now. Try again in a moment.")
		w.Header().Set("Retry-After", "5")
		s.cfg.Log.Warn("cannot answer a request", "path", p.r.URL.Path, "error", err)
	}
	p.Title, p.Path, p.Description, p.Body = name, "", about, message(about)
	w.Header().Set("Cache-Control", "no-store")
	p.render(w, code)
}
