package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/sanitize"
	"broadside/internal/store"
	"broadside/internal/svg"
	"broadside/internal/view"
	"broadside/lobby/account"
	"broadside/lobby/daily"
	"broadside/lobby/ladder"
	"broadside/match"
)

// Numbers of rows on pages.
const (
	rankRows  = 100
	dailyRows = 100
	gameRows  = 20
)

// category is a leaderboard by its name in addresses.
type category struct {
	name    string
	text    i18n.Key
	players store.Category
}

var categories = []category{
	{"all", "All", store.AllPlayers},
	{"people", "People", store.People},
	{"bots", "Bots and programs", store.ProgramsAndBots},
}

// parseCategory returns the leaderboard that an address asks for.
func (p *page) parseCategory() (category, error) {
	of := cmp.Or(p.r.URL.Query().Get("of"), "all")
	for _, c := range categories {
		if c.name == of {
			return c, nil
		}
	}
	return category{}, errNotFound
}

// parseRules returns the rule set that an address asks for, or classic.
func (p *page) parseRules() (match.Rules, error) {
	rules, err := match.Preset(cmp.Or(p.r.URL.Query().Get("rules"), "classic"))
	if err != nil {
		return rules, errNotFound
	}
	return rules, nil
}

// rulesTabs returns a choice among the rule sets. address returns a list's address.
func (p *page) rulesTabs(current string, address func(rules string) string) g.Node {
	var all []tab
	for _, rules := range match.PresetNames() {
		all = append(all, tab{rules, p.localizedPath(address(rules)), rules == current})
	}
	return tabList(p.translate("Rules"), all)
}

// listStandings returns the leaderboard that an address asks for.
func (p *page) listStandings(limit int) ([]store.Standing, error) {
	rules, err := p.parseRules()
	if err != nil {
		return nil, err
	}
	c, err := p.parseCategory()
	if err != nil {
		return nil, err
	}
	return p.session.Leaderboard(p.r.Context(), c.players, rules.Name, limit)
}

func (p *page) readLeaderboard() (g.Node, error) {
	about := p.translate("Glicko-2 ratings with their deviation. Players with a provisional rating are not listed.")
	p.Title, p.Description = p.translate("Leaderboard"), about
	all, err := p.listStandings(rankRows)
	if err != nil {
		return nil, err
	}
	// listStandings has checked both.
	rules, _ := p.parseRules()
	c, _ := p.parseCategory()
	address := func(rules, of string) string { return "/leaderboard?rules=" + rules + "&of=" + of }
	var of []tab
	for _, x := range categories {
		of = append(of, tab{p.translate(x.text), p.localizedPath(address(rules.Name, x.name)), x.name == c.name})
	}
	return g.Group{
		h.H1(g.Text(p.Title)),
		p.rulesTabs(rules.Name, func(rules string) string { return address(rules, c.name) }),
		tabList(p.translate("Players"), of),
		listTable(p, "None yet.", view.LeaderboardList, view.LeaderboardRows(p.Lang, all),
			func(x view.RankedPlayer) string { return p.profilePath(x.Name) }),
		noteParagraph(about),
	}, nil
}

// readLadderReport returns the ladder that an address asks for.
func (p *page) readLadderReport() (l ladder.Report, err error) {
	rules, err := p.parseRules()
	if err != nil || !p.site.cfg.Ladder {
		return l, errNotFound
	}
	return p.session.LadderReport(p.r.Context(), rules.Name)
}

func (p *page) readLadder() (g.Node, error) {
	about := p.translate("Registered programs play rated matches here day and night. Ratings with a question mark are provisional.")
	p.Title, p.Description = p.translate("Ladder"), about
	l, err := p.readLadderReport()
	if err != nil {
		return nil, err
	}
	return p.ladderContent(l), nil
}

// ladderContent returns the content of a ladder's page.
func (p *page) ladderContent(l ladder.Report) g.Node {
	return g.Group{
		h.H1(g.Text(p.Title)),
		h.P(g.Text(p.Description)),
		p.rulesTabs(l.Rules, func(rules string) string { return "/ladder?rules=" + rules }),
		listTable(p, "None yet.", view.LadderList, l.Players,
			func(x ladder.Standing) string { return p.ladderPlayerPath(x.Name, l.Rules) }),
	}
}

