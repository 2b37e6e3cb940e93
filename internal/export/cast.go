package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
)

const (
	// maxFrameSeconds is the maximum time between two frames, in seconds. The header contains it, so that
	// players shorten longer pauses.
	maxFrameSeconds = 2
	// lastFrameTime is how long the last frame is shown.
	lastFrameTime = 5 * time.Second
)

// WriteAsciicast writes a match as an asciicast, version 2, of 80×24 cells. Each shot is a frame that shows
// both fleets at the time of the shot. WriteAsciicast returns the errors of w, and an error if the events are
// not a match's history.
func WriteAsciicast(l i18n.Language, w io.Writer, m store.Match) error {
	replay, err := text.NewReplay(l, m)
	if err != nil {
		return err
	}
	out := asciicastWriter{w: w}
	out.writeLine(struct {
		Version   int               `json:"version"`
		Width     int               `json:"width"`
		Height    int               `json:"height"`
		Timestamp int64             `json:"timestamp"`
		Idle      float64           `json:"idle_time_limit"`
		Title     string            `json:"title"`
		Env       map[string]string `json:"env"`
	}{
		2, board.ReplayWidth, board.ReplayHeight, m.Started.Unix(), maxFrameSeconds, replay.Heading(),
		map[string]string{"TERM": "xterm-256color"},
	})
	frames := term.NewWriter(&out, board.ReplayWidth, board.ReplayHeight)
	palette := term.PaletteFor(term.Appearance{}, term.Terminal{})
	for n := range replay.Len() {
		out.at = replay.FrameTime(n)
		lines := board.ReplayScreen(replay, n, board.ReplayWidth, board.ReplayHeight)
		// out remembers the error.
		_ = frames.Draw(term.Frame{Lines: lines, Palette: palette, NoBracketedPaste: true})
	}
	out.at += lastFrameTime
	_ = frames.Close()
	if out.err != nil {
		return fmt.Errorf("write the asciicast of match %s: %w", m.ID, out.err)
	}
	return nil
}

// asciicastWriter writes an asciicast's events.
type asciicastWriter struct {
	w io.Writer
	// at is the time of the next event.
	at time.Duration
	// err is the first write error.
	err error
}

func (a *asciicastWriter) Write(b []byte) (int, error) {
	a.writeLine([]any{json.Number(fmt.Sprintf("%.3f", a.at.Seconds())), "o", string(b)})
	return len(b), a.err
}

func (a *asciicastWriter) writeLine(v any) {
	if a.err != nil {
		return
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	a.err = e.Encode(v)
	if a.err != nil {
		return
	}
	_, a.err = a.w.Write(b.Bytes())
}
