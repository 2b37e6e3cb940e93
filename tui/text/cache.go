package text

import "sync"

// Cache holds drawings. Sessions that share a Cache draw identical content only once: see [Shared].
// The zero value is empty. It may be used from any goroutine.
type Cache struct {
	mu    sync.RWMutex
	drawn map[any]any // guarded by mu
}

// maxDrawings is the maximum number of drawings in a cache. When it is full, it is emptied.
const maxDrawings = 512

// Shared returns what draw returned for a comparable key, or calls draw. Keys of one type always
// have the same T. The caller must not modify the result.
func Shared[T any](c *Cache, of any, draw func() T) T {
	c.mu.RLock()
	known, ok := c.drawn[of]
	c.mu.RUnlock()
	if ok {
		return known.(T)
	}
	drawing := draw() // without the lock, so that other sessions can draw
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.drawn[of]; ok { // return the same value to all, so that its address can be part of a key
		return known.(T)
	}
	if c.drawn == nil || len(c.drawn) >= maxDrawings {
		c.drawn = map[any]any{}
	}
	c.drawn[of] = drawing
	return drawing
}
