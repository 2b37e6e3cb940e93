package arena

import (
	"fmt"
	"io"
	"strings"
	"time"

	"charm.land/bubbles/v2/progress"
	"github.com/charmbracelet/x/ansi"
)

// Meter shows progress: on a terminal as a line that is redrawn, otherwise as one line per
// minute. It must be used from one goroutine.
type Meter struct {
	out      io.Writer
	terminal bool
	// width is in terminal cells.
	width int
	bar   progress.Model
	last  time.Time
	drawn bool
}

// logInterval is the interval between lines if out is not a terminal.
const logInterval = time.Minute

// NewMeter returns a meter that writes to out. width is the terminal's width in cells, or 0 if
// out is not a terminal.
func NewMeter(out io.Writer, width int) *Meter {
	return &Meter{out: out, terminal: width > 0, width: width, last: time.Now(), bar: progress.New(progress.WithWidth(24), progress.WithoutPercentage())}
}

// Show displays a tournament's progress.
func (m *Meter) Show(p Progress) {
	if !m.terminal {
		now := time.Now()
		if now.Sub(m.last) >= logInterval {
			m.last = now
			fmt.Fprintln(m.out, p)
		}
		return
	}
	done := 0.0
	if p.Total > 0 {
		done = float64(p.Done) / float64(p.Total)
	}
	line := m.bar.ViewAs(done) + "  " + p.String()
	fmt.Fprintf(m.out, "\r%s%s", ansi.Truncate(line, m.width-1, "…"), ansi.EraseLineRight)
	m.drawn = true
}

// Clear erases the progress line.
func (m *Meter) Clear() {
	if m.drawn {
		fmt.Fprint(m.out, "\r"+ansi.EraseLineRight)
		m.drawn = false
	}
}

// String returns the progress as one line of text.
func (p Progress) String() string {
	parts := []string{fmt.Sprintf("%d of %d games", p.Done, p.Total)}
	if p.Rate > 0 {
		parts = append(parts, fmt.Sprintf("%.3g a second", p.Rate))
		if p.Rate >= 1000 {
			parts[1] = fmt.Sprintf("%.0f a second", p.Rate)
		}
	}
	if p.Score != "" {
		parts = append(parts, p.Score)
	}
	if p.Left > 0 {
		parts = append(parts, p.Left.Round(time.Second).String()+" left")
	}
	return strings.Join(parts, ", ")
}
