package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/lobby/ladder"
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

// rulesOf returns the rule set in the query of a request; without one, classic.
func rulesOf(r *http.Request) (match.Rules, error) {
	rules, err := match.Preset(cmp.Or(r.URL.Query().Get("rules"), "classic"))
	if err != nil {
		return rules, errNotFound
	}
	return rules, nil
}

// readLadder returns the requested ladder.
func (s *Server) readLadder(r *http.Request) (l ladder.Report, err error) {
	rules, err := rulesOf(r)
	if err != nil || !s.cfg.Ladder {
		return l, errNotFound
	}
	return s.answers.ladder(r.Context(), rules.Name)
}

// readLadderPage returns the requested page of a player of the ladder.
func (s *Server) readLadderPage(r *http.Request) (about ladder.Page, err error) {
	l, err := s.readLadder(r)
	if err != nil {
		return about, err
	}
	at := slices.IndexFunc(l.Players, func(p ladder.Standing) bool { return strings.EqualFold(p.Name, r.PathValue("name")) })
	if at < 0 {
		return about, errNotFound
	}
	return s.answers.ladderPage(r.Context(), l.Rules, l.Players[at].Name)
}

func (s *Server) ladder(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "ladder")
	p.Title, p.Description = p.T("Ladder"), p.T("Registered programs play rated matches here day and night. Ratings with a question mark are provisional.")
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
	p.render(w, http.StatusOK)
}

func (p *page) ladderRows(l ladder.Report) (rows []ladderRow) {
	for _, x := range l.Players {
		rows = append(rows, ladderRow{
			Place: x.Place, Name: x.Name, Link: p.ladderLink(x.Name, l.Rules), Kind: p.T(narrate.AccountKind(store.Kind(x.Kind))), Games: p.Number(x.Games), Won: p.Number(x.Won), Online: x.Online,
			Rating: x.RatingText(),
		})
	}
	return rows
}

func (x ladderPage) markup(p *page) g.Node {
	columns := []column{{"Place", plain}, {"Name", heading}, {"Kind", details}, {"Rating", numbers}, {"Rated matches", numbers}, {"Won", numbers}}
	return g.Group{
		h.H1(g.Text(p.Title)),
		h.P(p.text("Registered programs play rated matches here day and night. Ratings with a question mark are provisional.")),
		tabs(p.T("Rules"), x.Rules),
		table(p, "None yet.", columns, x.Rows, func(r ladderRow) []g.Node {
			name := spaced(link(r.Link, r.Name), g.If(r.Online, remark(p.T("Online"))))
			return []g.Node{g.Textf("%d", r.Place), name, g.Text(r.Kind), g.Text(r.Rating), g.Text(r.Games), g.Text(r.Won)}
		}),
	}
}

// ladderLink returns the link to the page of a player of the ladder.
func (p *page) ladderLink(name, rules string) string {
	return p.Link("/ladder/" + url.PathEscape(name) + "?rules=" + rules)
}

// ladderPlayerPage is the content of the page of a player of the ladder.
type ladderPlayerPage struct {
	Name, Profile string
	Facts         []string
	Games         []ladderGame
	Opponents     []ladderRow // without rating
}

type ladderGame struct{ Link, Opponent, Result, Shots, Ended string }

func (s *Server) ladderPlayer(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(r, "ladder")
	about, err := s.readLadderPage(r)
	if err != nil {
		s.fail(w, p, err)
		return
	}
	p.Path = "/ladder/" + about.Name
	p.Title, p.Description = about.Name, p.Lang.Text("%s is number %d on the ladder in %s, rated %s.", about.Name, about.Place, about.Rules, about.RatingText())
	p.Body = p.ladderPlayer(about)
	p.render(w, http.StatusOK)
}

// ladderPlayer returns the content of the page of a player.
func (p *page) ladderPlayer(about ladder.Page) ladderPlayerPage {
	body := ladderPlayerPage{Name: about.Name, Profile: p.Profile(about.Name, true)}
	add := func(text string) { body.Facts = append(body.Facts, text) }
	add(p.Description)
	add(p.Lang.Text("Matches: %d, won: %d, lost: %d.", about.Games, about.Won, about.Lost))
	for _, reason := range about.LossReasons() {
		why, _ := match.ParseReason(reason)
		add(p.Lang.Text("Losses: %d (%s)", about.Losses[reason], p.Lang.Text(narrate.Reason(why))))
	}
	for _, g := range about.Last {
		result := map[bool]i18n.Key{true: "won##result", false: "lost##result"}[g.Won]
		why, _ := match.ParseReason(g.Reason)
		body.Games = append(body.Games, ladderGame{
			Link: p.Link("/m/" + g.ID), Opponent: g.Opponent, Result: p.T(result) + ", " + p.Lang.Text(narrate.Reason(why)), Shots: p.Number(g.Shots), Ended: p.Date(g.Ended),
		})
	}
	for _, o := range about.Opponents {
		body.Opponents = append(body.Opponents, ladderRow{Name: o.Name, Link: p.ladderLink(o.Name, about.Rules), Games: p.Number(o.Games), Won: p.Number(o.Won)})
	}
	return body
}

func (x ladderPlayerPage) markup(p *page) g.Node {
	columns := []column{{"Name", heading}, {"Matches", numbers}, {"Won", numbers}}
	return g.Group{
		h.H1(g.Text(x.Name)),
		g.Map(x.Facts, func(text string) g.Node { return h.P(g.Text(text)) }),
		h.P(link(x.Profile, p.T("Profile"))),
		x.games(p),
		title(p.T("Opponents")),
		table(p, "None yet.", columns, x.Opponents, func(o ladderRow) []g.Node {
			return []g.Node{link(o.Link, o.Name), g.Text(o.Games), g.Text(o.Won)}
		}),
	}
}

// games returns the table of a player's newest matches, with a title, or nothing.
func (x ladderPlayerPage) games(p *page) g.Node {
	if len(x.Games) == 0 {
		return nil
	}
	columns := []column{{"Opponent", plain}, {"Result", plain}, {"Shots", numbers}, {"Ended (UTC)", details}}
	return g.Group{title(p.T("Recent matches")), table(p, "None yet.", columns, x.Games, func(m ladderGame) []g.Node {
		return []g.Node{link(m.Link, m.Opponent), g.Text(m.Result), g.Text(m.Shots), g.Text(m.Ended)}
	})}
}

func (a api) ladder(r *http.Request) (any, error) { return a.readLadder(r) }

func (a api) ladderPage(r *http.Request) (any, error) { return a.readLadderPage(r) }
