package widget

import (
	"slices"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/tui/text"
)

// Reports are the latest events of a match, oldest first.
type Reports []narrate.Line

// maxReports is the maximum number of reports, and of their lines.
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

// Lines returns the reports, newest first, in lines of at most width, and blank lines up to their maximum number. It
// leaves out older reports that don't fit as a whole.
func (r Reports) Lines(l i18n.Language, width int) []string {
	var lines []string
	for _, report := range slices.Backward(r) {
		wrapped := ReportLines(l, report, width)
		if len(lines) > 0 && len(lines)+len(wrapped) > maxReports {
			break
		}
		lines = append(lines, wrapped...)
	}
	return append(lines, make([]string, maxReports)...)[:maxReports]
}

// ReportLines returns a report in lines of at most width.
func ReportLines(l i18n.Language, report narrate.Line, width int) []string {
	return text.WrapStyled(text.ToneStyle(report.Tone).Render(report.Full.Text(l)), width)
}

// Brief returns the last results of the player's shots, if any, or else the last report but one, and the last report in
// brief. If they don't fit into width, it returns the last report.
func (r Reports) Brief(l i18n.Language, width int, own narrate.Line) string {
	if len(r) == 0 {
		return text.FirstFitting(width, own.Results.Text(l), own.Brief.Text(l))
	}
	last := r[len(r)-1]
	brief := last.Brief.Text(l)
	var choices []string
	if own.Results.Key != "" {
		choices = []string{own.Results.Text(l) + " · " + brief, own.Brief.Text(l) + " · " + brief}
	} else if len(r) > 1 {
		choices = []string{r[len(r)-2].Brief.Text(l) + " · " + brief}
	}
	return text.FirstFitting(width, append(choices, last.Full.Text(l), brief)...)
}
