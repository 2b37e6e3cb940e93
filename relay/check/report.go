package check

import (
	"fmt"
	"strings"

	"broadside/relay/program"
)

// gradeLabels are the grades as shown in a report.
var gradeLabels = map[Grade]string{OK: "ok", Warn: "warn", Fail: "FAIL"}

// String returns the finding as text, one or more lines.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-5s %s", gradeLabels[f.Grade], f.About)
	if f.Grade != OK {
		fmt.Fprintf(&b, "\n      %s: %s", f.Rule, f.Text)
	}
	if f.Grade == Fail && len(f.Last) > 0 {
		b.WriteString("\n      the last lines, > sent to the client, < received:")
		for _, l := range f.Last {
			fmt.Fprintf(&b, "\n        %s", l)
		}
	}
	lines := strings.Split(strings.TrimSpace(f.Stderr), "\n")
	if f.Stderr != "" {
		b.WriteString("\n      the end of standard error:")
		for _, l := range lines[max(0, len(lines)-maxLast):] {
			fmt.Fprintf(&b, "\n        %s", program.EscapeLine(l))
		}
	}
	return b.String()
}

// Summary returns a one-line summary of the report.
func (r Report) Summary() string {
	text := fmt.Sprintf("%d situations on %d connections: %d ok, %d with a warning, %d failed", len(r.Findings), r.Connections, r.Passed, r.Warned, r.Failed)
	left := r.planned - len(r.Findings)
	if left > 0 {
		text += fmt.Sprintf(", %d not played", left)
	}
	return text + "."
}

// HasPassed reports whether all situations were played and none failed.
func (r Report) HasPassed() bool { return r.Failed == 0 && len(r.Findings) == r.planned }
