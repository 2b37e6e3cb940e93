package web

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener for connections that are pipes, each from an address.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// pipe is the server's end of a connection.
type pipe struct {
	net.Conn
	from net.Addr
}

func (p pipe) RemoteAddr() net.Addr { return p.from }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return tcp("192.0.2.1:80") }

// dial connects from an address.
func (p *pipes) dial(from string) net.Conn {
	mine, theirs := net.Pipe()
	p.conns <- pipe{theirs, tcp(from + ":1234")}
	return mine
}

// serveSlowly runs a test with a server in a bubble with its own time. Only pages that need no
// lobby work.
func serveSlowly(t *testing.T, limits Limits, f func(*Server, *pipes)) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{SSH: tcp("127.0.0.1:22"), Relay: tcp("127.0.0.1:54321"), Limits: limits})
		l := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
		var serving sync.WaitGroup
		serving.Go(func() {
			if err := s.Serve(l); err != nil {
				t.Error(err)
			}
		})
		f(s, l)
		if err := s.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		serving.Wait()
	})
}

// request sends requests from an address, each in a new connection, and returns the statuses of
// the responses.
func (p *pipes) request(t *testing.T, from string, number int) (all []int) {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn, error) { return p.dial(from), nil }}
	for range number {
		response, err := (&http.Client{Transport: transport}).Get("http://x/robots.txt")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		all = append(all, response.StatusCode)
	}
	synctest.Wait()
	return all
}

// TestSlowClients sends requests slowly or not at all. The server closes each connection in time
// and counts it no longer.
func TestSlowClients(t *testing.T) {
	endless := strings.Repeat("x", 1000)
	for name, c := range map[string]struct {
		fast, slow string        // sent at once; and then ten bytes a second
		want       time.Duration // how long the connection lasts
	}{
		"says nothing":          {"", "", headerTime},
		"slow request line":     {"", "GET /" + endless, headerTime},
		"slow header":           {"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", endless, headerTime},
		"slow body":             {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n", endless, readTime},
		"slow body in chunks":   {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3E8\r\n", endless, readTime},
		"idle after a response": {"GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n", "", idleTime},
	} {
		serveSlowly(t, Limits{}, func(s *Server, l *pipes) {
			client := l.dial("198.51.100.1")
			begin := time.Now()
			var took time.Duration
			var reading sync.WaitGroup
			reading.Go(func() {
				io.Copy(io.Discard, client)
				took = time.Since(begin)
			})
			_, err := io.WriteString(client, c.fast)
			for i := 0; i < len(c.slow) && err == nil; i++ {
				_, err = io.WriteString(client, c.slow[i:i+1])
				time.Sleep(100 * time.Millisecond)
			}
			reading.Wait()
			synctest.Wait()
			if took < c.want-time.Second || took > c.want+time.Second {
				t.Errorf("%s: the connection lasted %v, want %v", name, took, c.want)
			}
			if n := s.conns.Total(); n != 0 {
				t.Errorf("%s: %d connections are counted", name, n)
			}
		})
	}
}

// TestClientThatDoesNotRead asks for a page and never reads it.
func TestClientThatDoesNotRead(t *testing.T) {
	serveSlowly(t, Limits{}, func(s *Server, l *pipes) {
		c := l.dial("198.51.100.1")
		io.WriteString(c, "GET /programs HTTP/1.1\r\nHost: x\r\n\r\n")
		time.Sleep(writeTime - time.Second)
		synctest.Wait()
		if n := s.conns.Total(); n != 1 {
			t.Errorf("shortly before %v, %d connections are open, want 1", writeTime, n)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if n := s.conns.Total(); n != 0 {
			t.Errorf("shortly after %v, %d connections are open, want 0", writeTime, n)
		}
	})
}

// TestFlood opens as many connections as an address may have, and more, and sends more requests.
// Other addresses are served meanwhile.
func TestFlood(t *testing.T) {
	serveSlowly(t, Limits{MaxConns: 12, MaxConnsPerAddr: 10, RequestRate: 1, RequestBurst: 5}, func(s *Server, l *pipes) {
		closed := 0
		for range 30 {
			c := l.dial("198.51.100.1")
			synctest.Wait()
			_ = c.SetReadDeadline(time.Now()) // check whether it is closed
			if _, err := c.Read(make([]byte, 1)); err == io.EOF {
				closed++
			}
		}
		if closed != 20 || s.conns.Total() != 10 {
			t.Errorf("%d of 30 connections were closed, %d are counted", closed, s.conns.Total())
		}
		if got := l.request(t, "203.0.113.1", 1); got[0] != http.StatusOK {
			t.Errorf("another client: %v", got)
		}
		time.Sleep(headerTime + time.Second) // the idle connections are gone
		got := l.request(t, "198.51.100.1", 7)
		if want := []int{200, 200, 200, 200, 200, 429, 429}; !slices.Equal(got, want) {
			t.Errorf("7 requests at once: %v", got)
		}
		if got := l.request(t, "203.0.113.1", 1); got[0] != http.StatusOK {
			t.Errorf("another client during the flood: %v", got)
		}
		time.Sleep(time.Minute)
		if got := l.request(t, "198.51.100.1", 1); got[0] != http.StatusOK {
			t.Errorf("a minute later: %v", got)
		}
	})
}
