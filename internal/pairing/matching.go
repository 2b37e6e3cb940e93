package pairing

// matching is a maximum matching of a general graph, found with Edmonds' blossom
// algorithm. Its time is O(n³) for the first matching and O(n²) for each [matching.fixPair].
type matching struct {
	edge [][]bool
	// mate has each vertex's partner, or -1.
	mate    []int
	isFixed []bool

	// The state of findAugmentingPath:
	parent, base   []int
	used, blossom  []bool
	queue, visited []int
}

func newMatching(n int, allowed func(a, b int) bool) *matching {
	m := &matching{
		edge: make([][]bool, n), mate: make([]int, n), isFixed: make([]bool, n),
		parent: make([]int, n), base: make([]int, n), used: make([]bool, n), blossom: make([]bool, n),
		visited: make([]int, n),
	}
	for a := range n {
		m.edge[a], m.mate[a] = make([]bool, n), -1
		for b := range a {
			m.edge[a][b] = allowed(a, b)
			m.edge[b][a] = m.edge[a][b]
		}
	}
	return m
}

// matchAll matches all vertices and reports whether that is possible.
func (m *matching) matchAll() bool {
	for v := range m.mate {
		if m.mate[v] < 0 && !m.augmentFrom(v) {
			return false
		}
	}
	return true
}

// fixPair removes the vertices a and b from a complete matching if they have an edge and the
// rest can still be matched completely. Otherwise it changes nothing and returns false.
func (m *matching) fixPair(a, b int) bool {
	if !m.edge[a][b] || m.isFixed[a] || m.isFixed[b] {
		return false
	}
	m.isFixed[a], m.isFixed[b] = true, true
	mateA, mateB := m.mate[a], m.mate[b]
	if mateA == b {
		return true
	}
	m.mate[a], m.mate[b], m.mate[mateA], m.mate[mateB] = b, a, -1, -1
	if m.augmentFrom(mateA) {
		return true
	}
	m.mate[a], m.mate[b], m.mate[mateA], m.mate[mateB] = mateA, mateB, a, b
	m.isFixed[a], m.isFixed[b] = false, false
	return false
}

// augmentFrom matches the unmatched vertex root and reports whether that is possible.
func (m *matching) augmentFrom(root int) bool {
	end := m.findAugmentingPath(root)
	if end < 0 {
		return false
	}
	for v := end; v >= 0; {
		previous := m.parent[v]
		next := m.mate[previous]
		m.mate[v], m.mate[previous] = previous, v
		v = next
	}
	return true
}

// findAugmentingPath returns the end of an augmenting path that starts at root, or -1. The path goes
// back along parent and mate.
func (m *matching) findAugmentingPath(root int) int {
	for v := range m.mate {
		m.used[v], m.parent[v], m.base[v] = false, -1, v
	}
	m.used[root] = true
	m.queue = append(m.queue[:0], root)
	for i := 0; i < len(m.queue); i++ {
		v := m.queue[i]
		for to := range m.mate {
			if !m.edge[v][to] || m.isFixed[to] || m.base[v] == m.base[to] || m.mate[v] == to {
				continue
			}
			switch {
			case to == root || m.mate[to] >= 0 && m.parent[m.mate[to]] >= 0:
				m.contractBlossom(v, to)
			case m.parent[to] < 0:
				m.parent[to] = v
				if m.mate[to] < 0 {
					return to
				}
				m.used[m.mate[to]] = true
				m.queue = append(m.queue, m.mate[to])
			}
		}
	}
	return -1
}

// contractBlossom merges the odd cycle closed by the edge between a and b into one vertex.
func (m *matching) contractBlossom(a, b int) {
	base := m.commonBase(a, b)
	clear(m.blossom)
	m.markBlossom(a, base, b)
	m.markBlossom(b, base, a)
	for v := range m.mate {
		if !m.blossom[m.base[v]] {
			continue
		}
		m.base[v] = base
		if !m.used[v] {
			m.used[v] = true
			m.queue = append(m.queue, v)
		}
	}
}

// commonBase returns the first base that the paths from a and from b to the root have in
// common.
func (m *matching) commonBase(a, b int) int {
	clear(m.visited)
	for {
		a = m.base[a]
		m.visited[a] = 1
		if m.mate[a] < 0 {
			break
		}
		a = m.parent[m.mate[a]]
	}
	for {
		b = m.base[b]
		if m.visited[b] == 1 {
			return b
		}
		b = m.parent[m.mate[b]]
	}
}

// markBlossom marks the bases from v up to base as part of the blossom, and lets the parents of the
// vertices between them lead to child.
func (m *matching) markBlossom(v, base, child int) {
	for m.base[v] != base {
		m.blossom[m.base[v]], m.blossom[m.base[m.mate[v]]] = true, true
		m.parent[v] = child
		child = m.mate[v]
		v = m.parent[m.mate[v]]
	}
}
