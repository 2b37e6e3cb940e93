package widget

import (
	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/tui/text"
)

// Reports are the latest events of a match, oldest first.
type Reports []narrate.Line

// maxReports is the maximum number of reports.
const maxReports = 3

// Add appends the lines that have a text, and drops the oldest reports beyond the maximum.
func (r *Reports) Add(lines ...narrate.Line) {
	for _, line := range lines {
		if line.Full.Key != "" {
			*r = append(*r, line)
		}
	}
	*r = (*r)[max(0, len(*r)-maxReports):]
}

// Lines returns the reports, newest first, and blank lines up to the maximum number of reports.
func (r Reports) Lines(l i18n.Language) []string {
	lines := make([]string, 0, maxReports)
	for i := len(r) - 1; i >= 0; i-- {
		lines = append(lines, text.ToneStyle(r[i].Tone).Render(r[i].Full.Text(l)))
	}
	for range maxReports - len(r) {
		lines = append(lines, "")
	}
	return lines
}

// Brief returns the last two reports in brief if they fit into width, otherwise the
// last one.
func (r Reports) Brief(l i18n.Language, width int) string {
	if len(r) == 0 {
		return ""
	}
	last := r[len(r)-1]
	brief := last.Brief.Text(l)
	if len(r) > 1 {
		two := r[len(r)-2].Brief.Text(l) + " · " + brief
		if text.Width(two) <= width {
			return two
		}
	}
	full := last.Full.Text(l)
	if text.Width(full) <= width {
		return full
	}
	return brief
}
