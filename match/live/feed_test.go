package live

import (
	"math/rand/v2"
	"testing"
	"time"

	"broadside/match"
)

// TestReadyDoesNotLock checks that spectators who have seen the newest update do not wait for one
// another.
func TestReadyDoesNotLock(t *testing.T) {
	m, err := Start(t.Context(), Config{Rules: match.Classic(), Rand: rand.New(rand.NewPCG(1, 2))})
	if err != nil {
		t.Fatal(err)
	}
	s := m.Watch(nil)
	var u Update
	if got, err := s.Poll(&u); !got || err != nil {
		t.Fatalf("the first update: %v, %v", got, err)
	}
	m.feed.mu.Lock()
	defer m.feed.mu.Unlock()
	looked := make(chan bool)
	go func() {
		got, _ := s.Poll(&u)
		looked <- got || s.HasUpdate()
	}()
	select {
	case news := <-looked:
		if news {
			t.Error("there is an update without a change")
		}
	case <-time.After(10 * time.Second):
		t.Error("a spectator waits for another one")
	}
}
