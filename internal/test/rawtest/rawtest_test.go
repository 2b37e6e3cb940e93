package rawtest_test

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"

	"broadside/internal/test/leaks"
	"broadside/internal/test/rawtest"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// serve handles one connection.
func serve(t *testing.T, handler func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		handler(conn)
		conn.Close()
	})
	t.Cleanup(func() {
		listener.Close()
		serving.Wait()
	})
	return listener.Addr().String()
}

func TestTalk(t *testing.T) {
	got := make(chan string, 1)
	c := rawtest.Dial(t, serve(t, func(conn net.Conn) {
		io.WriteString(conn, "one\ntwo\r\nthree\nfour")
		b, _ := io.ReadAll(conn)
		got <- string(b)
	}))
	if line := c.Line(); line != "one" {
		t.Errorf("got %q", line)
	}
	if line := c.Line(); line != "two\r" {
		t.Errorf("got %q", line)
	}
	c.Expect("three\nfo")
	c.Send("a\rb\r\n\x00")
	c.CloseWrite()
	if rest := c.Rest(); rest != "ur" {
		t.Errorf("got %q", rest)
	}
	c.ExpectEOF()
	if b := <-got; b != "a\rb\r\n\x00" {
		t.Errorf("peer read %q", b)
	}
}

func TestReset(t *testing.T) {
	failed := make(chan error, 1)
	c := rawtest.Dial(t, serve(t, func(conn net.Conn) {
		_, err := io.ReadAll(conn)
		failed <- err
	}))
	c.Reset()
	if err := <-failed; err == nil {
		t.Error("the peer saw an orderly end")
	}
	c.Close()
}

func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name, sent string
		try        func(*rawtest.Conn)
		want       string
	}{
		{"other bytes", "abcx", func(c *rawtest.Conn) { c.Expect("abd") }, `got "abcx", want "abd"`},
		{"too few bytes", "ab", func(c *rawtest.Conn) { c.Expect("abc") }, `got "ab", want "abc": EOF`},
		{"more than the end", "a", func(c *rawtest.Conn) { c.ExpectEOF() }, `got "a", want the end`},
		{"no line", "ab", func(c *rawtest.Conn) { c.Line() }, `waiting for a line, got "ab": EOF`},
	} {
		t.Run(c.name, func(t *testing.T) {
			addr := serve(t, func(conn net.Conn) { io.WriteString(conn, c.sent) })
			fake := &failing{TB: t}
			var done sync.WaitGroup
			done.Go(func() { c.try(rawtest.Dial(fake, addr)) })
			done.Wait()
			if !strings.Contains(fake.message, c.want) {
				t.Errorf("failed with %q, want %q", fake.message, c.want)
			}
		})
	}
}

// failing is a test that only records its failure.
type failing struct {
	testing.TB
	message string
}

func (f *failing) Fatalf(format string, args ...any) {
	f.message = fmt.Sprintf(format, args...)
	runtime.Goexit()
}
