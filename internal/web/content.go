package web

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"broadside/internal/i18n"
)

// versus returns the names of two opponents as a title.
func versus(names [2]string) string { return names[0] + " – " + names[1] }

func (x homePage) markup(p *page) g.Node {
	return g.Group{
		h.Section(h.Class("hero"),
			h.H1(h.Span(h.Class("word"), g.Text("BROADSIDE")), h.Span(h.Class("tagline"), p.text("web-tagline"))),
			h.P(p.text("web-about")),
			p.connect(p.T("web-connect"), p.Command(),
				h.P(h.Class("note"), spaced(p.text("web-host-key"), h.Code(g.Text(p.Fingerprint()))))),
		),
		h.Div(h.Class("columns"),
			card(p.T("web-featured"), x.featured(p)),
			h.Div(h.Class("stack"),
				card(p.T("web-live"), p.running(x.Running)),
				card(p.T("web-online"), x.online(p)),
			),
		),
	}
}

// featured returns the match that the home page shows.
func (x homePage) featured(p *page) g.Node {
	b := x.Featured
	if b == nil {
		return note(p.T("web-no-match"))
	}
	return b.live("/",
		h.P(h.Class("line"), spaced(link(b.Link, versus(b.Names)), remark(b.Rules), statusText(b.Line))),
		b.sides.markup(p),
	)
}

// running returns the list of running matches.
func (p *page) running(all []matchRow) g.Node {
	if len(all) == 0 {
		return note(p.T("web-no-match"))
	}
	return h.Ul(h.Class("matches"), g.Map(all, func(m matchRow) g.Node {
		about := m.Rules
		if m.Watching > 0 {
			about += " · " + p.T("n-watching", m.Watching)
		}
		return h.Li(spaced(link(m.Link, versus(m.Names)), remark(about)))
	}))
}

// online returns the list of people who are online.
func (x homePage) online(p *page) g.Node {
	if len(x.Online) == 0 && x.Guests == 0 {
		return note(p.T("web-nobody-online"))
	}
	return h.Ul(h.Class("people"),
		g.Map(x.Online, func(one person) g.Node { return h.Li(link(one.Link, one.Name)) }),
		g.If(x.More > 0, h.Li(g.Textf("+%d", x.More))),
		g.If(x.Guests > 0, h.Li(h.Class("note"), g.Textf("%d × %s", x.Guests, p.T("guest")))),
	)
}

func (x livePage) markup(p *page) g.Node {
	columns := []column{{"web-players", plain}, {"web-rules", plain}, {"web-since", plain}, {"web-updates", plain}}
	return g.Group{
		h.H1(g.Text(p.Title)),
		table(p, "web-no-match", columns, x.Running, func(m matchRow) []g.Node {
			return []g.Node{link(m.Link, versus(m.Names)), g.Text(m.Rules), g.Text(m.Since), p.text("n-watching", m.Watching)}
		}),
		p.finished(x.Recent),
	}
}

// finished returns the table of finished matches, with a title.
func (p *page) finished(all []gameRow) g.Node {
	columns := []column{{"web-players", plain}, {"web-winner", plain}, {"web-rules", details}, {"web-ended", plain}}
	return g.Group{
		title(p.T("web-recent")),
		table(p, "web-none-yet", columns, all, func(m gameRow) []g.Node {
			return []g.Node{link(m.Link, versus(m.Names)), g.Text(m.Winner), g.Text(m.Rules), g.Text(m.Ended)}
		}),
	}
}

func (x leaderboardPage) markup(p *page) g.Node {
	columns := []column{{"web-rank", plain}, {"web-name", heading}, {"web-kind", plain}, {"web-rating", numbers}, {"web-games", numbers}}
	return g.Group{
		h.H1(p.text("web-leaderboard")),
		tabs(p.T("web-rules"), x.Rules),
		tabs(p.T("web-players"), x.Boards),
		table(p, "web-none-yet", columns, x.Rows, func(r rankRow) []g.Node {
			return []g.Node{g.Textf("%d", r.Place), link(r.Link, r.Name), g.Text(r.Kind), g.Text(r.Rating), g.Text(r.Games)}
		}),
		note(p.T("web-ranking-note")),
	}
}

