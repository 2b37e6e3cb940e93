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

	"broadside/internal/web/feed"
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

// TestClientThatDoesNotRead asks for a file and never reads it.
func TestClientThatDoesNotRead(t *testing.T) {
	serveSlowly(t, Limits{}, func(s *Server, l *pipes) {
		c := l.dial("198.51.100.1")
		io.WriteString(c, "GET /assets/site.js HTTP/1.1\r\nHost: x\r\n\r\n")
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

// script is a source with the given chunks.
type script struct {
	mu      sync.Mutex
	chunks  [][]byte // guarded by mu, like the fields below
	first   uint64   // position of the first kept chunk
	changed chan struct{}
	ended   bool
}

func (s *script) Join(string) ([]byte, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return []byte("state "), s.first + uint64(len(s.chunks))
}

func (s *script) Read(from uint64) feed.Next {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := feed.Next{Position: s.first + uint64(len(s.chunks)), Ended: s.ended}
	switch {
	case from < s.first:
		n.Missed, n.Ended = true, false
	case from < n.Position:
		n.Chunks, n.Ended = s.chunks[from-s.first:], false
	case !s.ended:
		n.Changed = s.changed
	}
	return n
}

// change changes the script under its lock and gives viewers time to see it.
func (s *script) change(f func()) {
	s.mu.Lock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
	time.Sleep(time.Second)
	synctest.Wait()
}

func (s *script) say(text string) {
	s.change(func() { s.chunks = append(s.chunks, []byte(text)) })
}

// theatre is a server with a script, whose viewers are pipes.
type theatre struct {
	*pipes
	*script
	server *Server
	t      *testing.T
}

// enact runs a test with a script.
func enact(t *testing.T, f func(*theatre)) {
	serveSlowly(t, Limits{MaxStreamsPerAddr: 4}, func(s *Server, l *pipes) {
		th := &theatre{l, &script{changed: make(chan struct{})}, s, t}
		s.http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.stream(w, r, th.script) })
		f(th)
	})
}

// join adds a viewer that reads until the state of the stream.
func (th *theatre) join() net.Conn {
	c := th.dial("198.51.100.1")
	io.WriteString(c, "GET / HTTP/1.0\r\n\r\n")
	var head strings.Builder
	for b := make([]byte, 1); !strings.HasSuffix(head.String(), streamHead+"state "); {
		if _, err := c.Read(b); err != nil {
			th.t.Fatalf("%v after %q", err, head.String())
		}
		head.Write(b)
	}
	synctest.Wait()
	return c
}

// reads reads everything from a connection in the background.
func reads(c net.Conn) (text func() string) {
	var mu sync.Mutex
	var read strings.Builder
	go func() {
		buffer := make([]byte, 100)
		for {
			n, err := c.Read(buffer)
			mu.Lock()
			read.Write(buffer[:n])
			mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return func() string {
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		return read.String()
	}
}

func (th *theatre) want(who, got, want string, viewers int) {
	th.t.Helper()
	if got != want {
		th.t.Errorf("%s has read %q, want %q", who, got, want)
	}
	if n := th.server.open.Total(); n != viewers {
		th.t.Errorf("%d viewers are counted, want %d", n, viewers)
	}
}

// TestViewers lets viewers join and leave while a stream runs to its end.
func TestViewers(t *testing.T) {
	enact(t, func(th *theatre) {
		ann := reads(th.join())
		th.say("1 ")
		bobs := th.join()
		bob := reads(bobs)
		th.say("2 ")
		th.say("3 ")
		th.want("ann", ann(), "1 2 3 ", 2)
		th.want("bob", bob(), "2 3 ", 2)
		bobs.Close()
		time.Sleep(beatTime)
		th.want("ann", ann(), "1 2 3 :\n\n", 1)
		th.change(func() { th.ended = true })
		th.want("ann", ann(), "1 2 3 :\n\n", 0)
		late := reads(th.join())
		th.want("late", late(), "", 0)
	})
}

// TestStalledViewers has viewers that do not read. The others get everything at once. A slow one gets the
// missed data if it reads in time, and is closed otherwise. One that is too far behind begins again.
func TestStalledViewers(t *testing.T) {
	enact(t, func(th *theatre) {
		ann := reads(th.join())
		slow, never, behind := th.join(), th.join(), th.join()
		if got := th.request(t, "198.51.100.1", 1); got[0] != http.StatusServiceUnavailable {
			t.Errorf("a fifth stream of an address: %v", got)
		}
		th.say("1 ")
		th.say("2 ")
		th.want("ann", ann(), "1 2 ", 4)
		time.Sleep(sendTime / 2)
		late := reads(slow)
		th.want("slow", late(), "1 2 ", 4)
		th.change(func() { th.first, th.chunks = 10, nil })
		again := reads(behind)
		th.want("behind", again(), "1 state ", 4)
		th.say("11 ")
		time.Sleep(sendTime)
		th.want("ann", ann(), "1 2 state 11 ", 3)
		th.want("slow", late(), "1 2 state 11 ", 3)
		th.want("behind", again(), "1 state 11 ", 3)
		if rest := reads(never)(); strings.Contains(rest, "11") {
			t.Errorf("a viewer that does not read gets %q", rest)
		}
		th.join() // does not read when the server shuts down
	})
}
