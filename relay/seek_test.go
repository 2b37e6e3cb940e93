package relay_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"broadside/limit"
	"broadside/lobby"
	"broadside/lobby/cluster"
	"broadside/match"
	"broadside/relay"
)

// farNode is a node whose others take their time.
type farNode struct {
	cluster.Node
	asked chan struct{} // capacity 1: an offer is to be made
	reach chan struct{} // closed: it can be
}

func (n *farNode) Create(ctx context.Context, b cluster.Bucket, key string, value []byte) (uint64, error) {
	if b == cluster.Offers {
		select {
		case n.asked <- struct{}{}:
		default:
		}
		<-n.reach
	}
	return n.Node.Create(ctx, b, key, value)
}

// TestSeekingDelaysNobody: while a client waits for other nodes to hear of it, the
// server tells who is here, cuts, and lets others in.
func TestSeekingDelaysNobody(t *testing.T) {
	node := &farNode{Node: cluster.Alone(), asked: make(chan struct{}, 1), reach: make(chan struct{})}
	t.Cleanup(func() { node.Close() })
	s, address, _ := open(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Node: node})
	defer close(node.reach)
	c := dial(t, address)
	c.say("% hello broadside/1 name=kraken")
	c.hear("% ok hello\n")
	c.say("% ready")
	<-node.asked
	told := make(chan struct{})
	go func() {
		defer close(told)
		if all := s.Clients(); len(all) != 1 || all[0].Player.Name != "kraken" {
			t.Errorf("here are %v", all)
		}
		s.Cut(func(relay.Client) bool { return false })
		dial(t, address)
		for conns := 0; conns < 2; conns, _, _ = s.Traffic() {
			time.Sleep(time.Millisecond)
		}
	}()
	select {
	case <-told:
	case <-time.After(patience / 4):
		t.Error("who asks the server waits for a client's offer")
	}
}

// TestGuessingRooms: guesses count against the address of a program, on however
// many connections.
func TestGuessingRooms(t *testing.T) {
	address, hall := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{})
	room, err := hall.OpenRoom(hall.Enter(lobby.Player{Name: "ann"}).Player(), match.Classic(), lobby.Rated)
	if err != nil {
		t.Fatal(err)
	}
	for i := range limit.GuessBurst {
		c := dial(t, address)
		c.say(fmt.Sprintf("%% vs room AAA-AAA-AA%d", i))
		c.hear("% error vs " + lobby.ErrNoRoom.Error() + "\n")
		c.nc.Close()
	}
	c := dial(t, address)
	c.say("% vs room " + room.Code())
	c.hear("% error vs " + limit.ErrGuesses.Error() + "\n")
}
