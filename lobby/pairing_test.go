package lobby_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/match"
)

// TestManySeekAtOnce lets many players look for any opponent at the same moment, some
// of whom change their minds. Whether a rated match counts is read from the store
// between finding an opponent and beginning the match.
func TestManySeekAtOnce(t *testing.T) {
	s := openStore(t)
	l := openWith(t, s)
	players := make([]lobby.Player, 60)
	for i := range players {
		players[i] = account(t, s, fmt.Sprint("Player-x", i))
	}
	for round := range 20 {
		var mu sync.Mutex
		opponents, cancelled := map[string]string{}, map[string]bool{} // by name
		var tickets []*lobby.Ticket
		var all sync.WaitGroup
		start := make(chan struct{})
		for i, p := range players {
			all.Go(func() {
				<-start
				ticket, err := l.PlayNow(p, match.Classic(), lobby.Rated)
				if err != nil {
					t.Error(err)
					return
				}
				if i%2 == 0 {
					time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
				}
				back := i%2 == 0 && ticket.Cancel()
				mu.Lock()
				defer mu.Unlock()
				if cancelled[p.Name] = back; !back {
					tickets = append(tickets, ticket)
				}
			})
		}
		close(start)
		all.Wait()
		waiting := 0
		for _, ticket := range tickets {
			select {
			case seating := <-ticket.Seated():
				if seating.Seat.Side() != ticket.Side() {
					t.Errorf("%s was told side %v and has %v", ticket.Player().Name, ticket.Side(), seating.Seat.Side())
				}
				opponents[ticket.Player().Name] = seating.Opponent.Name
				seating.Seat.Match().Abort()
				<-seating.Seat.Match().Done()
			default:
				waiting++
				ticket.Cancel()
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