// ladderPlayerPath returns the link to a ladder player's page.
func (p *page) ladderPlayerPath(name, rules string) string {
	return p.localizedPath("/ladder/" + url.PathEscape(name) + "?rules=" + rules)
}

// findLadderPlayer returns the ladder player that an address asks for.
func (p *page) findLadderPlayer() (about ladder.Page, err error) {
	l, err := p.readLadderReport()
	if err != nil {
		return about, err
	}
	isNamed := func(x ladder.Standing) bool { return strings.EqualFold(x.Name, p.r.PathValue("name")) }
	at := slices.IndexFunc(l.Players, isNamed)
	if at < 0 {
		return about, errNotFound
	}
	return p.session.LadderPage(p.r.Context(), l.Rules, l.Players[at].Name)
}

func (p *page) readLadderPlayer() (g.Node, error) {
	about, err := p.findLadderPlayer()
	if err != nil {
		return nil, err
	}
	facts := view.LadderFacts(p.Lang, &about)
	p.Title, p.Description, p.Path = about.Name, facts[0], "/ladder/"+about.Name
	return g.Group{
		h.H1(g.Text(view.LadderName(p.Lang, about.Name))),
		g.Map(facts, func(text string) g.Node { return h.P(g.Text(text)) }),
		h.P(linkOrText(p.profilePath(about.Name), p.translate("Profile"))),
		heading(p.translate("Recent matches")),
		listTable(p, "None yet.", view.LadderMatchesList, about.Last,
			func(x ladder.Game) string { return p.localizedPath("/m/" + x.ID) }),
		heading(p.translate("Opponents")),
		listTable(p, "None yet.", view.LadderOpponentsList, about.Opponents,
			func(x ladder.Opponent) string { return p.ladderPlayerPath(x.Name, about.Rules) }),
	}, nil
}

// parseDay returns the day in an address. Without one, or for the word today, it is the current
// day.
func (p *page) parseDay() (day time.Time, err error) {
	today, text := daily.PuzzleDay(time.Now()), p.r.PathValue("day")
	if text == "" || text == "today" {
		text = today
	}
	day, err = time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < 2000 || day.Format(time.DateOnly) > today {
		return day, errNotFound
	}
	return day, nil
}

func (p *page) readDaily() (g.Node, error) {
	about := p.translate("One hidden fleet a day, the same for everyone. The player who sinks it with the fewest shots leads.")
	day, err := p.parseDay()
	if err != nil {
		return nil, err
	}
	d, err := p.session.DailyLeaderboard(p.r.Context(), day.Format(time.DateOnly), dailyRows)
	if err != nil {
		return nil, err
	}
	p.Title, p.Description = p.translate("Daily sea, %s", p.Lang.LongDate(day)), about
	if p.r.PathValue("day") == "today" {
		p.Path = "/daily"
	}
	step := func(days int, rel, text string) g.Node {
		to := day.AddDate(0, 0, days).Format(time.DateOnly)
		if to > daily.PuzzleDay(time.Now()) {
			return nil
		}
		return h.A(h.Class("key"), h.Rel(rel), h.Href(p.localizedPath("/daily/"+to)), g.Text(text))
	}
	var winner []daily.Row
	if d.Yesterday.Place > 0 {
		winner = []daily.Row{d.Yesterday}
	}
	finished := p.textNode("%d ranked player has finished.||%d ranked players have finished.", d.Finished)
	return g.Group{
		h.H1(g.Text(p.Title)),
		h.P(joinWithSpaces(g.Text(about), finished)),
		h.P(h.Class("buttons"), joinWithSpaces(
			step(-1, "prev", "← "+p.translate("Previous day")),
			step(1, "next", "→ "+p.translate("Next day")),
		)),
		listTable(p, "No ranked player has sunk this fleet yet.", view.DailyList, d.Best,
			func(x daily.Row) string { return p.profilePath(x.Name) }),
		p.finisherList(p.translate("Not ranked"), d.Newcomers),
		p.finisherList(p.translate("Previous day's winner"), winner),
	}, nil
}

