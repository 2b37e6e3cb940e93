package session

import (
	"context"
	"fmt"
	"runtime"

	"broadside/internal/store"
	"broadside/match/notation"
)

// ExportGames asks for the next part of all public games, oldest first, in the short notation.
type ExportGames struct {
	After store.Cursor // of the part before; initially, the earliest end of a game
	Rules string       // name of the rules; empty: all
}

// ExportedGames is a part of an export.
type ExportedGames struct {
	Lines string // one game each
	Next  store.Cursor
	Last  bool // there are no more games now
	Busy  bool // matches are running: wait longer before the next part
}

// exportedAtOnce is the number of matches in a part of an export, including those of other
// rules. Players do not wait for a part: it yields the processor after each match.
const exportedAtOnce = 64

func (q ExportGames) ask(ctx context.Context, s *Local) (ExportedGames, error) {
	found, err := s.lobby.Store().Matches.SeenBy("").Since(ctx, q.After, q.Rules, exportedAtOnce)
	part := ExportedGames{Next: q.After, Last: len(found) < exportedAtOnce, Busy: s.lobby.Matches.Running() > 0}
	var lines []byte
	for _, m := range found {
		runtime.Gosched() // players come first
		part.Next = m.Cursor()
		if m.Events == nil {
			continue
		}
		var wrong error
		if lines, wrong = AppendShort(lines, &m); wrong != nil {
			lines = fmt.Appendf(lines, "%% %s: %v\n", m.ID, wrong)
		}
	}
	part.Lines = string(lines)
	return part, err
}

// AppendShort appends a record in the short notation: see [notation.Game].
func AppendShort(b []byte, r *store.Match) ([]byte, error) {
	g := notation.Game{
		ID: r.ID, Started: r.Started, Rated: r.Rated, Names: [2]string{r.Seats[0].Name, r.Seats[1].Name}, Rules: r.Rules, Events: r.Events,
	}
	return g.Append(b)
}
