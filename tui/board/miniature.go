package board

import (
	"sync"

	"broadside/internal/term"
	"broadside/match"
)

// Cache holds the boards in the smallest form that were drawn last. All sessions in the lobby show
// the same match, and share its boards by sharing a Cache. The zero value is empty. Its methods may
// be called from any goroutine.
type Cache struct {
	mu     sync.Mutex
	recent [16]struct { // guarded by mu
		of    miniature
		lines []string
	}
	next int // guarded by mu
}

// miniature is everything that a board in the smallest form shows, if ships do not move.
type miniature struct {
	size                               int
	contact                            match.Contact
	detail                             term.Detail
	shots, hits, sunk, deduced, latest match.Set
}

// Miniature draws a side's chart of the enemy's fleet in the smallest form with a detail, without
// headings, with the shots of the last turn. The caller must not modify the lines.
func (b *Cache) Miniature(c *match.Chart, last []match.Shot, detail term.Detail) []string {
	draw := func() []string { return Enemy(c, Nowhere, last...).Bare(detail) }
	if c.Rules.Moving {
		return draw()
	}
	of := miniature{c.Rules.Size, c.Rules.Contact, detail, c.Shots, c.Hits, c.Sunk, c.Deduced, match.Set{}}
	for _, shot := range last {
		if shot.Number > 0 {
			of.latest.Add(shot.Cell)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.recent {
		if m := &b.recent[i]; m.of == of {
			return m.lines
		}
	}
	m := &b.recent[b.next%len(b.recent)]
	b.next++
	m.of, m.lines = of, draw()
	return m.lines
}
