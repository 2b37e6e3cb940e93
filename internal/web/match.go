package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/internal/svg"
	"broadside/internal/view"
	"broadside/internal/web/feed"
	"broadside/lobby"
	"broadside/lobby/tournament"
	"broadside/match"
	"broadside/tui/text"
)

// refreshTime is the interval, in seconds, at which browsers without JavaScript read live
// pages again.
const refreshTime = 5

// onlineRows is the maximum number of players that the home page lists.
const onlineRows = 60

const tagline i18n.Key = "Battleship over SSH: play people, bots and programs from any terminal."

func (p *page) readHome() (g.Node, error) {
	p.Title, p.Description = "Broadside", p.translate(tagline)
	featured := noteParagraph(p.translate("No match is running."))
	if m, release, err := p.site.hub.FollowFeatured(p.r.Context()); err == nil {
		// The list has the match of two bots only while it is followed.
		defer release()
		featured, p.Refresh = p.newLiveBoards(m).featuredMarkup(p), refreshTime
	}
	fingerprint := joinWithSpaces(p.textNode("Host key fingerprint:"), h.Code(g.Text(p.site.cfg.Fingerprint)))
	return g.Group{
		h.Section(h.Class("hero"),
			h.H1(h.Span(h.Class("word"), g.Text("BROADSIDE")), h.Span(h.Class("tagline"), p.textNode(tagline))),
			h.P(p.textNode("You need only an SSH client. There is nothing to install and no account to create: your SSH key is your account, and without one you play as a guest.")),
			p.commandBox(p.translate("To play, run this in a terminal"), p.sshCommand(), h.P(h.Class("note"), fingerprint)),
		),
		h.Div(h.Class("columns"),
			cardSection(p.translate("Featured match"), featured),
			h.Div(h.Class("stack"),
				cardSection(p.translate("Live"), p.runningList(p.session.RunningMatches())),
				p.tournamentCard(),
				cardSection(p.translate("Online"), p.onlineList(p.session.LobbySnapshot().People)),
			),
		),
	}, nil
}

// runningRows returns the rows of running matches. Guests have no name.
func (p *page) runningRows(all []lobby.RunningMatch) []view.RunningMatch {
	public := make([]lobby.RunningMatch, len(all))
	for i, m := range all {
		public[i] = feed.ReplaceGuestNames(m, p.translate("guest"))
	}
	return view.MatchRows(p.Lang, public)
}

// runningList returns the list of running matches.
func (p *page) runningList(all []lobby.RunningMatch) g.Node {
	if len(all) == 0 {
		return noteParagraph(p.translate("No match is running."))
	}
	return h.Ul(h.Class("matches"), g.Map(p.runningRows(all), func(m view.RunningMatch) g.Node {
		about := m.Terms
		if m.Watching > 0 {
			about += " · " + p.translate("%d watching||%d watching", m.Watching)
		}
		return h.Li(joinWithSpaces(linkOrText(p.localizedPath("/m/"+m.ID), view.MatchTitle(m.Names)), noteSpan(about)))
	}))
}

// tournamentCard returns the scheduled tournaments, or nothing if there are none.
func (p *page) tournamentCard() g.Node {
	all := p.session.LobbySnapshot().Scheduled
	return g.If(len(all) > 0, cardSection(p.translate("Tournaments"), h.Ul(h.Class("matches"), g.Map(all, func(t *tournament.Tournament) g.Node {
		join := p.sshCommand() + " tournament join " + t.Code
		return h.Li(joinWithSpaces(g.Text(text.TournamentName(t)), noteSpan(text.TournamentSummary(p.Lang, t)), h.Code(g.Text(join))))
	}))))
}

// onlineList returns the list of players who are online.
func (p *page) onlineList(all []lobby.Presence) g.Node {
	var people []g.Node
	guests := 0
	for _, x := range all {
		if x.Player.Account == "" {
			guests++
			continue
		}
		people = append(people, h.Li(linkOrText(p.profilePath(x.Player.Name), view.NameWithKind(p.Lang, x.Player))))
	}
	if len(people) == 0 && guests == 0 {
		return noteParagraph(p.translate("No one is online."))
	}
	more := len(people) - onlineRows
	return h.Ul(h.Class("people"),
		g.Group(people[:min(len(people), onlineRows)]),
		g.If(more > 0, h.Li(g.Textf("+%d", more))),
		g.If(guests > 0, h.Li(h.Class("note"), g.Textf("%d × %s", guests, p.translate("guest")))),
	)
}

