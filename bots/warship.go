package bots

// newWarship returns the strategy of the original game of moving fleets. It fires at the
// cells of a sequence, here a pattern with distances that ships seldom fit between, attacks
// hits by search and destroy, and lets its fleet drift.
func newWarship(c Config) *orderedSearch {
	order, err := PatternSequence(c.Rules, []int{3})
	if err != nil {
		// This cannot happen, because three distances are valid on every board.
		order = OrderedSequence(c.Rules)
	}
	from := c.Rand.IntN(len(order))
	return &orderedSearch{base: base{rules: c.Rules, rng: c.Rand}, order: append(order[from:len(order):len(order)], order[:from]...)}
}