// finisherList returns a list of players and their shots, with a title, or nothing.
func (p *page) finisherList(name string, all []daily.Row) g.Node {
	if len(all) == 0 {
		return nil
	}
	return g.Group{heading(name), h.Ul(h.Class("people"), g.Map(all, func(x daily.Row) g.Node {
		return h.Li(joinWithSpaces(linkOrText(p.profilePath(x.Name), x.Name), g.Textf("%d", x.Shots)))
	}))}
}

// findProfile returns the named player's profile and newest matches.
func (p *page) findProfile(name string) (about account.Profile, games []store.Summary, err error) {
	found, err := p.session.FindAccount(p.r.Context(), name)
	if err != nil {
		return about, nil, err
	}
	about, err = p.session.Profile(p.r.Context(), found.ID, false)
	if err != nil {
		return about, nil, err
	}
	games, err = p.session.FinishedMatches(p.r.Context(), found.ID, store.Cursor{}, gameRows)
	return about, games, err
}

func (p *page) readProfile() (g.Node, error) {
	name, ok := strings.CutPrefix(p.r.PathValue("name"), "@")
	if !ok {
		return nil, errNotFound
	}
	about, games, err := p.findProfile(name)
	if err != nil {
		return nil, err
	}
	name = about.Player.Name
	p.Title, p.Path = name, "/@"+name
	p.Description = p.translate("Ratings, statistics and recent matches of %s.", name)
	var results []g.Node
	for _, m := range slices.Backward(games) {
		if !m.Reason.IsVoid() {
			results = append(results, p.resultSign(m, about.Player.ID))
		}
	}
	streak := view.Streak(p.Lang, &about.Career)
	unlisted := len(games) < gameRows && about.Total().Games > len(results)
	return g.Group{
		h.H1(g.Text(name)),
		h.P(h.Class("line"), joinWithSpaces(
			p.textNode(narrate.AccountKindName(about.Player.Kind)),
			noteSpan(p.translate("since")+" "+p.Lang.LongDate(about.Player.Created)),
		)),
		g.If(len(about.Rules) > 0, listTable(p, "None yet.", view.ProfileList, about.Rules,
			func(account.RulesProfile) string { return "" })),
		g.Map(about.Rules, func(r account.RulesProfile) g.Node { return p.rulesProfile(&r, about.Career.Ratings[r.Name]) }),
		g.If(len(about.Career.Opponents) > 0, g.Group{
			heading(p.translate("Opponents")),
			listTable(p, "None yet.", view.LadderOpponentsList, about.Career.Opponents,
				func(x ladder.Opponent) string { return p.profilePath(x.Name) }),
		}),
		p.finishedTable(games),
		g.If(streak != "", h.P(joinWithSpaces(p.textNode("Current streak:"), g.Text(streak)))),
		g.If(len(results) > 0,
			h.P(joinWithSpaces(p.textNode("Results, newest last:"), joinWithSpaces(results...), noteSpan(p.translate("● won  ○ lost"))))),
		g.If(unlisted, noteParagraph(p.translate("Private matches count but are not listed."))),
	}, nil
}

// rulesProfile returns a player's rating over time and best first shots under a rule set.
func (p *page) rulesProfile(r *account.RulesProfile, ratings []float64) g.Node {
	best, worst := r.BestFirstShots()
	name := sanitize.Text(r.Name)
	return g.Group{
		g.Iff(len(ratings) > 1, func() g.Node {
			label := p.translate("Rating over time, %s", name)
			return g.Group{heading(label), svg.LineElement(ratings, label), noteParagraph(view.RatingRange(ratings))}
		}),
		g.If(len(best) > 0, h.P(
			p.textNode("Best first shots, %s: %s", name, view.CellRates(p.Lang, best)), h.Br(),
			p.textNode("Worst first shots, %s: %s", name, view.CellRates(p.Lang, worst)))),
	}
}

