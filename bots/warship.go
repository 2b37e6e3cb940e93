package bots

func init() {
	register(130, Info{Name: "warship", About: "in-a-pattern-until-it", Afloat: true}, plain(newWarship))
}

// newWarship returns the strategy of the documented game of moving fleets: it shoots
// at the cells of a sequence, here a pattern in which a cell comes so far after
// the one before that a ship seldom fits between, and attacks what it hits by
// search and destroy. Its fleet drifts.
func newWarship(c Config) *search {
	order, err := PatternSequence(c.Rules, []int{3})
	if err != nil { // three cells are a step on every board
		order = OrderedSequence(c.Rules)
	}
	from := c.Rand.IntN(len(order)) // the start offset
	return &search{base: base{c.Rules, c.Rand}, order: append(order[from:len(order):len(order)], order[:from]...)}
}
