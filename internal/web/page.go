package web

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"golang.org/x/text/language"

	"broadside/internal/i18n"
	"broadside/internal/sanitize"
	"broadside/internal/web/feed"
	"broadside/lobby/account"
)

// page is a page for one request.
type page struct {
	Lang        i18n.Language
	Title       string
	Description string
	Nav         string // the item of the navigation that the page belongs to
	Path        string // canonical path for search engines; empty for an error
	Unlisted    bool   // search engines must not list the page
	Refresh     int    // seconds after which a browser without JavaScript reads the page again; 0: never
	Body        content

	server *Server
	r      *http.Request
	chosen bool // the language is part of the address
}

// newPage returns the page for a request, with its language.
func (s *Server) newPage(r *http.Request, nav string) *page {
	p := &page{Nav: nav, Path: r.URL.Path, server: s, r: r}
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

// render writes a page.
func (p *page) render(w http.ResponseWriter, status int) {
	var body bytes.Buffer
	p.markup().Render(&body) // a buffer takes everything
	w.Header().Set("Vary", "Accept-Language")
	w.Header().Set("Content-Language", p.Lang.String())
	if status != http.StatusOK {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(status)
		w.Write(body.Bytes())
		return
	}
	respond(w, p.r, "text/html; charset=utf-8", fresh, body.Bytes())
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

// Host returns the name or address at which players and programs reach the server.
func (p *page) Host() string {
	host, _ := p.address()
	return host
}

// safeHost reports whether a name or address is safe in a command line.
func safeHost(s string) bool {
	return s != "" && len(s) <= 253 && s[0] != '-' && s[0] != '.' && sanitize.Plain(s, ".-")
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
func (p *page) Relay() string { return net.JoinHostPort(p.Host(), p.RelayPort()) }

// RelayPort returns the port for programs.
func (p *page) RelayPort() string {
	_, port, _ := net.SplitHostPort(p.server.cfg.Relay.String())
	return port
}

// Fingerprint returns the fingerprint of the SSH host key.
func (p *page) Fingerprint() string { return p.server.cfg.Fingerprint }

// Words returns the texts that the module shows, as JSON.
func (p *page) Words() string {
	words := map[string]string{}
	for name, key := range moduleTexts {
		words[name] = p.T(key, blanks[name]...)
	}
	b, _ := json.Marshal(words) // strings are always valid
	return string(b)
}

// Name returns a player's name for display.
func (p *page) Name(player account.Player) string {
	if feed.IsGuest(player) {
		return p.T("guest")
	}
	return sanitize.Text(player.Name)
}

// Date returns a date and time, in UTC.
func (p *page) Date(t time.Time) string { return p.Lang.Day(t) + t.UTC().Format(" 15:04") }

// Number returns a number.
func (p *page) Number(n int) string { return p.Lang.Text("%d", n) }

// Profile returns the link to a player's profile, or "" for a player without an account.
func (p *page) Profile(name string, hasAccount bool) string {
	if !hasAccount {
		return ""
	}
	return p.Link("/@" + url.PathEscape(name))
}
