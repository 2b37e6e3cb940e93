package web

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"broadside/internal/i18n"
)

// documentMarkup returns the whole page.
func (p *page) documentMarkup(content g.Node) g.Node {
	return h.Doctype(h.HTML(h.Lang(p.Lang.String()),
		p.documentHead(),
		h.Body(h.Data("words", p.moduleTextsJSON()),
			h.A(h.Class("skip"), h.Href("#content"), p.textNode("Skip to content")),
			p.pageHeader(),
			h.Main(h.ID("content"), content),
			p.pageFooter(),
		),
	))
}

// documentHead returns what browsers, search engines and other sites need to know about a page.
func (p *page) documentHead() g.Node {
	name := p.Title
	if name != "Broadside" {
		name += " – Broadside"
	}
	return h.Head(
		h.Meta(h.Charset("utf-8")),
		metaTag("viewport", "width=device-width, initial-scale=1"),
		h.TitleEl(g.Text(name)),
		metaTag("description", p.Description),
		g.If(p.Unlisted, metaTag("robots", "noindex")),
		metaTag("color-scheme", "dark light"),
		metaTag("theme-color", "#06111f", g.Attr("media", "(prefers-color-scheme: dark)")),
		metaTag("theme-color", "#f4f7fa", g.Attr("media", "(prefers-color-scheme: light)")),
		p.previewTags(),
		g.If(p.Path != "", p.languageLinks()),
		h.Link(h.Rel("icon"), h.Href("/assets/icon.svg"), h.Type("image/svg+xml")),
		h.Link(h.Rel("stylesheet"), h.Href("/assets/style.css")),
		h.Script(h.Type("module"), h.Src("/assets/site.js")),
		g.If(p.Refresh > 0, h.NoScript(h.Meta(g.Attr("http-equiv", "refresh"), h.Content(strconv.Itoa(p.Refresh))))),
	)
}

// languageLinks returns links to the page's address for search engines, and to its address in each language.
func (p *page) languageLinks() g.Node {
	return g.Group{
		h.Link(h.Rel("canonical"), h.Href(p.canonicalURL())),
		g.Map(p.languageChoices(), func(l LanguageChoice) g.Node {
			return h.Link(h.Rel("alternate"), g.Attr("hreflang", l.Tag), h.Href(l.Link))
		}),
	}
}

// metaTag returns a property of the page for browsers and search engines.
func metaTag(name, value string, more ...g.Node) g.Node {
	return h.Meta(h.Name(name), h.Content(value), g.Group(more))
}

// previewTags returns what other sites show of a page.
func (p *page) previewTags() g.Node {
	property := func(name, value string) g.Node { return h.Meta(g.Attr("property", name), h.Content(value)) }
	return g.Group{
		property("og:site_name", "Broadside"),
		property("og:title", p.Title),
		property("og:description", p.Description),
		g.If(p.Path != "", property("og:url", p.canonicalURL())),
		property("og:image", p.siteURL()+"/assets/preview.png"),
		property("og:image:type", "image/png"),
		property("og:image:width", "1200"),
		property("og:image:height", "630"),
		property("og:image:alt", "Broadside"),
		metaTag("twitter:card", "summary_large_image"),
	}
}

// pageHeader returns the logo and the navigation.
func (p *page) pageHeader() g.Node {
	item := func(nav string, text i18n.Key) g.Node {
		return h.A(h.Href(p.localizedPath("/"+nav)), g.If(p.Nav == nav, h.Aria("current", "page")), p.textNode(text))
	}
	return h.Header(
		h.A(h.Class("logo"), h.Href(p.localizedPath("/")), h.Span(h.Aria("hidden", "true"), g.Text("≈ ")), g.Text("BROADSIDE")),
		h.Nav(h.Aria("label", p.translate("Pages")), joinWithSpaces(
			item("live", "Live"),
			item("leaderboard", "Leaderboard"),
			g.If(p.site.cfg.Ladder, item("ladder", "Ladder")),
			item("daily", "Daily sea"),
			item("puzzles", "Puzzles"),
			item("programs", "Programs"),
		)),
	)
}

// pageFooter returns the choice of languages.
func (p *page) pageFooter() g.Node {
	languages := g.Map(p.languageChoices(), func(l LanguageChoice) g.Node {
		return h.A(h.Href(l.Link), g.Attr("hreflang", l.Tag), h.Lang(l.Tag), currentAttr(l.Current), g.Text(l.Name))
	})
	return h.Footer(
		h.Nav(h.Aria("label", p.translate("Language")), joinWithSpaces(languages...)),
		linkOrText("/api/v1/openapi.json", p.translate("API")),
	)
}
