package web

func (h homePage) markup(p *page) markup {
	featured := note(p.T("web-no-match"))
	if f := h.Featured; f != nil {
		featured = fill(`<div data-live="%v" data-phase="%v" data-again="/">
<p class="line"><a href="%v">%v – %v</a> <span class="note">%v</span> <span class="status" data-status role="status">%v</span></p>
%v
</div>`, f.Feed, f.Status.Phase, f.Link, f.Names[0], f.Names[1], f.Rules, f.Line, f.sides.markup(p))
	}
	return fill(`<section class="hero">
<h1><span class="word">BROADSIDE</span><span class="tagline">%v</span></h1>
<p>%v</p>
<div class="connect" data-copy>
<label for="command">%v</label>
<div><code id="command">%v</code><button type="button" hidden>%v</button></div>
<p class="note">%v <code>%v</code></p>
</div>
</section>
<div class="columns">
<section class="card wide">
%v
%v
</section>
<div class="stack">
<section class="card">
%v
%v
</section>
<section class="card">
%v
%v
</section>
</div>
</div>`, p.T("web-tagline"), p.T("web-about"), p.T("web-connect"), p.Command(), p.T("web-copy"), p.T("web-host-key"), p.Fingerprint(),
		title(p.T("web-featured")), featured, title(p.T("web-live")), p.running(h.Running), title(p.T("web-online")), h.online(p))
}

// running returns the list of running matches.
func (p *page) running(all []matchRow) markup {
	if len(all) == 0 {
		return note(p.T("web-no-match"))
	}
	return fill(`<ul class="matches">%v</ul>`, each(all, func(m matchRow) markup {
		watching := ""
		if m.Watching > 0 {
			watching = " · " + p.T("n-watching", m.Watching)
		}
		return fill(`<li><a href="%v">%v – %v</a> <span class="note">%v%v</span></li>`, m.Link, m.Names[0], m.Names[1], m.Rules, watching)
	}))
}

// online returns the list of people who are online.
func (h homePage) online(p *page) markup {
	if len(h.Online) == 0 && h.Guests == 0 {
		return note(p.T("web-nobody-online"))
	}
	return fill(`<ul class="people">%v%v%v</ul>`,
		each(h.Online, func(x person) markup { return fill(`<li><a href="%v">%v</a></li>`, x.Link, x.Name) }),
		when(h.More > 0, fill(`<li>+%v</li>`, h.More)),
		when(h.Guests > 0, fill(`<li class="note">%v × %v</li>`, h.Guests, p.T("guest"))))
}

func (l livePage) markup(p *page) markup {
	running := note(p.T("web-no-match"))
	if len(l.Running) > 0 {
		columns := []column{{p.T("web-players"), ""}, {p.T("web-rules"), ""}, {p.T("web-since"), ""}, {p.T("web-updates"), ""}}
		running = table(columns, each(l.Running, func(m matchRow) markup {
			return fill("<tr><td><a href=\"%v\">%v – %v</a></td><td>%v</td><td>%v</td><td>%v</td></tr>\n",
				m.Link, m.Names[0], m.Names[1], m.Rules, m.Since, p.T("n-watching", m.Watching))
		}))
	}
	return fill(`<h1>%v</h1>
%v
%v`, p.Title, running, p.finished(l.Recent))
}

// finished returns the list of finished matches.
func (p *page) finished(all []gameRow) markup {
	list := note(p.T("web-none-yet"))
	if len(all) > 0 {
		columns := []column{{p.T("web-players"), ""}, {p.T("web-winner"), ""}, {p.T("web-rules"), "more"}, {p.T("web-ended"), ""}}
		list = table(columns, each(all, func(m gameRow) markup {
			return fill("<tr><td><a href=\"%v\">%v – %v</a></td><td>%v</td><td class=\"more\">%v</td><td>%v</td></tr>\n",
				m.Link, m.Names[0], m.Names[1], m.Winner, m.Rules, m.Ended)
		}))
	}
	return title(p.T("web-recent")) + "\n" + list
}

func (l leaderboardPage) markup(p *page) markup {
	rows := note(p.T("web-none-yet"))
	if len(l.Rows) > 0 {
		columns := []column{{p.T("web-rank"), ""}, {p.T("web-name"), ""}, {p.T("web-kind"), ""}, {p.T("web-rating"), "n"}, {p.T("web-games"), "n"}}
		rows = table(columns, each(l.Rows, func(x rankRow) markup {
			return fill("<tr><td>%v</td><th scope=\"row\"><a href=\"%v\">%v</a></th><td>%v</td><td class=\"n\">%v</td><td class=\"n\">%v</td></tr>\n",
				x.Place, x.Link, x.Name, x.Kind, x.Rating, x.Games)
		}))
	}
	return fill(`<h1>%v</h1>
%v
%v
%v
%v`, p.T("web-leaderboard"), tabs(p.T("web-rules"), l.Rules), tabs(p.T("web-players"), l.Boards), rows, note(p.T("web-ranking-note")))
}

