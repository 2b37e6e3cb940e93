package board

import (
	"sync"

	"broadside/internal/term"
	"broadside/match"
)

// miniature is everything that a board in the smallest form shows, if ships do not move.
type miniature struct {
	size                               int
	contact                            match.Contact
	detail                             term.Detail
	shots, hits, sunk, deduced, latest match.Set
}

// miniatures holds the boards that were drawn last. All sessions in the lobby show the same match
// and share its boards.
var miniatures struct {
	sync.Mutex
	recent [16]struct {
		of    miniature
		lines []string
	}
	next int
}

// Miniature draws a side's chart of the enemy's fleet in the smallest form with a detail, without
// headings, with the shots of the last turn. The caller must not modify the lines.
func Miniature(c *match.Chart, last []match.Shot, detail term.Detail) []string {
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
	miniatures.Lock()
	defer miniatures.Unlock()
	for i := range miniatures.recent {
		if m := &miniatures.recent[i]; m.of == of {
			return m.lines
		}
	}
	m := &miniatures.recent[miniatures.next%len(miniatures.recent)]
	miniatures.next++
	m.of, m.lines = of, draw()
	return m.lines
}