// resultSign returns the sign of a player's result, with its word for screen readers.
func (p *page) resultSign(m store.Summary, player string) g.Node {
	sign, word := "○", p.translate("lost##result")
	switch {
	case m.Winner == match.Nobody:
		sign, word = "·", p.translate("drawn")
	case m.Seats[m.Winner].Player == player:
		sign, word = "●", p.translate("won##result")
	}
	return h.B(h.Role("img"), h.Aria("label", word), g.Text(sign))
}

// finishedTable returns the table of finished matches, with a title.
func (p *page) finishedTable(games []store.Summary) g.Node {
	named := make([]store.Summary, len(games))
	for i, m := range games {
		named[i] = replaceGuestNames(m, p.translate("guest"))
	}
	return g.Group{
		heading(p.translate("Recent matches")),
		listTable(p, "None yet.", view.HistoryList, view.HistoryRows(p.Lang, named),
			func(m view.FinishedMatch) string { return p.localizedPath("/m/" + m.ID) }),
	}
}

// replaceGuestNames returns a match in which guests have the given name.
func replaceGuestNames(m store.Summary, name string) store.Summary {
	for side, seat := range m.Seats {
		if seat.Kind == store.Person && seat.Player == "" {
			m.Seats[side].Name = name
		}
	}
	return m
}

type protocolLine struct {
	text            string
	meaning, sender i18n.Key
}

// protocolLines explains a match's lines.
var protocolLines = []protocolLine{
	{"(3,[]).", "you defend first", "server"},
	{"(4,[]).", "you attack first", "server"},
	{"(5,[]).", "the battle starts", "server"},
	{"(1,[X,Y]).", "attack column X, row Y, both counted from 0", "attacker"},
	{"(2,[X,Y,R]).", "result: 1 miss, 2 hit, 3 sunk, 4 last ship sunk", "defender"},
}

var protocolList = view.List[protocolLine]{
	Columns: []view.Column{{Title: "Line", Kind: view.Heading}, {Title: "Meaning"}, {Title: "Sent by"}},
	Cells: func(l i18n.Language, x protocolLine) []string {
		return []string{x.text, l.Text(x.meaning), l.Text(x.sender)}
	},
}

func (p *page) readPrograms() (g.Node, error) {
	about := p.translate("Programs in any language play in the same matches as people, over a line protocol. A program connects, waits for its role, and then sends and reads one line per command.")
	p.Title, p.Description = p.translate("Programs"), about
	return g.Group{
		h.H1(g.Text(p.Title)),
		h.P(g.Text(about)),
		p.commandBox("TCP", p.relayAddress()),
		listTable(p, "None yet.", protocolList, protocolLines, func(protocolLine) string { return "" }),
		h.P(p.textNode("After each result, the sides swap. To choose an opponent or use a name, send directives before anything else:")),
		h.Pre(h.Code(g.Text("% hello broadside/1 name=kraken\n% vs bot hard"))),
		h.P(p.textNode("The same protocol, encrypted and under your account:")),
		h.Pre(h.Code(g.Text(p.sshCommand() + " relay --vs hard"))),
		heading("API"),
		h.P(joinWithSpaces(
			p.textNode("Matches, records, ratings and live events are also available as JSON and as server-sent events:"),
			linkOrText(apiRoot+"/openapi.json", apiRoot+"/openapi.json"),
		)),
	}, nil
}

// serveUnknown serves addresses without a page.
func (s *Server) serveUnknown(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		writeRefusal(w, r, http.StatusMethodNotAllowed, "only GET and HEAD are allowed")
	case isForAPI(r):
		s.newPage(r).apiFailure(errNotFound).write(w, r)
	default:
		s.newPage(r).errorPage(errNotFound).write(w, r)
	}
}

// serveRobots asks search engines not to read event streams.
func serveRobots(w http.ResponseWriter, r *http.Request) {
	body := []byte("User-agent: *\nDisallow: /api/\nDisallow: /turns/\n")
	response{contentType: "text/plain; charset=utf-8", cache: permanent, body: body}.write(w, r)
}