func (d dailyPage) markup(p *page) markup {
	best := note(p.T("web-daily-none"))
	if len(d.Best) > 0 {
		columns := []column{{p.T("web-rank"), ""}, {p.T("web-name"), ""}, {p.T("web-shots"), "n"}}
		best = table(columns, each(d.Best, func(x dailyRow) markup {
			return fill("<tr><td>%v</td><th scope=\"row\"><a href=\"%v\">%v</a></th><td class=\"n\">%v</td></tr>\n", x.Place, x.Link, x.Name, x.Shots)
		}))
	}
	others := func(text string, all []dailyRow) markup {
		return when(len(all) > 0, fill("%v<ul class=\"people\">%v</ul>\n", title(text), each(all, func(x dailyRow) markup {
			return fill(`<li><a href="%v">%v</a> %v</li>`, x.Link, x.Name, x.Shots)
		})))
	}
	return fill(`<h1>%v</h1>
<p>%v %v</p>
<p class="buttons"><a class="key" rel="prev" href="%v">← %v</a>%v</p>
%v
%v%v`, p.T("web-daily-of", d.Day), p.T("web-daily-about"), p.T("web-finished", d.Finished), d.Earlier, p.T("web-earlier"),
		when(d.Later != "", fill(` <a class="key" rel="next" href="%v">→ %v</a>`, d.Later, p.T("web-later"))),
		best, others(p.T("web-daily-newcomers"), d.Newcomers), others(p.T("web-daily-before"), d.Before))
}

func (x profilePage) markup(p *page) markup {
	form := each(x.Form, func(result string) markup { return fill(`<span class="result">%v</span> `, result) })
	columns := []column{{p.T("web-rules"), ""}, {p.T("web-rating"), "n"}, {p.T("web-matches"), "n"}, {p.T("web-won-games"), "n"}, {p.T("web-hit-rate"), "n"}}
	rules := table(columns, each(x.Rules, func(r profileRow) markup {
		return fill("<tr><th scope=\"row\">%v</th><td class=\"n\">%v</td><td class=\"n\">%v</td><td class=\"n\">%v</td><td class=\"n\">%v</td></tr>\n",
			r.Rules, r.Rating, r.Games, r.Won, r.HitRate)
	}))
	return fill(`<h1>%v</h1>
<p class="line">%v <span class="note">%v %v</span></p>
%v
%v
%v`, x.Name, x.Kind, p.T("web-since"), x.Since, when(len(x.Form) > 0, fill(`<p>%v %v</p>`, p.T("web-form"), form)),
		when(len(x.Rules) > 0, rules), p.finished(x.Games))
}

// programsPage is the introduction to the line protocol.
type programsPage struct{}

func (programsPage) markup(p *page) markup {
	line := func(text, meaning, sender string) markup {
		return fill("<tr><td><code>%v</code></td><td>%v</td><td>%v</td></tr>\n", text, meaning, sender)
	}
	server := p.T("web-server")
	lines := table([]column{{p.T("web-programs-line"), ""}, {p.T("web-programs-meaning"), ""}, {p.T("web-programs-sender"), ""}},
		line("(3,[]).", p.T("web-p-defend"), server)+
			line("(4,[]).", p.T("web-p-attack"), server)+
			line("(5,[]).", p.T("web-p-begin"), server)+
			line("(1,[X,Y]).", p.T("web-p-fire"), p.T("web-attacker"))+
			line("(2,[X,Y,R]).", p.T("web-p-result"), p.T("web-defender")))
	return fill(`<h1>%v</h1>
<p>%v</p>
<div class="connect" data-copy><label for="command">TCP</label><div><code id="command">%v</code><button type="button" hidden>%v</button></div></div>
%v
<p>%v</p>
<pre><code>%% hello broadside/1 name=kraken
%% vs bot hard</code></pre>
<p>%v</p>
<pre><code>%v relay --vs hard</code></pre>
<h2 class="title">API</h2>
<p>%v <a href="/api/v1/openapi.json">/api/v1/openapi.json</a></p>`,
		p.T("web-programs"), p.T("web-programs-about"), p.Relay(), p.T("web-copy"), lines, p.T("web-programs-after"),
		p.T("web-programs-ssh"), p.Command(), p.T("web-api-about"))
}

// message is a page of one sentence.
type message string

func (m message) markup(p *page) markup {
	return fill(`<h1>%v</h1>
<p>%v</p>
<p><a class="key" href="%v">%v</a></p>`, p.Title, string(m), p.Link("/"), p.T("web-home"))
}
