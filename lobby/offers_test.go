package lobby_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

// TestConcurrentPlayersAreAllPaired checks that all players who look for an opponent at the same moment
// are paired. Some of them cancel. The store is queried between finding an opponent and starting the match.
func TestConcurrentPlayersAreAllPaired(t *testing.T) {
	s, l := openStored(t)
	players := make([]account.Player, 60)
	for i := range players {
		players[i] = newAccount(t, s, fmt.Sprint("Player-x", i))
	}
	for round := range 20 {
		var mu sync.Mutex
		// Both maps have the players' names as keys.
		opponents, cancelled := map[string]string{}, map[string]bool{}
		var offers []*lobby.Offer
		var all sync.WaitGroup
		start := make(chan struct{})
		for i, p := range players {
			all.Go(func() {
				<-start
				offer, err := l.Offers.FindOpponent(p, match.Classic(), lobby.Rated)
				if err != nil {
					t.Error(err)
					return
				}
				if i%2 == 0 {
					time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
				}
				back := i%2 == 0 && offer.Cancel()
				mu.Lock()
				defer mu.Unlock()
				if cancelled[p.Name] = back; !back {
					offers = append(offers, offer)
				}
			})
		}
		close(start)
		all.Wait()
		waiting := 0
		for _, offer := range offers {
			select {
			case seat := <-offer.Seat():
				opponents[offer.Player().Name] = seat.Opponent.Name
				seat.Seat.Match().Abort()
				<-seat.Seat.Match().Done()
			default:
				waiting++
				offer.Cancel()
			}
		}
		for a, b := range opponents {
			if opponents[b] != a || cancelled[b] {
				t.Errorf("round %d: %s plays %s, who plays %q and has cancelled: %v", round, a, b, opponents[b], cancelled[b])
			}
		}
		if waiting > 1 {
			t.Errorf("round %d: %d players wait who could play each other", round, waiting)
		}
	}
}