func (x dailyPage) markup(p *page) g.Node {
	columns := []column{{"web-rank", plain}, {"web-name", heading}, {"web-shots", numbers}}
	return g.Group{
		h.H1(p.text("web-daily-of", x.Day)),
		h.P(spaced(p.text("web-daily-about"), p.text("web-finished", x.Finished))),
		h.P(h.Class("buttons"), spaced(
			h.A(h.Class("key"), h.Rel("prev"), h.Href(x.Earlier), g.Text("← "+p.T("web-earlier"))),
			g.If(x.Later != "", h.A(h.Class("key"), h.Rel("next"), h.Href(x.Later), g.Text("→ "+p.T("web-later")))),
		)),
		table(p, "web-daily-none", columns, x.Best, func(r dailyRow) []g.Node {
			return []g.Node{g.Textf("%d", r.Place), link(r.Link, r.Name), g.Textf("%d", r.Shots)}
		}),
		others(p.T("web-daily-newcomers"), x.Newcomers),
		others(p.T("web-daily-before"), x.Before),
	}
}

// others returns a list of players and their shots, with a title, or nothing.
func others(name string, all []dailyRow) g.Node {
	if len(all) == 0 {
		return nil
	}
	return g.Group{title(name), h.Ul(h.Class("people"), g.Map(all, func(r dailyRow) g.Node {
		return h.Li(spaced(link(r.Link, r.Name), g.Textf("%d", r.Shots)))
	}))}
}

func (x profilePage) markup(p *page) g.Node {
	results := g.Map(x.Results, func(r result) g.Node { return h.B(h.Role("img"), h.Aria("label", p.T(r.word)), g.Text(r.sign)) })
	columns := []column{{"web-rules", heading}, {"web-rating", numbers}, {"web-matches", numbers}, {"web-won-games", numbers}, {"web-hit-rate", numbers}}
	return g.Group{
		h.H1(g.Text(x.Name)),
		h.P(h.Class("line"), spaced(g.Text(x.Kind), remark(p.T("web-since")+" "+x.Since))),
		g.If(len(x.Rules) > 0, table(p, "web-none-yet", columns, x.Rules, func(r profileRow) []g.Node {
			return []g.Node{g.Text(r.Rules), g.Text(r.Rating), g.Text(r.Games), g.Text(r.Won), g.Text(r.HitRate)}
		})),
		p.finished(x.Games),
		g.If(len(x.Results) > 0, h.P(spaced(p.text("web-results"), spaced(results...), remark(p.T("full-won-empty-lost"))))),
		g.If(x.Unlisted, note(p.T("web-private-not-listed"))),
	}
}

// programsPage is the introduction to the line protocol.
type programsPage struct{}

// protocolLine is a line of the protocol.
type protocolLine struct {
	text            string
	meaning, sender i18n.Key
}

// protocolLines are the lines of a match.
var protocolLines = []protocolLine{
	{"(3,[]).", "web-p-defend", "web-server"},
	{"(4,[]).", "web-p-attack", "web-server"},
	{"(5,[]).", "web-p-begin", "web-server"},
	{"(1,[X,Y]).", "web-p-fire", "web-attacker"},
	{"(2,[X,Y,R]).", "web-p-result", "web-defender"},
}

func (programsPage) markup(p *page) g.Node {
	columns := []column{{"web-programs-line", plain}, {"web-programs-meaning", plain}, {"web-programs-sender", plain}}
	return g.Group{
		h.H1(p.text("web-programs")),
		h.P(p.text("web-programs-about")),
		p.connect("TCP", p.Relay()),
		table(p, "web-none-yet", columns, protocolLines, func(l protocolLine) []g.Node {
			return []g.Node{h.Code(g.Text(l.text)), p.text(l.meaning), p.text(l.sender)}
		}),
		h.P(p.text("web-programs-after")),
		h.Pre(h.Code(g.Text("% hello broadside/1 name=kraken\n% vs bot hard"))),
		h.P(p.text("web-programs-ssh")),
		h.Pre(h.Code(g.Text(p.Command() + " relay --vs hard"))),
		title("API"),
		h.P(spaced(p.text("web-api-about"), link("/api/v1/openapi.json", "/api/v1/openapi.json"))),
	}
}

// message is a page of one sentence.
type message string

func (m message) markup(p *page) g.Node {
	return g.Group{
		h.H1(g.Text(p.Title)),
		h.P(g.Text(string(m))),
		h.P(h.A(h.Class("key"), h.Href(p.Link("/")), p.text("web-home"))),
	}
}
