package session

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"broadside/internal/store"
	"broadside/match/notation"
)

// ExportGames asks for the next part of all public games, oldest first, in the short notation.
type ExportGames struct {
	After store.Cursor // of the part before; at first, the time from which on games have ended
	Rules string       // name of the rules; empty: all
}

// ExportedGames is a part of an export.
type ExportedGames struct {
	Lines string `json:",omitzero"` // one game each
	Next  store.Cursor
	Last  bool `json:",omitzero"` // there are no more games now
}

// exportedAtOnce is the number of matches of which a part of an export consists, with those of
// other rules. It is small, because a part is sent as one message.
const exportedAtOnce = 32

func (q ExportGames) ask(ctx context.Context, s *Local) (ExportedGames, error) {
	matches := s.lobby.Store().Matches
	found, err := matches.SeenBy("").Since(ctx, q.After, exportedAtOnce)
	part := ExportedGames{Next: q.After, Last: len(found) < exportedAtOnce}
	var lines []byte
	for _, m := range found {
		part.Next = m.Cursor()
		if q.Rules != "" && m.RuleSet != q.Rules {
			continue
		}
		runtime.Gosched() // players come first
		r, err := matches.ByID(ctx, m.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return ExportedGames{}, err
		}
		if lines, err = AppendShort(lines, &r); err != nil {
			lines = fmt.Appendf(lines, "%% %s: %v\n", m.ID, err)
		}
	}
	part.Lines = string(lines)
	return part, err
}

// AppendShort appends a record in the short notation: see [notation.Game].
func AppendShort(b []byte, r *Record) ([]byte, error) {
	g := notation.Game{
		ID: r.ID, Started: r.Started, Rated: r.Rated, Names: [2]string{r.Seats[0].Name, r.Seats[1].Name}, Rules: r.Rules, Events: r.Events,
	}
	return g.Append(b)
}
