package sshd

import (
	"errors"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// recorder is a connection that keeps each write.
type recorder struct {
	net.Conn
	writes []string
	err    error // of writes
}

func (r *recorder) Write(p []byte) (int, error) {
	r.writes = append(r.writes, string(p))
	return len(p), r.err
}

// TestOutbox checks that what is held back is written once, in order, and with its error.
func TestOutbox(t *testing.T) {
	var r recorder
	o := outbox{conn: &r}
	write := func(text string) {
		t.Helper()
		if n, err := o.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%q is written with %d, %v", text, n, err)
		}
	}
	check := func(want ...string) {
		t.Helper()
		if !slices.Equal(r.writes, want) {
			t.Errorf("%q was written, not %q", r.writes, want)
		}
	}
	write("a")
	release := o.hold()
	write("b")
	again := o.hold() // by another session of the connection
	write("c")
	if err := release(); err != nil {
		t.Error(err)
	}
	write("d")
	check("a")
	if err := again(); err != nil {
		t.Error(err)
	}
	check("a", "bcd")
	write("e")
	check("a", "bcd", "e")

	r.err = errors.New("broken")
	release = o.hold()
	write("f")
	if err := release(); err != r.err {
		t.Errorf("the error is %v, not that of the connection", err)
	}
}

// TestOutboxLate checks that data is not held back while the client must answer.
func TestOutboxLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		o := outbox{conn: &r}
		release := o.hold()
		o.Write([]byte("a"))
		time.Sleep(maxHold - 1)
		synctest.Wait()
		if len(r.writes) > 0 {
			t.Error("data is not held back")
		}
		time.Sleep(1)
		synctest.Wait()
		o.Write([]byte("b"))
		if want := []string{"a", "b"}; !slices.Equal(r.writes, want) {
			t.Errorf("after %v, %q was written, not %q", maxHold, r.writes, want)
		}
		if err := release(); err != nil || len(r.writes) != 2 {
			t.Errorf("release writes %q, %v", r.writes[2:], err)
		}
	})
}
