package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"broadside/internal/test/sshtest"
)

var recordings = flag.String("recordings", "", "write recordings of first visits into this `folder`")

// frameTime is the minimum time for which a recording shows a frame, in seconds, because
// tests are faster than people.
const frameTime = 0.75

// recording is a terminal's output as an asciicast, version 2.
type recording struct {
	start time.Time
	// lastFrame is the time of the last frame, in seconds.
	lastFrame float64
	// rest is the start of a character whose other bytes have not arrived.
	rest  []byte
	lines bytes.Buffer
}

// Write implements [io.Writer].
func (r *recording) Write(b []byte) (int, error) {
	text := append(r.rest, b...)
	end := len(text)
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if start := len(text) - n; utf8.RuneStart(text[start]) {
			if !utf8.FullRune(text[start:]) {
				end = start
			}
			break
		}
	}
	r.rest = bytes.Clone(text[end:])
	r.lastFrame = max(r.lastFrame+frameTime, time.Since(r.start).Seconds())
	out := json.NewEncoder(&r.lines)
	out.SetEscapeHTML(false)
	return len(b), out.Encode([]any{r.lastFrame, "o", string(text[:end])})
}

// record opens a session, and writes what its terminal shows as NAME.cast at the end of the
// test, if -recordings is set.
func (h *testServer) record(t *testing.T, name string, o sshtest.Options) *sshtest.Terminal {
	t.Helper()
	if *recordings == "" {
		return sshtest.Dial(t, h.ssh, o)
	}
	r := &recording{start: time.Now()}
	o.Tee, o.Env = r, map[string]string{"COLORTERM": "truecolor"}
	// Cleanups run in reverse order, so the terminal is closed before.
	t.Cleanup(func() {
		header, _ := json.Marshal(map[string]any{"version": 2, "width": 80, "height": 24, "idle_time_limit": 2})
		if err := os.WriteFile(filepath.Join(*recordings, name+".cast"), append(append(header, '\n'), r.lines.Bytes()...), 0o644); err != nil {
			t.Error(err)
		}
	})
	return sshtest.Dial(t, h.ssh, o)
}

// TestRecordings checks that the recordings of first visits in docs can be played: each
// frame follows the one before, and the visit includes the result of a match.
func TestRecordings(t *testing.T) {
	for name, want := range map[string]string{"keys": "Worst mistakes", "mouse": "Choose a player name.", "lines": "Your accuracy:"} {
		b, err := os.ReadFile("docs/first-visit/" + name + ".cast")
		if err != nil {
			t.Fatal(err)
		}
		in := json.NewDecoder(bytes.NewReader(b))
		var header struct{ Version, Width, Height int }
		if err := in.Decode(&header); err != nil || header.Version != 2 || header.Width != 80 || header.Height != 24 {
			t.Errorf("%s: header %+v, %v", name, header, err)
		}
		var all strings.Builder
		for last := 0.0; in.More(); {
			var frame [3]any
			if err := in.Decode(&frame); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			at, _ := frame[0].(float64)
			text, _ := frame[2].(string)
			if at <= last || frame[1] != "o" {
				t.Fatalf("%s: frame %v after %v", name, frame, last)
			}
			last = at
			all.WriteString(text)
		}
		if !strings.Contains(all.String(), want) {
			t.Errorf("%s: there is no %q", name, want)
		}
	}
}
