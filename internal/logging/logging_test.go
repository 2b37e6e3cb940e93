package logging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/sshtest"
)

// TestLog checks that a logger's attributes come before those of a line, in every format,
// and that a new level applies to existing loggers.
func TestLog(t *testing.T) {
	for format, want := range map[string]string{
		"text":   ` INFO  comes conn=3 session=4 name=ann`,
		"logfmt": ` level=info msg=comes conn=3 session=4 name=ann`,
		"json":   `"msg":"comes","conn":3,"session":4,"name":"ann"`,
	} {
		var out bytes.Buffer
		log, err := New(&out, "warn", format)
		if err != nil {
			t.Fatal(err)
		}
		defer log.Flush()
		one := log.With("conn", 3)
		two, other := one.With("session", 4), one.With("hatch", "aft")
		two.Info("too early")
		log.SetLevel("info")
		two.Info("comes", "name", "ann")
		if s := out.String(); !strings.Contains(s, want) || strings.Count(s, "\n") != 1 {
			t.Errorf("%s: %q, want %q", format, s, want)
		}
		out.Reset()
		other.Info("goes")
		if s := out.String(); !strings.Contains(s, "aft") || strings.Contains(s, "session") {
			t.Errorf("%s: a log has the attributes of its sibling: %q", format, s)
		}
	}
}

// lines counts the lines of a log that contain all given texts.
func lines(log string, texts ...string) (n int) {
	for line := range strings.Lines(log) {
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(line, text) }) {
			n++
		}
	}
	return n
}

// TestRepeatedLines simulates floods of clients: each line is logged a few times, then once
// a minute with a count. Lines of other clients are not lost.
func TestRepeatedLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := sshtest.NewOutput() // which is safe to read while it is written
		from := 0
		since := func() string { return out.String()[from:] }
		log, err := New(out, "info", "logfmt")
		if err != nil {
			t.Fatal(err)
		}
		flood := log.With("remote", "198.51.100.7:4000")
		for range 5000 {
			flood.Info("ssh connect", "conn", 1)
		}
		log.With("remote", "198.51.100.8:1").Info("ssh connect", "conn", 2)
		log.Info("ssh login", "remote", "198.51.100.7:4001", "user", "ann")
		if n := lines(since(), "ssh connect", "198.51.100.7"); n != 10 {
			t.Errorf("%d lines of a flood", n)
		}
		if lines(since(), "198.51.100.8") != 1 || lines(since(), "ssh login", "ann") != 1 {
			t.Errorf("the flood hides others:\n%s", since())
		}
		time.Sleep(repeatTime + time.Second)
		if n := lines(since(), "ssh connect", "remote=198.51.100.7:4000", "repeated=4990"); n != 1 {
			t.Errorf("%d summaries:\n%s", n, since())
		}

		from = len(out.String())
		for i := range 5000 { // of one address, under many names
			log.Info("ssh login", "remote", fmt.Sprintf("[2001:db8::%x]:22", i), "user", fmt.Sprint("u", i))
		}
		if n := lines(since()); n != 60 {
			t.Errorf("%d lines of one address", n)
		}
		from = len(out.String())
		for i := range 20000 { // from many addresses
			log.Warn("ssh refused", "remote", fmt.Sprintf("10.%d.%d.1:22", i/100, i%100), "reason", "banned")
		}
		for range 1000 { // without an address
			log.Info("match started")
		}
		if n := lines(since(), "ssh refused"); n != 600 {
			t.Errorf("%d lines about many addresses", n)
		}
		if n := lines(since(), "match started"); n != 600 {
			t.Errorf("%d lines without an address", n)
		}
		log.Flush()
		for _, s := range []string{"repeated=19400", "repeated=400", "repeated=4940"} {
			if lines(since(), s) != 1 {
				t.Errorf("no %s in\n%.2000s", s, since())
			}
		}
	})
}

// TestQuietLogForgets checks that nothing is kept about clients that have been quiet.
func TestQuietLogForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newLogQuota()
		log := slog.New(handler{Handler: slog.NewTextHandler(io.Discard, nil), quota: q})
		for i := range 2 * maxLogKeys {
			log.Info("ssh connect", "remote", fmt.Sprintf("10.%d.%d.1:22", i/250, i%250))
		}
		q.mu.Lock()
		if n := len(q.keys); n > maxLogKeys+1 {
			t.Errorf("%d keys are kept", n)
		}
		q.mu.Unlock()
		time.Sleep(10 * repeatTime)
		q.mu.Lock()
		defer q.mu.Unlock()
		if len(q.keys) > 0 || q.timer != nil {
			t.Errorf("%d keys are kept for ever", len(q.keys))
		}
	})
}

// TestCanceledIsNoError logs errors of canceled requests.
func TestCanceledIsNoError(t *testing.T) {
	var out bytes.Buffer
	log, err := New(&out, "info", "logfmt")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Flush()
	gone := fmt.Errorf("reading: %w", context.Canceled)
	log.With("key", "SHA256:x").Error("account cannot be looked up", "error", gone)
	if out.Len() > 0 {
		t.Errorf("a client that left is in the log: %s", &out)
	}
	log.Error("account cannot be looked up", "error", errors.New("disk full"))
	log.SetLevel("debug")
	log.Error("account cannot be looked up", "error", gone)
	if lines(out.String(), "level=error", "disk full") != 1 || lines(out.String(), "level=debug", "canceled") != 1 {
		t.Errorf("%s", &out)
	}
}