func (p *page) readLive() (g.Node, error) {
	p.Title, p.Description, p.Refresh = p.translate("Live"), p.translate(tagline), refreshTime
	recent, err := p.session.FinishedMatches(p.r.Context(), "", store.Cursor{}, gameRows)
	if err != nil {
		return nil, err
	}
	if _, release, err := p.site.hub.FollowFeatured(p.r.Context()); err == nil {
		// The list has the match of two bots only while it is followed.
		defer release()
	}
	return g.Group{
		h.H1(g.Text(p.Title)),
		listTable(p, "No match is running.", view.MatchesList, p.runningRows(p.session.RunningMatches()),
			func(m view.RunningMatch) string { return p.localizedPath("/m/" + m.ID) }),
		p.finishedTable(recent),
	}, nil
}

func (p *page) matchID() string { return strings.ToLower(p.r.PathValue("id")) }

// readMatch returns the content of a match's page: live while it runs, and then its replay.
func (p *page) readMatch() (g.Node, error) {
	p.Path = "/m/" + p.matchID()
	m, release, err := p.site.hub.FollowMatch(p.r.Context(), p.matchID())
	if errors.Is(err, feed.ErrNoMatch) {
		return p.readReplay()
	}
	if err != nil {
		return nil, err
	}
	defer release()
	b := p.newLiveBoards(m)
	if b.status.Phase == "over" {
		content, err := p.readReplay()
		if err == nil || !errors.Is(err, store.ErrNotFound) {
			return content, err
		}
	}
	p.Title = p.translate("Live: %s – %s", b.names[0], b.names[1])
	p.Description = p.Title + ". " + b.line
	p.Refresh, p.Unlisted = refreshTime, b.Private
	return b.pageMarkup(p), nil
}

// sides are both sides of a match on a page.
type sides struct {
	names [2]string
	// links are the addresses of profiles. Guests have none.
	links  [2]string
	boards [2]*svg.Board
	status feed.Status
	// accuracy is empty until the finished match is analysed.
	accuracy [2]string
}

func newSides(v *match.View, names, links [2]string) sides {
	s := sides{names: names, links: links, status: feed.NewStatus(v)}
	for side := range s.boards {
		s.boards[side] = svg.NewBoard(v, match.Side(side))
	}
	return s
}

// liveBoards is a running match on a page.
type liveBoards struct {
	sides
	lobby.RunningMatch
	// feed is the address of the match's events.
	feed string
	// line says what is happening.
	line string
	log  []string
}

// newLiveBoards returns a running match for the page.
func (p *page) newLiveBoards(m *feed.Match) *liveBoards {
	now := m.Snapshot()
	var names, links [2]string
	for side, player := range feed.ReplaceGuestNames(now.Running, p.translate("guest")).Players {
		names[side] = view.NameWithKind(p.Lang, player)
		if player.Account != "" {
			links[side] = p.profilePath(player.Name)
		}
	}
	b := &liveBoards{
		sides: newSides(&now.View, names, links), RunningMatch: now.Running,
		feed: apiRoot + "/matches/" + now.Running.ID + "/events?last-event-id=" + now.Position,
	}
	b.line = p.statusLine(b.status, names)
	for _, e := range now.Log {
		line := p.logLine(e, names)
		if line != "" {
			b.log = append(b.log, line)
		}
	}
	return b
}

// boardsMarkup returns both boards with their figures.
func (s *sides) boardsMarkup(p *page) g.Node {
	return g.Group{
		g.Raw(svg.SeaSymbol(s.boards[0].Size())),
		h.Div(h.Class("boards"), h.Data("names", s.names[0]+"\n"+s.names[1]), s.playerSection(p, 0), s.playerSection(p, 1)),
	}
}

// playerSection returns a player's board with its figures.
func (s *sides) playerSection(p *page, i int) g.Node {
	number := strconv.Itoa(i)
	figure := func(text i18n.Key, value string, attrs ...g.Node) g.Node {
		return h.Span(joinWithSpaces(p.textNode(text), h.B(g.Group(attrs), g.Text(value))))
	}
	return h.Section(h.Class("side"),
		h.H2(linkOrText(s.links[i], s.names[i])),
		p.boardGrid(s.boards[i], "board-"+number, s.names[i]),
		h.P(h.Class("figures"), h.Data("side", number), joinWithSpaces(
			figure("Shots", strconv.Itoa(s.status.Shots[i]), g.Attr("data-shots")),
			figure("Hits", strconv.Itoa(s.status.Hits[i]), g.Attr("data-hits")),
			figure("Ships afloat", strconv.Itoa(s.status.Afloat[i]), g.Attr("data-afloat")),
			g.If(s.accuracy[i] != "", figure("Accuracy", s.accuracy[i])),
		)),
	)
}

