package web

import (
	"bytes"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/text/language"
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/sanitize"
	"broadside/lobby/session"
)

// page is a page, or a response of the API, for one request.
type page struct {
	Lang        i18n.Language
	Title       string
	Description string
	// Nav is the name of the page's item in the navigation.
	Nav string
	// Path is the canonical path for search engines. It is empty for an error.
	Path string
	// Unlisted tells search engines not to list the page.
	Unlisted bool
	// Refresh is the number of seconds after which a browser without JavaScript reads the page again. 0 means never.
	Refresh int

	site *Server
	r    *http.Request
	// session is set while the content is read.
	session *session.Session
	// hasLangInURL is set if the language is part of the address.
	hasLangInURL bool
}

// newPage returns the page for a request, with its language.
func (s *Server) newPage(r *http.Request) *page {
	p := &page{Path: r.URL.Path, site: s, r: r}
	if l, ok := i18n.Parse(r.URL.Query().Get("lang")); ok && r.URL.Query().Has("lang") {
		p.Lang, p.hasLangInURL = l, true
		return p
	}
	// A malformed header has no tags, so that the page is in English.
	tags, _, _ := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	for _, t := range tags {
		if l, ok := i18n.Parse(t.String()); ok {
			p.Lang = l
			break
		}
	}
	return p
}

// newPageHandler returns a page's handler. read reads the page's content and sets its title and description.
func (s *Server) newPageHandler(nav string, read func(*page) (g.Node, error)) http.HandlerFunc {
	build := func(p *page) (response, error) {
		p.Nav = nav
		content, err := read(p)
		return p.renderPage(content), err
	}
	return s.newHandler(build, (*page).errorPage)
}

// renderPage returns the page with the given content.
func (p *page) renderPage(content g.Node) response {
	var body bytes.Buffer
	p.documentMarkup(content).Render(&body)
	return response{contentType: "text/html; charset=utf-8", cache: fresh, language: p.Lang.String(), body: body.Bytes()}
}

// errorPage returns a page that explains an error.
func (p *page) errorPage(err error) response {
	status := p.errorStatus(err)
	p.Title = p.translate("Page not found")
	p.Description = p.translate("There is nothing at this address. The match may have ended without a record, or the name may be misspelled.")
	if status != http.StatusNotFound {
		p.Title = p.translate("Not available")
		p.Description = p.translate("The server can't show this page right now. Try again in a moment.")
	}
	p.Path, p.Unlisted, p.Refresh = "", false, 0
	x := p.renderPage(g.Group{
		h.H1(g.Text(p.Title)),
		h.P(g.Text(p.Description)),
		h.P(h.A(h.Class("key"), h.Href(p.localizedPath("/")), p.textNode("Home"))),
	})
	x.status = status
	return x
}

// translate returns a text in the page's language.
func (p *page) translate(key i18n.Key, args ...any) string { return p.Lang.Text(key, args...) }

// localizedPath returns a path with the chosen language.
func (p *page) localizedPath(path string) string {
	if !p.hasLangInURL {
		return path
	}
	sep := "?"
	if strings.Contains(path, "?") {
		sep = "&"
	}
	return path + sep + "lang=" + p.Lang.String()
}

// LanguageChoice is a language that the page is available in.
type LanguageChoice struct {
	Tag, Name, Link string
	Current         bool
}

// languageChoices returns the languages that the page is available in.
func (p *page) languageChoices() (all []LanguageChoice) {
	for _, l := range i18n.Languages() {
		q := p.r.URL.Query()
		q.Set("lang", l.String())
		all = append(all, LanguageChoice{l.String(), l.Name(), p.r.URL.EscapedPath() + "?" + q.Encode(), l == p.Lang})
	}
	return all
}

// siteURL returns the site's address, such as https://example.org.
func (p *page) siteURL() string {
	scheme := "http"
	if p.r.TLS != nil || p.site.isProxy(peerAddress(p.r)) && p.r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return (&url.URL{Scheme: scheme, Host: p.r.Host}).String()
}

// canonicalURL returns the page's only address for search engines.
func (p *page) canonicalURL() string { return p.siteURL() + (&url.URL{Path: p.Path}).String() }

// isSafeHost reports whether a name or address is safe in a command line.
func isSafeHost(s string) bool {
	return s != "" && len(s) <= 253 && s[0] != '-' && s[0] != '.' && sanitize.HasOnlyAlphanumerics(s, ".-")
}

// sshAddress returns the host and port of the SSH server. The host is the configured one or that
// of the request. A host that a client has made up becomes HOST.
func (p *page) sshAddress() (host, port string) {
	_, port, _ = net.SplitHostPort(p.site.cfg.SSH.String())
	at := p.r.Host
	if p.site.cfg.Address != "" {
		at, port = p.site.cfg.Address, "22"
	}
	host = strings.Trim(at, "[]")
	if h, own, err := net.SplitHostPort(at); err == nil {
		host = h
		if p.site.cfg.Address != "" {
			port = own
		}
	}
	if _, err := netip.ParseAddr(host); err != nil && !isSafeHost(host) {
		host = "HOST"
	}
	return host, port
}

// sshCommand returns the command line that connects a player.
func (p *page) sshCommand() string { return narrate.SSHCommand(net.JoinHostPort(p.sshAddress())) }

// relayAddress returns the address for programs.
func (p *page) relayAddress() string {
	host, _ := p.sshAddress()
	return net.JoinHostPort(host, p.relayPort())
}

// relayPort returns the port for programs.
func (p *page) relayPort() string {
	_, port, _ := net.SplitHostPort(p.site.cfg.Relay.String())
	return port
}

// profilePath returns the link to an account's profile.
func (p *page) profilePath(name string) string { return p.localizedPath("/@" + url.PathEscape(name)) }
