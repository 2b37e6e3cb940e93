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

func (p *pipes) Addr() net.Addr { return tcpAddr("192.0.2.1:80") }

// dial connects from an address.
func (p *pipes) dial(from string) net.Conn {
	mine, theirs := net.Pipe()
	p.conns <- pipe{theirs, tcpAddr(from + ":1234")}
	return mine
}

// serveSlowly runs a test with a server in a bubble with its own time. Only pages that need no
// lobby work.
func serveSlowly(t *testing.T, limits Limits, f func(*Server, *pipes)) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{SSH: tcpAddr("127.0.0.1:22"), Relay: tcpAddr("127.0.0.1:54321"), Limits: limits})
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

// TestSlowRequestsAreClosed checks that connections whose requests come slowly or not at all are closed in time and then no
// longer counted.
func TestSlowRequestsAreClosed(t *testing.T) {
	endless := strings.Repeat("x", 1000)
	for name, c := range map[string]struct {
		// fast is sent immediately, and then slow with ten bytes a second.
		fast, slow string
		// want is how long the connection lasts.
		want time.Duration
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

// TestClientThatDoesNotReadIsDisconnected checks that a client which never reads a file is disconnected.
func TestClientThatDoesNotReadIsDisconnected(t *testing.T) {
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

// TestFloodingAddressIsRefused checks that an address with too many connections and requests is refused, while other addresses are
// served.
func TestFloodingAddressIsRefused(t *testing.T) {
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

// scriptedSource is a source with the given chunks.
type scriptedSource struct {
	mu      sync.Mutex
	chunks  [][]byte // guarded by mu, like the fields below
	first   uint64   // position of the first kept chunk
	changed chan struct{}
	ended   bool
}

func (s *scriptedSource) Join(string) ([]byte, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return []byte("state "), s.first + uint64(len(s.chunks))
}

func (s *scriptedSource) Read(from uint64) feed.ReadResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := feed.ReadResult{Position: s.first + uint64(len(s.chunks)), Ended: s.ended}
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

// change changes the script under its lock and gives clients time to see it.
func (s *scriptedSource) change(f func()) {
	s.mu.Lock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
	time.Sleep(time.Second)
	synctest.Wait()
}

func (s *scriptedSource) publish(text string) {
	s.change(func() { s.chunks = append(s.chunks, []byte(text)) })
}

// theatre is a server with a script, whose clients are pipes.
type theatre struct {
	*pipes
	*scriptedSource
	server *Server
	t      *testing.T
}

// runTheatre runs a test with a script.
func runTheatre(t *testing.T, f func(*theatre)) {
	serveSlowly(t, Limits{MaxStreamsPerAddr: 4}, func(s *Server, l *pipes) {
		th := &theatre{l, &scriptedSource{changed: make(chan struct{})}, s, t}
		s.http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serveStream(w, r, th.scriptedSource) })
		f(th)
	})
}

// join adds a client that reads until the stream's state.
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

// collectText reads everything from a connection in the background.
func collectText(c net.Conn) (text func() string) {
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

func (th *theatre) wantTexts(who, got, want string, viewers int) {
	th.t.Helper()
	if got != want {
		th.t.Errorf("%s has read %q, want %q", who, got, want)
	}
	if n := th.server.streams.Total(); n != viewers {
		th.t.Errorf("%d clients are counted, want %d", n, viewers)
	}
}

// TestClientsJoinAndLeaveStream checks that clients can join and leave while a stream runs to its end.
func TestClientsJoinAndLeaveStream(t *testing.T) {
	runTheatre(t, func(th *theatre) {
		ann := collectText(th.join())
		th.publish("1 ")
		bobs := th.join()
		bob := collectText(bobs)
		th.publish("2 ")
		th.publish("3 ")
		th.wantTexts("ann", ann(), "1 2 3 ", 2)
		th.wantTexts("bob", bob(), "2 3 ", 2)
		bobs.Close()
		time.Sleep(heartbeatTime)
		th.wantTexts("ann", ann(), "1 2 3 :\n\n", 1)
		th.change(func() { th.ended = true })
		th.wantTexts("ann", ann(), "1 2 3 :\n\n", 0)
		late := collectText(th.join())
		th.wantTexts("late", late(), "", 0)
	})
}

// TestStalledStreamClients checks that clients that do not read delay no others. A slow one gets the missed data if
// it reads in time, and is closed otherwise. One that is too far behind starts again.
func TestStalledStreamClients(t *testing.T) {
	runTheatre(t, func(th *theatre) {
		ann := collectText(th.join())
		slow, never, behind := th.join(), th.join(), th.join()
		if got := th.request(t, "198.51.100.1", 1); got[0] != http.StatusServiceUnavailable {
			t.Errorf("a fifth stream of an address: %v", got)
		}
		th.publish("1 ")
		th.publish("2 ")
		th.wantTexts("ann", ann(), "1 2 ", 4)
		time.Sleep(sendTime / 2)
		late := collectText(slow)
		th.wantTexts("slow", late(), "1 2 ", 4)
		th.change(func() { th.first, th.chunks = 10, nil })
		again := collectText(behind)
		th.wantTexts("behind", again(), "1 state ", 4)
		th.publish("11 ")
		time.Sleep(sendTime)
		th.wantTexts("ann", ann(), "1 2 state 11 ", 3)
		th.wantTexts("slow", late(), "1 2 state 11 ", 3)
		th.wantTexts("behind", again(), "1 state 11 ", 3)
		if rest := collectText(never)(); strings.Contains(rest, "11") {
			t.Errorf("a client that does not read gets %q", rest)
		}
		// This client does not read when the server shuts down.
		th.join()
	})
}
