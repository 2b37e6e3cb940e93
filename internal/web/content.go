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
			h.H1(h.Span(h.Class("word"), g.Text("BROADSIDE")), h.Span(h.Class("tagline"), p.text("Battleship over SSH: play people, bots and programs from any terminal."))),
			h.P(p.text("You need only an SSH client. There is nothing to install and no account to create: your SSH key is your account, and without one you play as a guest.")),
			p.connect(p.T("To play, run this in a terminal"), p.Command(),
				h.P(h.Class("note"), spaced(p.text("Host key fingerprint:"), h.Code(g.Text(p.Fingerprint()))))),
		),
		h.Div(h.Class("columns"),
			card(p.T("Featured match"), x.featured(p)),
			h.Div(h.Class("stack"),
				card(p.T("Live"), p.running(x.Running)),
				card(p.T("Online"), x.online(p)),
			),
		),
	}
}

// featured returns the match that the home page shows.
func (x homePage) featured(p *page) g.Node {
	b := x.Featured
	if b == nil {
		return note(p.T("No match is running."))
	}
	return b.live("/",
		h.P(h.Class("line"), spaced(link(b.Link, versus(b.Names)), remark(b.Rules), statusText(b.Line))),
		b.sides.markup(p),
	)
}

// running returns the list of running matches.
func (p *page) running(all []matchRow) g.Node {
	if len(all) == 0 {
		return note(p.T("No match is running."))
	}
	return h.Ul(h.Class("matches"), g.Map(all, func(m matchRow) g.Node {
		about := m.Rules
		if m.Watching > 0 {
			about += " · " + p.T("%d watching||%d watching", m.Watching)
		}
		return h.Li(spaced(link(m.Link, versus(m.Names)), remark(about)))
	}))
}

// online returns the list of people who are online.
func (x homePage) online(p *page) g.Node {
	if len(x.Online) == 0 && x.Guests == 0 {
		return note(p.T("Nobody is online."))
	}
	return h.Ul(h.Class("people"),
		g.Map(x.Online, func(one person) g.Node { return h.Li(link(one.Link, one.Name)) }),
		g.If(x.More > 0, h.Li(g.Textf("+%d", x.More))),
		g.If(x.Guests > 0, h.Li(h.Class("note"), g.Textf("%d × %s", x.Guests, p.T("guest")))),
	)
}

func (x livePage) markup(p *page) g.Node {
	columns := []column{{"Players", plain}, {"Rules", plain}, {"since", plain}, {"Spectators", plain}}
	return g.Group{
		h.H1(g.Text(p.Title)),
		table(p, "No match is running.", columns, x.Running, func(m matchRow) []g.Node {
			return []g.Node{link(m.Link, versus(m.Names)), g.Text(m.Rules), g.Text(m.Since), p.text("%d watching||%d watching", m.Watching)}
		}),
		p.finished(x.Recent),
	}
}

// finished returns the table of finished matches, with a title.
func (p *page) finished(all []gameRow) g.Node {
	columns := []column{{"Players", plain}, {"Winner", plain}, {"Rules", details}, {"Ended (UTC)", plain}}
	return g.Group{
		title(p.T("Recent matches")),
		table(p, "None yet.", columns, all, func(m gameRow) []g.Node {
			return []g.Node{link(m.Link, versus(m.Names)), g.Text(m.Winner), g.Text(m.Rules), g.Text(m.Ended)}
		}),
	}
}

func (x leaderboardPage) markup(p *page) g.Node {
	columns := []column{{"Place", plain}, {"Name", heading}, {"Kind", plain}, {"Rating", numbers}, {"Rated matches", numbers}}
	return g.Group{
		h.H1(p.text("Leaderboard")),
		tabs(p.T("Rules"), x.Rules),
		tabs(p.T("Players"), x.Boards),
		table(p, "None yet.", columns, x.Rows, func(r rankRow) []g.Node {
			return []g.Node{g.Textf("%d", r.Place), link(r.Link, r.Name), g.Text(r.Kind), g.Text(r.Rating), g.Text(r.Games)}
		}),
		note(p.T("Glicko-2 ratings with their deviation. Players with a provisional rating are not listed.")),
	}
}

