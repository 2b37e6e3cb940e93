package session

import (
	"context"
	"fmt"
	"runtime"

	"broadside/internal/store"
	"broadside/match/notation"
)

// ExportPart is a part of an export of finished matches.
type ExportPart struct {
	// Lines has a line for each match.
	Lines string
	Next  store.Cursor
	// Last reports that there are no more matches now.
	Last bool
	// Busy reports that matches are running, so the next part should wait longer.
	Busy bool
}

// exportPartSize is the number of matches in a part of an export, including those of other rules.
// Players need not wait for a part, because it yields the processor after each match.
const exportPartSize = 64

// ExportMatches returns the next part of all public matches, oldest first, in the short notation.
// after is the previous part's Next or, for the first part, the earliest end of a match. rules is
// a rule set's name, or empty for all.
func (s *Session) ExportMatches(ctx context.Context, after store.Cursor, rules string) (ExportPart, error) {
	found, err := s.lobby.Store().Matches.RestrictTo("").ListSince(ctx, after, rules, exportPartSize)
	part := ExportPart{Next: after, Last: len(found) < exportPartSize, Busy: s.lobby.Matches.Count() > 0}
	var lines []byte
	for _, m := range found {
		// Players must not wait for the export.
		runtime.Gosched()
		part.Next = m.Cursor()
		if m.Events == nil {
			continue
		}
		var wrong error
		lines, wrong = AppendShortNotation(lines, &m)
		if wrong != nil {
			lines = fmt.Appendf(lines, "%% %s: %v\n", m.ID, wrong)
		}
	}
	part.Lines = string(lines)
	return part, err
}

// AppendShortNotation appends a record in the short notation that [notation.Game] writes.
func AppendShortNotation(b []byte, r *store.Match) ([]byte, error) {
	g := notation.Game{
		ID: r.ID, Started: r.Started, Rated: r.Rated, Names: [2]string{r.Seats[0].Name, r.Seats[1].Name}, Rules: r.Rules, Events: r.Events,
	}
	return g.Append(b)
}
