package web

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"broadside/internal/i18n"
)

// markup returns the whole page.
func (p *page) markup(content g.Node) g.Node {
	return h.Doctype(h.HTML(h.Lang(p.Lang.String()),
		p.head(),
		h.Body(h.Data("words", p.Words()),
			h.A(h.Class("skip"), h.Href("#content"), p.text("Skip to content")),
			p.header(),
			h.Main(h.ID("content"), content),
			p.footer(),
		),
	))
}

// head returns what browsers, search engines and other sites need to know about a page.
func (p *page) head() g.Node {
	name := p.Title
	if name != "Broadside" {
		name += " – Broadside"
	}
	return h.Head(
		h.Meta(h.Charset("utf-8")),
		meta("viewport", "width=device-width, initial-scale=1"),
		h.TitleEl(g.Text(name)),
		meta("description", p.Description),
		g.If(p.Unlisted, meta("robots", "noindex")),
		meta("color-scheme", "dark light"),
		meta("theme-color", "#06111f", g.Attr("media", "(prefers-color-scheme: dark)")),
		meta("theme-color", "#f4f7fa", g.Attr("media", "(prefers-color-scheme: light)")),
		p.preview(),
		g.If(p.Path != "", p.addresses()),
		h.Link(h.Rel("icon"), h.Href("/assets/icon.svg"), h.Type("image/svg+xml")),
		h.Link(h.Rel("stylesheet"), h.Href("/assets/style.css")),
		h.Script(h.Type("module"), h.Src("/assets/site.js")),
		g.If(p.Refresh > 0, h.NoScript(h.Meta(g.Attr("http-equiv", "refresh"), h.Content(strconv.Itoa(p.Refresh))))),
	)
}

// addresses returns links to the page's address for search engines, and to its address in each language.
func (p *page) addresses() g.Node {
	return g.Group{
		h.Link(h.Rel("canonical"), h.Href(p.Canonical())),
		g.Map(p.Languages(), func(l Choice) g.Node {
			return h.Link(h.Rel("alternate"), g.Attr("hreflang", l.Tag), h.Href(l.Link))
		}),
	}
}

// meta returns a property of the page for browsers and search engines.
func meta(name, value string, more ...g.Node) g.Node {
	return h.Meta(h.Name(name), h.Content(value), g.Group(more))
}

// preview returns what other sites show of a page.
func (p *page) preview() g.Node {
	property := func(name, value string) g.Node { return h.Meta(g.Attr("property", name), h.Content(value)) }
	return g.Group{
		property("og:site_name", "Broadside"),
		property("og:title", p.Title),
		property("og:description", p.Description),
		g.If(p.Path != "", property("og:url", p.Canonical())),
		property("og:image", p.Base()+"/assets/preview.png"),
		property("og:image:type", "image/png"),
		property("og:image:width", "1200"),
		property("og:image:height", "630"),
		property("og:image:alt", "Broadside"),
		meta("twitter:card", "summary_large_image"),
	}
}

// header returns the logo and the navigation.
func (p *page) header() g.Node {
	item := func(nav string, text i18n.Key) g.Node {
		return h.A(h.Href(p.Link("/"+nav)), g.If(p.Nav == nav, h.Aria("current", "page")), p.text(text))
	}
	return h.Header(
		h.A(h.Class("logo"), h.Href(p.Link("/")), h.Span(h.Aria("hidden", "true"), g.Text("≈ ")), g.Text("BROADSIDE")),
		h.Nav(h.Aria("label", p.T("Pages")), spaced(
			item("live", "Live"),
			item("leaderboard", "Leaderboard"),
			g.If(p.server.cfg.Ladder, item("ladder", "Ladder")),
			item("daily", "Daily sea"),
			item("programs", "Programs"),
		)),
	)
}

// footer returns the choice of languages.
func (p *page) footer() g.Node {
	languages := g.Map(p.Languages(), func(l Choice) g.Node {
		return h.A(h.Href(l.Link), g.Attr("hreflang", l.Tag), h.Lang(l.Tag), current(l.Current), g.Text(l.Name))
	})
	return h.Footer(
		h.Nav(h.Aria("label", p.T("Language")), spaced(languages...)),
		link("/api/v1/openapi.json", p.T("API")),
	)
}
