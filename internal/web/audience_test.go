package web

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/web/feed"
)

// script is a source with the given chunks.
type script struct {
	mu      sync.Mutex
	chunks  [][]byte // guarded by mu, like the fields below
	first   uint64   // position of the first kept chunk
	changed chan struct{}
	ended   bool
}

func newScript() *script { return &script{changed: make(chan struct{})} }

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

// change changes the script under its lock.
func (s *script) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *script) say(text string) {
	s.change(func() { s.chunks = append(s.chunks, []byte(text)) })
}

// theatre is audiences with a script, whose viewers are pipes.
type theatre struct {
	*audiences
	*script
	t    *testing.T
	left []string // guarded by script.mu: names of viewers that are gone
}

// enact runs a test in a bubble with its own time.
func enact(t *testing.T, f func(*theatre)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		th := &theatre{audiences: &audiences{ctx: ctx, work: new(sync.WaitGroup), streams: map[source]*audience{}}, script: newScript(), t: t}
		f(th)
		cancel()
		th.work.Wait()
		if len(th.streams) != 0 {
			t.Errorf("%d audiences are left", len(th.streams))
		}
	})
}

// view adds a viewer and returns its end of the connection.
func (th *theatre) view(name string) net.Conn {
	mine, theirs := net.Pipe()
	first, from := th.Join("")
	th.admit(th.script, &viewer{theirs, from, func() {
		th.script.mu.Lock()
		defer th.script.mu.Unlock()
		th.left = append(th.left, name)
	}}, first)
	return mine
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

func (th *theatre) want(who, got, want string) {
	th.t.Helper()
	if got != want {
		th.t.Errorf("%s has read %q, want %q", who, got, want)
	}
}

// gone returns the viewers that are gone.
func (th *theatre) gone() string {
	th.script.mu.Lock()
	defer th.script.mu.Unlock()
	return fmt.Sprint(th.left)
}

// TestAudience lets viewers join and leave while a stream runs to its end.
func TestAudience(t *testing.T) {
	enact(t, func(th *theatre) {
		ann := reads(th.view("ann"))
		synctest.Wait()
		th.say("1 ")
		time.Sleep(time.Second)
		bobs := th.view("bob")
		bob := reads(bobs)
		synctest.Wait()
		th.say("2 ")
		th.say("3 ")
		time.Sleep(time.Second)
		th.want("ann", ann(), "state 1 2 3 ")
		th.want("bob", bob(), "state 2 3 ")
		bobs.Close()
		time.Sleep(beatTime)
		th.want("ann", ann(), "state 1 2 3 :\n\n")
		if got := th.gone(); got != "[bob]" {
			t.Errorf("%v are gone", got)
		}
		th.change(func() { th.ended = true })
		time.Sleep(time.Second)
		if got := th.gone(); got != "[bob ann]" {
			t.Errorf("at the end of the stream, %v are gone", got)
		}
		late := reads(th.view("late"))
		th.want("late", late(), "state ")
		if got := th.gone(); got != "[bob ann late]" {
			t.Errorf("after the end of the stream, %v are gone", got)
		}
	})
}

// TestSlowViewers has viewers that do not read. The others get everything in time; a slow
// one gets the missed data if it reads in time, and is closed otherwise.
func TestSlowViewers(t *testing.T) {
	enact(t, func(th *theatre) {
		ann := reads(th.view("ann"))
		slow, never := th.view("slow"), th.view("never")
		for _, c := range []net.Conn{slow, never} {
			if _, err := io.ReadFull(c, make([]byte, len("state "))); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		begin := time.Now()
		th.say("1 ")
		for ann() != "state 1 " {
			time.Sleep(100 * time.Microsecond)
		}
		if took := time.Since(begin); took > pause+3*tryTime {
			t.Errorf("two slow viewers delay the others by %v", took)
		}
		th.say("2 ")
		time.Sleep(sendTime / 2)
		th.want("ann", ann(), "state 1 2 ")
		late := reads(slow)
		time.Sleep(sendTime)
		th.say("3 ")
		time.Sleep(time.Second)
		th.want("slow", late(), "1 2 3 ")
		if got := th.gone(); got != "[never]" {
			t.Errorf("%v are gone", got)
		}
	})
}

// TestViewersThatMiss begins again with the state for viewers that are too far behind.
func TestViewersThatMiss(t *testing.T) {
	enact(t, func(th *theatre) {
		ann := th.view("ann")
		if _, err := io.ReadFull(ann, make([]byte, len("state "))); err != nil {
			t.Fatal(err)
		}
		th.say("1 ")
		synctest.Wait()
		time.Sleep(time.Second)
		th.change(func() { th.first, th.chunks = 10, nil })
		text := reads(ann)
		time.Sleep(time.Second)
		th.say("11 ")
		time.Sleep(time.Second)
		th.want("ann", text(), "1 state 11 ")
	})
}

// TestShutdownEndsAudiences shuts down with a viewer who reads and one who does not.
func TestShutdownEndsAudiences(t *testing.T) {
	enact(t, func(th *theatre) {
		reads(th.view("ann"))
		th.view("never")
	})
}
