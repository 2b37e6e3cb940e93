package session

import (
	"context"
	"fmt"
	"runtime"

	"broadside/internal/store"
	"broadside/match/notation"
)

// ExportPart is a part of an export.
type ExportPart struct {
	Lines string // one game each
	Next  store.Cursor
	Last  bool // there are no more games now
	Busy  bool // matches are running: wait longer before the next part
}

// exportPartSize is the number of matches in a part of an export, including those of other
// rules. Players do not wait for a part: it yields the processor after each match.
const exportPartSize = 64

// ExportGames returns the next part of all public games, oldest first, in the short notation.
// after is Next of the part before; initially, the earliest end of a game. rules is the name of
// the rules, or empty for all.
func (s *Session) ExportGames(ctx context.Context, after store.Cursor, rules string) (ExportPart, error) {
	found, err := s.lobby.Store().Matches.RestrictTo("").ListSince(ctx, after, rules, exportPartSize)
	part := ExportPart{Next: after, Last: len(found) < exportPartSize, Busy: s.lobby.Matches.Count() > 0}
	var lines []byte
	for _, m := range found {
		runtime.Gosched() // players come first
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

// AppendShortNotation appends a record in the short notation: see [notation.Game].
func AppendShortNotation(b []byte, r *store.Match) ([]byte, error) {
	g := notation.Game{
		ID: r.ID, Started: r.Started, Rated: r.Rated, Names: [2]string{r.Seats[0].Name, r.Seats[1].Name}, Rules: r.Rules, Events: r.Events,
	}
	return g.Append(b)
}
