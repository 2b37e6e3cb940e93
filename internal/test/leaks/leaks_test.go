package leaks_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"broadside/internal/test/leaks"
)

// TestFindWaits checks that a goroutine may take longer to end than goleak waits.
func TestFindWaits(t *testing.T) {
	end := make(chan struct{})
	go func() { <-end }()
	if err := goleak.Find(); err == nil {
		t.Fatal("goleak.Find found no goroutine")
	}
	time.AfterFunc(600*time.Millisecond, func() { close(end) })
	if err := leaks.Find(); err != nil {
		t.Error(err)
	}
}
