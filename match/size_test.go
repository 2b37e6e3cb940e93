package match_test

import (
	"testing"
	"unsafe"

	"broadside/match"
)

// TestEventStaysSmall: a match of two programs is mostly its events.
func TestEventStaysSmall(t *testing.T) {
	if n := unsafe.Sizeof(match.Event{}); n > 24 {
		t.Errorf("an event has %d bytes", n)
	}
}