func (x dailyPage) markup(p *page) g.Node {
	columns := []column{{"Place", plain}, {"Name", heading}, {"Shots", numbers}}
	return g.Group{
		h.H1(p.text("Daily sea of %s", x.Day)),
		h.P(spaced(p.text("One hidden fleet a day, the same for everyone. The player who sinks it with the fewest shots leads."), p.text("%d ranked player has finished.||%d ranked players have finished.", x.Finished))),
		h.P(h.Class("buttons"), spaced(
			h.A(h.Class("key"), h.Rel("prev"), h.Href(x.Earlier), g.Text("← "+p.T("Previous day"))),
			g.If(x.Later != "", h.A(h.Class("key"), h.Rel("next"), h.Href(x.Later), g.Text("→ "+p.T("Next day")))),
		)),
		table(p, "No ranked player has sunk this fleet yet.", columns, x.Best, func(r dailyRow) []g.Node {
			return []g.Node{g.Textf("%d", r.Place), link(r.Link, r.Name), g.Textf("%d", r.Shots)}
		}),
		others(p.T("Not ranked"), x.Newcomers),
		others(p.T("Previous day's winner"), x.Before),
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
	columns := []column{{"Rules", heading}, {"Rating", numbers}, {"Matches", numbers}, {"Won", numbers}, {"Hit rate", numbers}}
	return g.Group{
		h.H1(g.Text(x.Name)),
		h.P(h.Class("line"), spaced(g.Text(x.Kind), remark(p.T("since")+" "+x.Since))),
		g.If(len(x.Rules) > 0, table(p, "None yet.", columns, x.Rules, func(r profileRow) []g.Node {
			return []g.Node{g.Text(r.Rules), g.Text(r.Rating), g.Text(r.Games), g.Text(r.Won), g.Text(r.HitRate)}
		})),
		p.finished(x.Games),
		g.If(len(x.Results) > 0, h.P(spaced(p.text("Results, newest last:"), spaced(results...), remark(p.T("● won  ○ lost"))))),
		g.If(x.Unlisted, note(p.T("Private matches count but are not listed."))),
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
	{"(3,[]).", "you defend first", "server"},
	{"(4,[]).", "you attack first", "server"},
	{"(5,[]).", "the battle begins", "server"},
	{"(1,[X,Y]).", "attack column X, row Y, both counted from 0", "attacker"},
	{"(2,[X,Y,R]).", "result: 1 miss, 2 hit, 3 sunk, 4 last ship sunk", "defender"},
}

func (programsPage) markup(p *page) g.Node {
	columns := []column{{"Line", plain}, {"Meaning", plain}, {"Sent by", plain}}
	return g.Group{
		h.H1(p.text("Programs")),
		h.P(p.text("Programs in any language play in the same matches as people, over a line protocol. A program connects, waits for its role, and then sends and reads one line per command.")),
		p.connect("TCP", p.Relay()),
		table(p, "None yet.", columns, protocolLines, func(l protocolLine) []g.Node {
			return []g.Node{h.Code(g.Text(l.text)), p.text(l.meaning), p.text(l.sender)}
		}),
		h.P(p.text("After each result, the sides swap. To choose an opponent or use a name, send directives before anything else:")),
		h.Pre(h.Code(g.Text("% hello broadside/1 name=kraken\n% vs bot hard"))),
		h.P(p.text("The same protocol, encrypted and under your account:")),
		h.Pre(h.Code(g.Text(p.Command() + " relay --vs hard"))),
		title("API"),
		h.P(spaced(p.text("Matches, records, ratings and live events are also available as JSON and as server-sent events:"), link("/api/v1/openapi.json", "/api/v1/openapi.json"))),
	}
}

// message is a page of one sentence.
type message string

func (m message) markup(p *page) g.Node {
	return g.Group{
		h.H1(g.Text(p.Title)),
		h.P(g.Text(string(m))),
		h.P(h.A(h.Class("key"), h.Href(p.Link("/")), p.text("Home"))),
	}
}
