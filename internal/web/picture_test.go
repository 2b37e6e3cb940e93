package web

import (
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestPreviewPictureExists checks that the picture named in a page's head can be loaded.
func TestPreviewPictureExists(t *testing.T) {
	t.Parallel()
	s := openSite(t, Limits{})
	_, page := s.get("/live")
	address := regexp.MustCompile(`<meta property="og:image" content="([^"]*)">`).FindStringSubmatch(page)
	if address == nil {
		t.Fatalf("no picture:\n%s", page)
	}
	response, body := s.get(strings.TrimPrefix(address[1], s.url))
	picture, err := png.Decode(strings.NewReader(body))
	if err != nil || response.Header.Get("Content-Type") != "image/png" {
		t.Fatalf("%s: %s %v, %v", address[1], response.Status, response.Header, err)
	}
	if b := picture.Bounds(); b.Dx() != 1200 || b.Dy() != 630 {
		t.Errorf("%s is %v", address[1], b)
	}
}

// TestMatchPictures checks pictures of a running and of a finished match.
func TestMatchPictures(t *testing.T) {
	t.Parallel()
	s := openSite(t, Limits{})
	first, second, id := s.startMatch()
	picture := func(path string) string {
		t.Helper()
		response, body := s.get(path)
		if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "image/svg+xml" || response.Header.Get("ETag") == "" {
			t.Fatalf("%s: %s %v", path, response.Status, response.Header)
		}
		return body
	}
	running := picture("/m/" + id + "/picture.svg")
	if !strings.Contains(running, `class="name">Broadside<`) {
		t.Error("the title is not as short as it has to be")
	}
	s.finishMatch(first, second, id)
	if picture("/m/"+id+"/picture.svg") == running {
		t.Error("the picture has not changed")
	}
}

// TestPagesShowSSHAddress checks that pages show the SSH server's configured address, or else the requested host unless that
// is hostile.
func TestPagesShowSSHAddress(t *testing.T) {
	for _, c := range []struct{ address, port, host, want string }{
		{"", "2222", "play.example.org", "ssh -p 2222 play.example.org"}, {"", "2222", "play.example.org:8080", "ssh -p 2222 play.example.org"},
		{"", "22", "192.0.2.1:8080", "ssh 192.0.2.1"}, {"", "2222", "[2001:db8::1]:8080", "ssh -p 2222 2001:db8::1"}, {"", "22", "[2001:db8::1]", "ssh 2001:db8::1"},
		{"", "22", "x;reboot", "ssh HOST"}, {"", "22", "-oProxyCommand=x", "ssh HOST"}, {"", "22", "a b:80", "ssh HOST"}, {"", "22", "", "ssh HOST"}, {"", "22", "\x1b[2J", "ssh HOST"},
		{"play.example.org", "2222", "evil.example", "ssh play.example.org"}, {"play.example.org:2022", "2222", "evil.example:80", "ssh -p 2022 play.example.org"},
		{"[2001:db8::2]:2022", "22", "x", "ssh -p 2022 2001:db8::2"},
	} {
		s := New(Config{Address: c.address, SSH: tcpAddr("127.0.0.1:" + c.port), Relay: tcpAddr("127.0.0.1:54321")})
		p := s.newPage(&http.Request{Host: c.host, URL: new(url.URL)})
		if got := p.sshCommand(); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
		if relay := p.relayAddress(); !strings.HasSuffix(relay, ":54321") || strings.Contains(relay, "evil") {
			t.Errorf("%+v: programs connect to %q", c, relay)
		}
	}
}
