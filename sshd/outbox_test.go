package sshd

import (
	"errors"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// recorder is a connection that keeps each write.
type recorder struct {
	net.Conn
	// err is what writes return.
	err error

	// mu guards writes.
	mu     sync.Mutex
	writes []string
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writes = append(r.writes, string(p))
	return len(p), r.err
}

// checkWrites checks what has been written.
func (r *recorder) checkWrites(t *testing.T, want ...string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Equal(r.writes, want) {
		t.Errorf("got writes %q, want %q", r.writes, want)
	}
}

// TestOutbox checks that held data is written once, in order, and that a later write returns the error.
func TestOutbox(t *testing.T) {
	var r recorder
	o := outbox{conn: &r}
	write := func(text string) {
		t.Helper()
		if n, err := o.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("Write(%q) = %d, %v", text, n, err)
		}
	}
	write("a")
	o.hold()
	write("b")
	// Another session of the connection holds the outbox.
	o.hold()
	write("c")
	o.release()
	write("d")
	r.checkWrites(t, "a")
	o.release()
	r.checkWrites(t, "a", "bcd")
	write("e")
	r.checkWrites(t, "a", "bcd", "e")

	r.err = errors.New("broken")
	o.hold()
	write("f")
	o.release()
	if _, err := o.Write([]byte("g")); err != r.err {
		t.Errorf("got error %v, want that of the connection", err)
	}
}

// TestOutboxFlushesAfterMaxHold checks that data is not held back while the client must answer.
func TestOutboxFlushesAfterMaxHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		o := outbox{conn: &r}
		o.hold()
		o.Write([]byte("a"))
		time.Sleep(maxHold - time.Microsecond)
		synctest.Wait()
		r.checkWrites(t)
		time.Sleep(time.Microsecond)
		synctest.Wait()
		o.Write([]byte("b"))
		r.checkWrites(t, "a", "b")
		// Another session holds the outbox.
		o.hold()
		o.release()
		o.release()
		r.checkWrites(t, "a", "b")
	})
}
