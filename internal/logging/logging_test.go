package logging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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

// countLines counts the lines of a log that contain a text.
func countLines(log, text string) (n int) {
	for line := range strings.Lines(log) {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

// TestQuota simulates floods of clients: each message is logged a few times, then once a minute with
// a count. A flood hides neither errors nor lines for debugging.
func TestQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := sshtest.NewOutput() // which is safe to read while it is written
		log, err := New(out, "debug", "logfmt")
		if err != nil {
			t.Fatal(err)
		}
		from := 0
		check := func(when string, want map[string]int) {
			t.Helper()
			for text, n := range want {
				if got := countLines(out.String()[from:], text); got != n {
					t.Errorf("%s: %d lines with %q, want %d, in\n%.2000s", when, got, text, n, out.String()[from:])
				}
			}
			from = len(out.String())
		}
		for i := range 5000 {
			log.Info("ssh connect", "remote", fmt.Sprintf("10.0.%d.%d:22", i/250, i%250), "conn", i)
		}
		for range 20 {
			log.Warn("ssh refused")
		}
		for range 2 * maxSame {
			log.Error("disk full")
			log.Debug("details")
		}
		for i := range 2 * maxMessages { // as net/http logs
			log.Warn(fmt.Sprintf("http: error %d", i))
		}
		check("at once", map[string]int{
			"ssh connect": maxSame, "ssh refused": 20, "http": maxLines - maxSame - 20, "disk full": maxSame, "details": 2 * maxSame,
		})
		time.Sleep(period)
		synctest.Wait()
		check("after a period", map[string]int{
			"conn=4999 repeated=4970": 1, "ssh refused": 0, "http": maxMessages - 2 - (maxLines - maxSame - 20),
			"\"http: error 119\" repeated=63": 1, "\"disk full\" repeated=30": 1, "details": 0,
		})
		log.Info("ssh connect")
		check("in the next period", map[string]int{"ssh connect": 1})
		for range maxSame {
			log.Info("ssh connect")
		}
		log.Flush()
		log.Flush()
		check("at the end", map[string]int{"ssh connect": maxSame, "repeated=1": 1})
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
	if got := out.String(); countLines(got, "level=error") != 1 || countLines(got, "level=debug") != 1 || countLines(got, "canceled") != 1 {
		t.Errorf("the log is\n%s", got)
	}
}
