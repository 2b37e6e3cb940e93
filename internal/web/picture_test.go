package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/match"
)

// TestPictures follows the picture in the head of pages of a running and of a finished match.
func TestPictures(t *testing.T) {
	t.Parallel()
	s := openSite(t, Limits{})
	first, second, id := s.fight()
	image := func(path string) string {
		t.Helper()
		_, page := s.get(path)
		address := regexp.MustCompile(`<meta property="og:image" content="([^"]*)">`).FindStringSubmatch(page)
		if address == nil {
			t.Fatalf("%s has no picture:\n%s", path, page)
		}
		response, body := s.get(strings.TrimPrefix(address[1], s.url))
		picture, err := png.Decode(strings.NewReader(body))
		if err != nil || response.Header.Get("Content-Type") != "image/png" || response.Header.Get("ETag") == "" {
			t.Fatalf("%s: %s %v, %v", address[1], response.Status, response.Header, err)
		}
		if b := picture.Bounds(); b.Dx() != 1200 || b.Dy() != 630 {
			t.Errorf("%s is %v", address[1], b)
		}
		return body
	}
	running := image("/m/" + id)
	image("/live")
	image("/?lang=de")
	second.must(second.Fire(match.Second, 0, match.At(0, 0)))
	first.must(first.Resign(match.First))
	second.until(func(v *match.View) bool { return v.Phase == match.Over })
	s.await("/m/"+id, "data-replay")
	clear(s.pictures.known) // forgets the picture, as it happens later; nothing else uses the server
	if image("/m/"+id) == running {
		t.Error("the picture has not changed")
	}
}

// TestPicturesAreBounded asks for more pictures than are kept, and for one that is being drawn,
// from more requests than may wait.
func TestPicturesAreBounded(t *testing.T) {
	ps := newPictures()
	for i := range 2*maxPictures + 1 {
		want := fmt.Appendf(nil, "%d", i)
		if got, err := ps.get(t.Context(), pictureKey{match: string(want)}, func() ([]byte, error) { return want, nil }); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%s, %v", got, err)
		}
	}
	if n := len(ps.known); n > maxPictures {
		t.Errorf("%d pictures are kept", n)
	}
	drawing, finish := make(chan struct{}), make(chan struct{})
	drawn := 0
	draw := func() ([]byte, error) {
		drawn++ // only one at a time
		close(drawing)
		<-finish
		return []byte("x"), nil
	}
	var asking sync.WaitGroup
	ask := func() {
		if _, err := ps.get(t.Context(), pictureKey{match: "slow"}, draw); err != nil {
			t.Error(err)
		}
	}
	asking.Go(ask)
	<-drawing
	for range maxPainters - 1 {
		asking.Go(ask)
	}
	for len(ps.waiting) < maxPainters {
		time.Sleep(time.Millisecond)
	}
	if _, err := ps.get(t.Context(), pictureKey{match: "slow"}, draw); !errors.Is(err, errBusy) || status(err) != http.StatusServiceUnavailable {
		t.Errorf("one request more: %v", err)
	}
	close(finish)
	asking.Wait()
	if drawn != 1 {
		t.Errorf("the picture was drawn %d times", drawn)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	ps.drawing <- struct{}{}
	if _, err := ps.get(gone, pictureKey{match: "other"}, draw); !errors.Is(err, context.Canceled) {
		t.Errorf("a client that has left: %v", err)
	}
}

// TestAddress shows the address of the SSH server as configured, or else the host of the request
// unless that is hostile.
func TestAddress(t *testing.T) {
	for _, c := range []struct{ address, port, host, want string }{
		{"", "2222", "play.example.org", "ssh -p 2222 play.example.org"}, {"", "2222", "play.example.org:8080", "ssh -p 2222 play.example.org"},
		{"", "22", "192.0.2.1:8080", "ssh 192.0.2.1"}, {"", "2222", "[2001:db8::1]:8080", "ssh -p 2222 2001:db8::1"}, {"", "22", "[2001:db8::1]", "ssh 2001:db8::1"},
		{"", "22", "x;reboot", "ssh HOST"}, {"", "22", "-oProxyCommand=x", "ssh HOST"}, {"", "22", "a b:80", "ssh HOST"}, {"", "22", "", "ssh HOST"}, {"", "22", "\x1b[2J", "ssh HOST"},
		{"play.example.org", "2222", "evil.example", "ssh play.example.org"}, {"play.example.org:2022", "2222", "evil.example:80", "ssh -p 2022 play.example.org"},
		{"[2001:db8::2]:2022", "22", "x", "ssh -p 2022 2001:db8::2"},
	} {
		s := New(Config{Address: c.address, SSH: tcp("127.0.0.1:" + c.port), Relay: tcp("127.0.0.1:54321")})
		p := s.newPage(&http.Request{Host: c.host, URL: new(url.URL)}, "")
		if got := p.Command(); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
		if relay := p.Relay(); !strings.HasSuffix(relay, ":54321") || strings.Contains(relay, "evil") {
			t.Errorf("%+v: programs connect to %q", c, relay)
		}
	}
}
