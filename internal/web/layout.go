package web

// content is what the layout surrounds.
type content interface {
	markup(p *page) markup
}

// markup returns the whole page.
func (p *page) markup() markup {
	return fill(`<!doctype html>
<html lang="%v">
<head>
%v</head>
<body data-words="%v">
<a class="skip" href="#content">%v</a>
%v
<main id="content">
%v
</main>
%v
</body>
</html>
`, p.Lang, p.head(), p.Words(), p.T("web-skip"), p.header(), p.Body.markup(p), p.footer())
}

// head returns what browsers, search engines and other sites need to know about a page.
func (p *page) head() markup {
	name := p.Title
	if name != "Broadside" {
		name += " – Broadside"
	}
	return fill(`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%v</title>
<meta name="description" content="%v">
%v<meta name="color-scheme" content="dark light">
<meta name="theme-color" content="#06111f" media="(prefers-color-scheme: dark)">
<meta name="theme-color" content="#f4f7fa" media="(prefers-color-scheme: light)">
<meta property="og:site_name" content="Broadside">
<meta property="og:title" content="%v">
<meta property="og:description" content="%v">
<meta property="og:url" content="%v">
<meta property="og:image" content="%v">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="%v">
<meta name="twitter:card" content="summary_large_image">
<link rel="canonical" href="%v">
%v<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/style.css">
<script type="module" src="/assets/site.js"></script>
%v`, name, p.Description, when(p.Unlisted, "<meta name=\"robots\" content=\"noindex\">\n"),
		p.Title, p.Description, p.Canonical(), p.Base()+p.Link(p.Picture), p.Title, p.Canonical(),
		each(p.Languages(), func(l Choice) markup {
			return fill("<link rel=\"alternate\" hreflang=\"%v\" href=\"%v\">\n", l.Tag, l.Link)
		}),
		when(p.Refresh > 0, fill("<noscript><meta http-equiv=\"refresh\" content=\"%v\"></noscript>\n", p.Refresh)))
}

// header returns the logo and the navigation.
func (p *page) header() markup {
	item := func(nav, text string) markup {
		return fill("<a href=\"%v\"%v>%v</a>\n", p.Link("/"+nav), when(p.Nav == nav, ` aria-current="page"`), text)
	}
	return fill(`<header>
<a class="logo" href="%v"><span aria-hidden="true">≈ </span>BROADSIDE</a>
<nav aria-label="%v">
%v%v%v%v%v</nav>
</header>`, p.Link("/"), p.T("web-navigation"), item("live", p.T("web-live")), item("leaderboard", p.T("web-leaderboard")),
		when(p.server.cfg.Ladder, item("ladder", p.T("web-ladder"))), item("daily", p.T("web-daily")), item("programs", p.T("web-programs")))
}

// footer returns the choice of languages.
func (p *page) footer() markup {
	return fill(`<footer>
<nav aria-label="%v">%v</nav>
<a href="/api/v1/openapi.json">%v</a>
</footer>`, p.T("web-language"), each(p.Languages(), func(l Choice) markup {
		return fill(`<a href="%v" hreflang="%v" lang="%v"%v>%v</a> `, l.Link, l.Tag, l.Tag, when(l.Current, ` aria-current="true"`), l.Name)
	}), p.T("web-api"))
}
