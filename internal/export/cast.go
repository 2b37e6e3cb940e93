package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/term"
	"broadside/tui/replay"
)

const (
	// longest is how long a picture of a film is shown at most, in seconds.
	// The header says so, and players skip the rest.
	longest = 2
	// lingers is how long the last picture is shown.
	lingers = 5 * time.Second
)

// Cast writes a match as an asciicast, version 2, of 80×24 cells, in a language: a picture for
// each shot, at the time when it was fired, with both fleets in view. Errors
// are that its events are not the history of a match, and those of w.
func Cast(l i18n.Language, w io.Writer, m store.Match) error {
	film, err := replay.New(l, m)
	if err != nil {
		return err
	}
	out := castWriter{w: w}
	out.line(struct {
		Version   int               `json:"version"`
		Width     int               `json:"width"`
		Height    int               `json:"height"`
		Timestamp int64             `json:"timestamp"`
		Idle      float64           `json:"idle_time_limit"`
		Title     string            `json:"title"`
		Env       map[string]string `json:"env"`
	}{2, replay.Width, replay.Height, m.Started.Unix(), longest, film.Heading(), map[string]string{"TERM": "xterm-256color"}})
	frames := term.NewWriter(&out, colorprofile.TrueColor, replay.Width, replay.Height)
	for n := range film.Len() {
		out.at = film.At(n)
		v := tea.NewView(strings.Join(film.Screen(n, replay.Width, replay.Height), "\n"))
		v.DisableBracketedPasteMode = true
		_ = frames.Draw(v) // its errors are out's
	}
	out.at += lingers
	_ = frames.Close()
	if out.err != nil {
		return fmt.Errorf("writing the film of match %s: %w", m.ID, out.err)
	}
	return nil
}

// castWriter makes events of an asciicast of what is written to it.
type castWriter struct {
	w   io.Writer
	at  time.Duration // of what is written next
	err error         // the first
}

func (c *castWriter) Write(b []byte) (int, error) {
	c.line([]any{json.Number(fmt.Sprintf("%.3f", c.at.Seconds())), "o", string(b)})
	return len(b), c.err
}

func (c *castWriter) line(v any) {
	if c.err != nil {
		return
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if c.err = e.Encode(v); c.err == nil {
		_, c.err = c.w.Write(b.Bytes())
	}
}
