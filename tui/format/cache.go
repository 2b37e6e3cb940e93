package format

import "sync"

// Cache holds the drawings that were used last. Sessions that show the same draw it once by
// sharing a Cache. The zero value is empty. Its method may be called from any goroutine.
type Cache struct {
	mu     sync.Mutex
	recent [32]struct { // guarded by mu
		of    any
		lines []string
	}
	next int // guarded by mu
}

// Lines returns the lines that draw returned for a comparable key, or calls draw. The caller
// must not modify the lines.
func (c *Cache) Lines(of any, draw func() []string) []string {
	if lines, ok := c.find(of); ok {
		return lines
	}
	lines := draw() // without the lock: others draw something else meanwhile
	c.mu.Lock()
	defer c.mu.Unlock()
	r := &c.recent[c.next%len(c.recent)]
	c.next++
	r.of, r.lines = of, lines
	return lines
}

func (c *Cache) find(of any) (lines []string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.recent {
		if r := &c.recent[i]; r.of == of {
			return r.lines, true
		}
	}
	return nil, false
}