// boardGrid returns a board.
func (p *page) boardGrid(b *svg.Board, id, owner string) g.Node {
	return b.GridElement(id, p.translate("%s's board", owner), func(at match.Cell, c svg.Cell) string {
		label := at.String() + " " + p.translate(stateTexts[c.State])
		if c.OddsStep > 0 {
			label += ", " + c.Glyph + " %"
		}
		return label
	})
}

// liveElement returns an element that the module keeps up to date. When the match is over, the module
// loads the page at the address next.
func (b *liveBoards) liveElement(next string, content ...g.Node) g.Node {
	return h.Div(h.Data("live", b.feed), h.Data("phase", b.status.Phase), h.Data("again", next), g.Group(content))
}

// statusText returns what is happening in a match. The module keeps it up to date.
func statusText(line string) g.Node {
	return h.Span(h.Class("status"), g.Attr("data-status"), h.Role("status"), g.Text(line))
}

// featuredMarkup returns the match as the home page shows it.
func (b *liveBoards) featuredMarkup(p *page) g.Node {
	return b.liveElement("/",
		h.P(h.Class("line"), joinWithSpaces(
			linkOrText(p.localizedPath("/m/"+b.ID), view.MatchTitle(b.names)), noteSpan(b.Rules.Name), statusText(b.line),
		)),
		b.sides.boardsMarkup(p),
	)
}

// pageMarkup returns the match as its own page shows it.
func (b *liveBoards) pageMarkup(p *page) g.Node {
	shots := p.translate("Shots")
	return b.liveElement(p.localizedPath("/m/"+b.ID),
		h.H1(g.Text(view.MatchTitle(b.names))),
		h.P(h.Class("line"), joinWithSpaces(h.Span(h.Class("chip"), p.textNode("Live")), statusText(b.line), noteSpan(b.Rules.Name))),
		b.sides.boardsMarkup(p),
		cardSection(shots, h.Ol(h.Class("log"), g.Attr("data-log"), h.Role("log"), h.TabIndex("0"), h.Aria("label", shots),
			g.Map(b.log, func(line string) g.Node { return h.Li(g.Text(line)) }))),
		h.P(h.Class("note"), joinWithSpaces(p.textNode("In a terminal:"), h.Code(g.Text(p.sshCommand()+" watch "+b.ID)))),
	)
}

func (p *page) statusLine(s feed.Status, names [2]string) string {
	switch {
	case s.Winner != nil:
		return p.translate(narrate.WonText, names[*s.Winner])
	case s.Phase == "over":
		return p.translate(narrate.NobodyWonText)
	case s.Turn != nil:
		return p.translate(narrate.AimingText, names[*s.Turn])
	}
	return p.translate(narrate.PlacingText)
}

// logLine describes an event, or returns "" for an event that the log leaves out.
func (p *page) logLine(e match.EncodedEvent, names [2]string) string {
	switch e.Event {
	case "answered":
		return p.translate(narrate.FiredText, names[1-*e.Player], e.Cell, narrate.ResultName(e.Result))
	case "begun":
		return p.translate(narrate.BeginsText, names[*e.Player])
	case "ended":
		if e.Player == nil {
			return p.translate(narrate.NobodyWonText)
		}
		return p.translate(narrate.WonText, names[*e.Player])
	}
	return ""
}

// matchPicture returns a picture of a match, running or finished.
func (p *page) matchPicture() (response, error) {
	both, err := p.readSides()
	if err != nil {
		return response{}, err
	}
	var f svg.Frame
	for side, board := range both.boards {
		f.Panels[side] = svg.Panel{Title: both.names[side], Board: board}
	}
	picture := svg.DrawSheet("Broadside", view.MatchTitle(both.names), []svg.Frame{f}, 3)
	return response{contentType: svgType, cache: fresh, language: p.Lang.String(), body: picture}, nil
}

func (p *page) textFailure(err error) response {
	status := p.errorStatus(err)
	return textResponse(status, http.StatusText(status))
}

// readSides returns both sides of the running or finished match in the address.
func (p *page) readSides() (sides, error) {
	m, release, err := p.site.hub.FollowMatch(p.r.Context(), p.matchID())
	if err == nil {
		defer release()
		return p.newLiveBoards(m).sides, nil
	}
	if !errors.Is(err, feed.ErrNoMatch) {
		return sides{}, err
	}
	c, err := p.readReplayFrames()
	if err != nil {
		return sides{}, err
	}
	return newSides(c.FrameView(c.Len()-1), c.Names(), [2]string{}), nil
}
