package web

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"broadside/internal/test/need"
	"broadside/match"
)

// TestForwardedForNeedsTrustedProxy checks that X-Forwarded-For counts only from a trusted proxy.
func TestForwardedForNeedsTrustedProxy(t *testing.T) {
	s := New(Config{Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, SSH: &net.TCPAddr{}, Relay: &net.TCPAddr{}})
	for _, c := range []struct{ peer, forwarded, want string }{
		{"192.0.2.1:1", "203.0.113.9", "192.0.2.1"}, {"127.0.0.1:1", "198.51.100.1, 203.0.113.9", "203.0.113.9"},
		{"127.0.0.1:1", "203.0.113.9, 127.0.0.1", "203.0.113.9"}, {"127.0.0.1:1", "", "127.0.0.1"}, {"127.0.0.1:1", "nonsense", "127.0.0.1"},
	} {
		r := &http.Request{RemoteAddr: c.peer, Header: http.Header{"X-Forwarded-For": {c.forwarded}}}
		if got := s.clientAddress(r); got.String() != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// proxyAddress is the proxy's address.
const proxyAddress = "127.0.0.2"

// openProxy serves a site through a reverse proxy at another address of this machine. The proxy sets the headers as caddy does.
func (s *site) openProxy() (front *site) {
	s.t.Helper()
	target, err := url.Parse(s.url)
	if err != nil {
		s.t.Fatal(err)
	}
	transport := &http.Transport{DialContext: (&net.Dialer{LocalAddr: tcpAddr(proxyAddress + ":0")}).DialContext}
	if c, err := transport.DialContext(s.t.Context(), "tcp", target.Host); err != nil {
		need.Skip(s.t, "there is no second loopback address: %v", err)
	} else {
		c.Close()
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
		r.SetXForwarded()
		if spoof := r.In.Header.Get("X-Test-Client"); spoof != "" { // as if the client had this address
			r.Out.Header.Set("X-Forwarded-For", spoof)
		}
		r.Out.Header.Set("X-Forwarded-Proto", "https")
	}})
	s.t.Cleanup(func() {
		proxy.Close()
		transport.CloseIdleConnections()
	})
	return &site{s.Server, s.t, s.folder, s.db, s.host, proxy.URL}
}

// TestPagesBehindProxy checks pages and a feed behind a reverse proxy.
func TestPagesBehindProxy(t *testing.T) {
	t.Parallel()
	banned := netip.MustParseAddr("203.0.113.66")
	s := openSiteWith(t, Config{
		Limits: Limits{RequestRate: 1, RequestBurst: 30}, Proxies: []netip.Prefix{netip.MustParsePrefix(proxyAddress + "/32")},
		Admit: func(a netip.Addr) error {
			if a == banned {
				return errors.New("banned")
			}
			return nil
		},
	})
	front := s.openProxy()
	_, second, id := s.startMatch()

	// The feed arrives while the response is being sent.
	feed := front.openFeed(apiRoot + "/matches/" + id + "/events")
	feed.readUntil(`"full":true`)
	second.must(second.Fire(match.Second, 0, match.NewCell(3, 3)))
	feed.readUntil(`"cell":"D4","state":"miss"`)

	// Links have the scheme and the browser's host.
	if _, body := front.get("/live"); !strings.Contains(body, `<link rel="canonical" href="`+strings.Replace(front.url, "http:", "https:", 1)+`/live">`) {
		t.Errorf("the address of the page is not that of the proxy:\n%s", body)
	}

	// Bans and limits apply to the proxy's clients.
	if response, _ := front.get("/live", "X-Test-Client", banned.String()); response.StatusCode != http.StatusForbidden {
		t.Errorf("a banned client behind the proxy: %s", response.Status)
	}
	status := 0
	for range 31 {
		response, _ := front.get("/robots.txt", "X-Test-Client", "198.51.100.1")
		status = response.StatusCode
	}
	if status != http.StatusTooManyRequests {
		t.Errorf("the 31st request of a client behind the proxy: %d", status)
	}
	if response, _ := front.get("/robots.txt", "X-Test-Client", "198.51.100.2"); response.StatusCode != http.StatusOK {
		t.Errorf("another client behind the proxy: %s", response.Status)
	}

	// Others cannot choose their address or scheme.
	response, body := s.get("/live", "X-Forwarded-For", banned.String(), "X-Forwarded-Proto", "https")
	if response.StatusCode != http.StatusOK || strings.Contains(body, "https://127") {
		t.Errorf("a client that claims another address: %s\n%s", response.Status, body)
	}
}
