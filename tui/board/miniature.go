package board

import (
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
)

// miniature is everything that a board in the smallest form shows, if ships do not move.
type miniature struct {
	size                               int
	contact                            match.Contact
	detail                             term.Detail
	shots, hits, sunk, deduced, latest match.Set
}

// Miniature draws a side's chart of the enemy's fleet in the smallest form with a detail, without
// headings, with the shots of the last turn. All sessions in the lobby show the same match, and share
// its boards in a cache. The caller must not modify the lines.
func Miniature(shared *text.Cache, c *match.Chart, last []match.Shot, detail term.Detail) []string {
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
	return text.Shared(shared, of, draw)
}
