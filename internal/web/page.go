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
	"broadside/internal/sanitize"
	"broadside/lobby/session"
)

// page is a page, or a response of the API, for one request.
type page struct {
	Lang        i18n.Language
	Title       string
	Description string
	Nav         string // the item of the navigation that the page belongs to
	Path        string // canonical path for search engines; empty for an error
	Unlisted    bool   // search engines must not list the page
	Refresh     int    // seconds after which a browser without JavaScript reads the page again; 0: never

	server  *Server
	r       *http.Request
	session *session.Session // set while the content is read
	chosen  bool             // the language is part of the address
}

// newPage returns the page for a request, with its language.
func (s *Server) newPage(r *http.Request) *page {
	p := &page{Path: r.URL.Path, server: s, r: r}
	if l, ok := i18n.Parse(r.URL.Query().Get("lang")); ok && r.URL.Query().Has("lang") {
		p.Lang, p.chosen = l, true
		return p
	}
	tags, _, _ := language.ParseAcceptLanguage(r.Header.Get("Accept-Language")) // English if it is malformed
	for _, t := range tags {
		if l, ok := i18n.Parse(t.String()); ok {
			p.Lang = l
			break
		}
	}
	return p
}

// page returns the handler of a page. read reads the page's content and sets its title and description.
func (s *Server) page(nav string, read func(*page) (g.Node, error)) http.HandlerFunc {
	build := func(p *page) (response, error) {
		p.Nav = nav
		content, err := read(p)
		return p.render(content), err
	}
	return s.answer(build, (*page).fail)
}

// render returns the page with the given content.
func (p *page) render(content g.Node) response {
	var body bytes.Buffer
	p.markup(content).Render(&body) // a buffer takes everything
	return response{contentType: "text/html; charset=utf-8", cache: fresh, language: p.Lang.String(), body: body.Bytes()}
}

// fail returns the page of an error.
func (p *page) fail(err error) response {
	status := p.statusOf(err)
	p.Title = p.T("Page not found")
	p.Description = p.T("There is nothing at this address. The match may have ended without a record, or the name may be misspelled.")
	if status != http.StatusNotFound {
		p.Title = p.T("Not available")
		p.Description = p.T("The server can't show this page right now. Try again in a moment.")
	}
	p.Path, p.Unlisted, p.Refresh = "", false, 0
	x := p.render(g.Group{
		h.H1(g.Text(p.Title)),
		h.P(g.Text(p.Description)),
		h.P(h.A(h.Class("key"), h.Href(p.Link("/")), p.text("Home"))),
	})
	x.status = status
	return x
}

// T returns a text in the language of the page.
func (p *page) T(key i18n.Key, args ...any) string { return p.Lang.Text(key, args...) }

// Link returns a path with the chosen language.
func (p *page) Link(path string) string {
	if !p.chosen {
		return path
	}
	sep := "?"
	if strings.Contains(path, "?") {
		sep = "&"
	}
	return path + sep + "lang=" + p.Lang.String()
}

// Choice is a language that the page is available in.
type Choice struct {
	Tag, Name, Link string
	Current         bool
}

// Languages returns the languages that the page is available in.
func (p *page) Languages() (all []Choice) {
	for _, l := range i18n.Languages() {
		q := p.r.URL.Query()
		q.Set("lang", l.String())
		all = append(all, Choice{l.String(), l.Name(), p.r.URL.EscapedPath() + "?" + q.Encode(), l == p.Lang})
	}
	return all
}

// Base returns the address of the site, such as https://example.org.
func (p *page) Base() string {
	scheme := "http"
	if p.r.TLS != nil || p.server.trusted(peer(p.r)) && p.r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return (&url.URL{Scheme: scheme, Host: p.r.Host}).String()
}

// Canonical returns the page's only address for search engines.
func (p *page) Canonical() string { return p.Base() + (&url.URL{Path: p.Path}).String() }

// safeHost reports whether a name or address is safe in a command line.
func safeHost(s string) bool {
	return s != "" && len(s) <= 253 && s[0] != '-' && s[0] != '.' && sanitize.IsAlphanumeric(s, ".-")
}

// address returns the host and port of the SSH server. The host is the configured one or that
// of the request; if a client has made that up, it is HOST.
func (p *page) address() (host, port string) {
	_, port, _ = net.SplitHostPort(p.server.cfg.SSH.String())
	at := p.r.Host
	if p.server.cfg.Address != "" {
		at, port = p.server.cfg.Address, "22"
	}
	host = strings.Trim(at, "[]")
	if h, own, err := net.SplitHostPort(at); err == nil {
		host = h
		if p.server.cfg.Address != "" {
			port = own
		}
	}
	if _, err := netip.ParseAddr(host); err != nil && !safeHost(host) {
		host = "HOST"
	}
	return host, port
}

// Command returns the command line that connects a player.
func (p *page) Command() string {
	host, port := p.address()
	if port == "22" {
		return "ssh " + host
	}
	return "ssh -p " + port + " " + host
}

// Relay returns the address for programs.
func (p *page) Relay() string {
	host, _ := p.address()
	return net.JoinHostPort(host, p.RelayPort())
}

// RelayPort returns the port for programs.
func (p *page) RelayPort() string {
	_, port, _ := net.SplitHostPort(p.server.cfg.Relay.String())
	return port
}

// Profile returns the link to the profile of the player with an account.
func (p *page) Profile(name string) string { return p.Link("/@" + url.PathEscape(name)) }
