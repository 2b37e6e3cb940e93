package match_test

import (
	"testing"
	"unsafe"

	"broadside/match"
)

// TestEventStaysSmall limits the size of an event, because the memory of a match of
// programs is mostly events.
func TestEventStaysSmall(t *testing.T) {
	if n := unsafe.Sizeof(match.Event{}); n > 24 {
		t.Errorf("an event has %d bytes", n)
	}
}
