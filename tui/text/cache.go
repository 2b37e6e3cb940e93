package text

import "sync"

// Cache holds banners, which the sessions of a server share. The zero value is empty. It may be
// used from any goroutine.
type Cache struct {
	mu    sync.RWMutex
	drawn map[smallBanner][]string // guarded by mu
}

// maxDrawings is the maximum number of drawings in a cache. When it is full, it is emptied.
const maxDrawings = 512

// get returns what draw returned for a banner, or calls draw. The caller must not modify the result.
func (c *Cache) get(of smallBanner, draw func() []string) []string {
	c.mu.RLock()
	known, ok := c.drawn[of]
	c.mu.RUnlock()
	if ok {
		return known
	}
	drawing := draw() // without the lock, so that other sessions can draw
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.drawn == nil || len(c.drawn) >= maxDrawings {
		c.drawn = map[smallBanner][]string{}
	}
	c.drawn[of] = drawing
	return drawing
}
