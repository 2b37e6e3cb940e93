package lobby_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"broadside/lobby"
	"broadside/lobby/cluster"
	"broadside/match"
	"broadside/match/live"
)

// site is several lobbies that are one.
type site struct {
	memory *cluster.Memory
	nodes  []cluster.Node
	halls  []*lobby.Lobby
}

// sites runs a test in a bubble with n nodes.
func sites(t *testing.T, n int, test func(t *testing.T, s *site)) {
	t.Helper()
	sitesOf(t, n, func(_ int, node cluster.Node) cluster.Node { return node }, test)
}

// sitesOf is sites where nodes are wrapped.
func sitesOf(t *testing.T, n int, wrap func(i int, node cluster.Node) cluster.Node, test func(t *testing.T, s *site)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &site{memory: cluster.NewMemory()}
		for i := range n {
			node := wrap(i, s.memory.Join(fmt.Sprintf("node%d", i)))
			s.nodes = append(s.nodes, node)
			l, err := lobby.Open(t.Context(), lobby.Config{Seed: uint64(i + 1), BotPace: -1, Node: node, Log: slog.New(slog.NewTextHandler(t.Output(), nil)).With("at", i)})
			if err != nil {
				t.Fatal(err)
			}
			s.halls = append(s.halls, l)
		}
		defer func() {
			for i, l := range s.halls {
				l.Close()
				s.nodes[i].Close()
			}
		}()
		synctest.Wait()
		test(t, s)
		synctest.Wait()
	})
}

// empty wants no match to be listed at any node.
func (s *site) empty(t *testing.T) {
	t.Helper()
	for i, l := range s.halls {
		if all := l.Matches(); len(all) != 0 {
			t.Errorf("node %d still lists %+v", i, all)
		}
	}
}

// kill makes a node vanish from the others.
func (s *site) kill(i int) { s.memory.Cut(s.nodes[i].ID()) }

// apart pairs ann at the first node and bob at the second, which runs the match.
func (s *site) apart(t *testing.T) (a, b *lobby.Seating) {
	t.Helper()
	first := playNow(t, s.halls[0], ann, match.Classic())
	synctest.Wait()
	second := playNow(t, s.halls[1], bob, match.Classic())
	synctest.Wait()
	a, b = seated(t, first), seated(t, second)
	if a.Opponent.Name != "bob" || b.Opponent.Name != "ann" {
		t.Fatalf("they play %q and %q", a.Opponent.Name, b.Opponent.Name)
	}
	return a, b
}

// sit attaches and places.
func sit(s *lobby.Seating) *live.Mailbox {
	box := s.Seat.Attach()
	s.Seat.Place(layout())
	return box
}

// exchange lets both sides fire at one cell after another, the second first.
func exchange(t *testing.T, a, b *lobby.Seating, boxA, boxB *live.Mailbox, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		until(t, boxB, fired(match.Second, n))
		b.Seat.Fire(match.At(n%10, n/10))
		until(t, boxA, fired(match.First, n))
		a.Seat.Fire(match.At(n%10, n/10))
	}
	until(t, boxB, fired(match.Second, to))
}

func TestNodesPlayEachOther(t *testing.T) {
	sites(t, 3, func(t *testing.T, s *site) {
		a, b := s.apart(t)
		boxA, boxB := sit(a), sit(b)
		exchange(t, a, b, boxA, boxB, 0, 10)
		for i, l := range s.halls {
			if all := l.Matches(); len(all) != 1 || all[0].Players[0].Name != "ann" || all[0].Players[1].Name != "bob" {
				t.Errorf("node %d lists %+v", i, all)
			}
		}
		a.Seat.Resign()
		if v := theEnd(t, boxA); v.Winner != match.Second {
			t.Errorf("ann sees that %v wins", v.Winner)
		}
		if v := theEnd(t, boxB); v.Winner != match.Second {
			t.Errorf("bob sees that %v wins", v.Winner)
		}
		synctest.Wait()
		s.empty(t)
	})
}

// Many look for opponents at all nodes at once: everybody gets exactly one, and
// both sides know of each other.
func TestNodesPairEverybody(t *testing.T) {
	const people = 300
	sites(t, 3, func(t *testing.T, s *site) {
		tickets := make([]*lobby.Ticket, people)
		var all sync.WaitGroup
		for i := range people {
			all.Go(func() {
				p := lobby.Player{ID: fmt.Sprint("key-", i), Name: fmt.Sprint("p", i)}
				ticket, err := s.halls[i%3].PlayNow(p, match.Classic())
				if err != nil {
					t.Error(err)
				}
				tickets[i] = ticket
			})
		}
		all.Wait()
		synctest.Wait()
		if t.Failed() {
			return
		}
		plays := map[string]string{}
		for i, ticket := range tickets {
			select {
			case seating := <-ticket.Seated():
				if seating.Seat.Side() != ticket.Side() {
					t.Errorf("p%d was told side %v and has %v", i, ticket.Side(), seating.Seat.Side())
				}
				plays[fmt.Sprint("p", i)] = seating.Opponent.Name
			default:
				t.Errorf("p%d waits", i)
			}
		}
		for a, b := range plays {
			if plays[b] != a {
				t.Errorf("%s plays %s, who plays %s", a, b, plays[b])
			}
		}
		for i, l := range s.halls {
			if n := len(l.Matches()); n != people/2 {
				t.Errorf("node %d knows of %d matches", i, n)
			}
		}
	})
}

func TestNodesKnowWhoIsHere(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		a, b := s.halls[0].Enter(ann), s.halls[1].Enter(bob)
		synctest.Wait()
		guest := s.halls[1].Enter(lobby.Player{Name: "ann"})
		if name := guest.Player().Name; name != "ann-2" {
			t.Errorf("a second ann is called %q", name)
		}
		time.Sleep(time.Second)
		names := func(v *lobby.Visit) (all []string) {
			for _, here := range news(t, v).Here {
				all = append(all, here.Player.Name)
			}
			slices.Sort(all)
			return all
		}
		want := []string{"ann", "ann-2", "bob"}
		if got := names(a); !slices.Equal(got, want) {
			t.Errorf("ann sees %v", got)
		}
		if got := names(b); !slices.Equal(got, want) {
			t.Errorf("bob sees %v", got)
		}
		guest.Leave()
		b.SetQuiet(true)
		time.Sleep(time.Second)
		if here := news(t, a).Here; len(here) != 2 || !here[1].Quiet {
			t.Errorf("ann sees %+v", here)
		}
		if _, err := s.halls[0].Challenge(ann, bob.ID, match.Classic()); err == nil {
			t.Error("who wants to be left alone was challenged from another node")
		}
		s.kill(1)
		time.Sleep(cluster.DeadAfter + 2*time.Second)
		if got := names(a); !slices.Equal(got, []string{"ann"}) {
			t.Errorf("ann sees %v when the other node is gone", got)
		}
	})
}

func TestNodesChallenge(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		s.halls[0].Enter(ann)
		b := s.halls[1].Enter(bob)
		synctest.Wait()
		ask := func() *lobby.Ticket {
			ticket, err := s.halls[0].Challenge(ann, bob.ID, match.Hasbro())
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			return ticket
		}
		ticket := ask()
		c := <-b.Challenges()
		if c == nil || c.From.Name != "ann" || c.Rules.Name != "hasbro" {
			t.Fatalf("bob sees %+v", c)
		}
		s.halls[1].Decline(bob, c.Offer)
		synctest.Wait()
		if got := failed(t, ticket); got != "your challenge was declined by bob" {
			t.Errorf("ann is told %q", got)
		}
		if c := <-b.Challenges(); c != nil {
			t.Errorf("bob still sees %+v", c)
		}
		time.Sleep(lobby.ChallengePause)
		ticket = ask()
		seating, err := s.halls[1].Take(bob, (<-b.Challenges()).Offer)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if other := seated(t, ticket); other.Opponent.Name != "bob" || seating.Opponent.Name != "ann" {
			t.Error("the wrong two play")
		}

		// And one that is taken back.
		carl := lobby.Player{ID: "key-carl", Name: "carl"}
		s.halls[1].Enter(carl)
		dora := lobby.Player{ID: "key-dora", Name: "dora"}
		d := s.halls[0].Enter(dora)
		synctest.Wait()
		ticket, err = s.halls[1].Challenge(carl, dora.ID, match.Classic())
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		offer := (<-d.Challenges()).Offer
		if !ticket.Cancel() {
			t.Error("it was too late")
		}
		if _, err := s.halls[0].Take(dora, offer); !errors.Is(err, lobby.ErrOfferGone) {
			t.Errorf("what was taken back ends with %v", err)
		}
	})
}

// Who begins a match at one node has nothing on offer at another any more.
func TestNodesSitDown(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		first := playNow(t, s.halls[0], ann, match.Classic())
		synctest.Wait()
		against(t, s.halls[1], ann, "easy")
		synctest.Wait()
		if got := failed(t, first); got != lobby.ErrSatDown.Error() {
			t.Errorf("ann is told %q", got)
		}
	})
}

func TestNodesRooms(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		room, err := s.halls[0].OpenRoom(ann, match.Hasbro())
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if r, err := s.halls[1].Room(room.Code()); err != nil || r.Name != "hasbro" {
			t.Errorf("in the room %v is played: %v", r.Name, err)
		}
		if _, err := s.halls[1].Join(bob, room.Code()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		seated(t, room)
		named, err := s.halls[0].PlayNamed(lobby.Player{ID: "key-x", Name: "x"}, "kraken", match.Classic())
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		playNow(t, s.halls[1], kraken, match.Classic())
		synctest.Wait()
		seated(t, named)
	})
}

// The node that runs a match is gone: the other one goes on with it, and nothing
// is lost.
func TestNodesGoOn(t *testing.T) {
	sites(t, 3, func(t *testing.T, s *site) {
		a, b := s.apart(t)
		boxA, boxB := sit(a), sit(b)
		exchange(t, a, b, boxA, boxB, 0, 7)
		b.Seat.Fire(match.At(0, 9))
		until(t, boxA, fired(match.First, 7))
		s.kill(1)
		a.Seat.Fire(match.At(0, 9)) // nobody is there to hear it
		time.Sleep(cluster.DeadAfter + 2*time.Second)
		u := until(t, boxA, func(u *live.Update) bool { return u.View.Charts[match.First].Fired == 8 })
		if n := u.View.Charts[match.Second].Fired; n != 8 {
			t.Errorf("%d shots of the other side are known", n)
		}
		// Bob is back, at the third node.
		again := s.halls[2].Unfinished(bob)
		if again == nil {
			t.Fatal("bob finds no match")
		}
		boxB = again.Seat.Attach()
		exchange(t, a, again, boxA, boxB, 8, 12)
		again.Seat.Resign()
		if v := theEnd(t, boxA); v.Winner != match.First {
			t.Errorf("%v wins", v.Winner)
		}
		theEnd(t, boxB)

		// The one who was gone comes back, and has nothing to say any more.
		s.memory.Mend(s.nodes[1].ID())
		time.Sleep(10 * time.Second)
		s.empty(t)
	})
}

// A node that was stopped for a while comes back to a match that another one has
// gone on with: its player sees what has happened, and nothing is played twice.
func TestNodesFenced(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		a, b := s.apart(t)
		boxA, boxB := sit(a), sit(b)
		exchange(t, a, b, boxA, boxB, 0, 3)
		s.kill(1)
		b.Seat.Fire(match.At(0, 9)) // at a node that cannot write it down
		time.Sleep(cluster.DeadAfter + 2*time.Second)
		if u := until(t, boxA, func(u *live.Update) bool { return u.Away[match.Second] }); u.View.Charts[match.Second].Fired != 3 {
			t.Errorf("%d shots of bob", u.View.Charts[match.Second].Fired)
		}
		s.memory.Mend(s.nodes[1].ID())
		time.Sleep(10 * time.Second)
		until(t, boxB, func(u *live.Update) bool { return u.View.Charts[match.Second].Fired == 4 })
		u := until(t, boxA, fired(match.First, 3))
		if n := u.View.Charts[match.Second].Fired; n != 4 {
			t.Errorf("ann knows of %d shots", n)
		}
		a.Seat.Fire(match.At(0, 9))
		exchange(t, a, b, boxA, boxB, 4, 8)
	})
}

func TestNodesHandOver(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		a, b := s.apart(t)
		boxA, boxB := sit(a), sit(b)
		exchange(t, a, b, boxA, boxB, 0, 3)
		if err := s.halls[1].Drain(t.Context()); err != nil {
			t.Errorf("drained with %v", err)
		}
		exchange(t, a, b, boxA, boxB, 3, 5) // until it is gone, the node serves its players
		b.Seat.Detach(boxB)
		s.halls[1].Close()
		s.nodes[1].Close()
		time.Sleep(time.Second)
		again := s.halls[0].Unfinished(bob)
		if again == nil {
			t.Fatal("bob finds no match")
		}
		boxB = again.Seat.Attach()
		exchange(t, a, again, boxA, boxB, 5, 8)
	})
}

// slowly is a node that takes its time to read logs.
type slowly struct{ cluster.Node }

func (s slowly) Read(ctx context.Context, log string) ([]cluster.Record, error) {
	time.Sleep(time.Second)
	return s.Node.Read(ctx, log)
}

// Both players of a match that is handed over come to its new node before that
// has found out what has happened in it.
func TestNodesComeBackAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := cluster.NewMemory()
		old, next := memory.Join("old"), memory.Join("next")
		here := lobby.New(lobby.Config{Seed: 1, BotPace: -1, Node: old})
		there := lobby.New(lobby.Config{Seed: 2, BotPace: -1, Node: slowly{next}})
		defer next.Close()
		defer there.Close()
		synctest.Wait()
		first := playNow(t, here, ann, match.Classic())
		second := playNow(t, here, bob, match.Classic())
		a, b := seated(t, first), seated(t, second)
		boxA, boxB := sit(a), sit(b)
		exchange(t, a, b, boxA, boxB, 0, 3)
		if err := here.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		a.Seat.Detach(boxA)
		b.Seat.Detach(boxB)
		here.Close()
		old.Close()
		time.Sleep(500 * time.Millisecond)
		a, b = there.Unfinished(ann), there.Unfinished(bob)
		if a == nil || b == nil {
			t.Fatal("the players find no match")
		}
		exchange(t, a, b, a.Seat.Attach(), b.Seat.Attach(), 3, 5)
	})
}

// A match is handed over to a node that has joined, and whose lobby is not open
// yet: it goes on when it is.
func TestNodesHandOverToNewcomer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := cluster.NewMemory()
		old := memory.Join("old")
		here := lobby.New(lobby.Config{Seed: 1, BotPace: -1, Node: old})
		defer old.Close()
		defer here.Close()
		first := playNow(t, here, ann, match.Classic())
		second := playNow(t, here, bob, match.Classic())
		a, b := seated(t, first), seated(t, second)
		boxA, boxB := sit(a), sit(b)
		exchange(t, a, b, boxA, boxB, 0, 3)
		next := memory.Join("next")
		time.Sleep(time.Second)
		if err := here.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		there := lobby.New(lobby.Config{Seed: 2, BotPace: -1, Node: next})
		defer next.Close()
		defer there.Close()
		exchange(t, a, b, boxA, boxB, 3, 5)
	})
}

// The heir of a match is gone, too, before the next one in line has had its turn.
func TestNodesHeirIsGone(t *testing.T) {
	for range 5 { // chance decides on the turns
		sites(t, 3, func(t *testing.T, s *site) {
			a, b := s.apart(t)
			exchange(t, a, b, sit(a), sit(b), 0, 3)
			s.kill(1)
			time.Sleep(2*cluster.DeadAfter + 500*time.Millisecond) // a young lobby waits that long
			if !a.Seat.Match().Here() {
				t.Fatal("ann's node does not go on with the match")
			}
			s.nodes[0].Close()
			time.Sleep(10 * time.Second)
			a, b = s.halls[2].Unfinished(ann), s.halls[2].Unfinished(bob)
			if a == nil || b == nil || !a.Seat.Match().Here() {
				t.Fatal("the match does not go on")
			}
			exchange(t, a, b, a.Seat.Attach(), b.Seat.Attach(), 3, 5)
		})
	}
}

// A bot's match goes on without its node, too, once its person is back.
func TestNodesBotGoesOn(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		seating, box := against(t, s.halls[1], ann, "hard")
		volley(t, seating, box, 0, 5)
		synctest.Wait() // until the other node knows of the match
		s.kill(1)
		time.Sleep(cluster.DeadAfter + 5*time.Second)
		again := s.halls[0].Unfinished(ann)
		if again == nil {
			t.Fatal("ann finds no match")
		}
		volley(t, again, again.Seat.Attach(), 5, 10)
	})
}

// A program's connection is part of its match.
func TestNodesProgramIsLost(t *testing.T) {
	for _, owner := range []bool{true, false} {
		sites(t, 2, func(t *testing.T, s *site) {
			people, programs := 0, 1
			var first, second *lobby.Ticket
			if owner {
				first = playNow(t, s.halls[people], ann, match.Classic())
				synctest.Wait()
				second = playNow(t, s.halls[programs], kraken, match.Classic())
			} else {
				second = playNow(t, s.halls[programs], kraken, match.Classic())
				synctest.Wait()
				first = playNow(t, s.halls[people], ann, match.Classic())
			}
			synctest.Wait()
			box := sit(seated(t, first))
			program := seated(t, second)
			program.Seat.Attach()
			program.Seat.Keep()
			time.Sleep(time.Second)
			s.kill(programs)
			time.Sleep(cluster.DeadAfter + 3*time.Second)
			if v := theEnd(t, box); v.Winner != match.Nobody || v.Reason != match.Closed {
				t.Errorf("owner %v: won by %v: %v", owner, v.Winner, v.Reason)
			}
		})
	}
}

func TestNodesWatchTalkAndRematch(t *testing.T) {
	sites(t, 3, func(t *testing.T, s *site) {
		visitA, visitC := s.halls[0].Enter(ann), s.halls[2].Enter(lobby.Player{Name: "carl"})
		visitB := s.halls[1].Enter(bob)
		hall := visitC.Talk()
		say(t, visitA.Talk(), "hello")
		time.Sleep(time.Second)
		wantHeard(t, hall, "ann: hello")

		a, b := s.apart(t)
		boxA, boxB := sit(a), sit(b)
		w := watch(t, s.halls[2], s.halls[2].Matches()[0].ID)
		defer w.Leave()
		exchange(t, a, b, boxA, boxB, 0, 4)
		time.Sleep(time.Second)
		if u := see(t, w); u.View.Charts[match.First].Fired != 4 || u.View.Fleets[match.First] != nil {
			t.Errorf("a spectator elsewhere sees %+v", u.View)
		}
		if n := s.halls[0].Matches()[0].Watching; n != 1 {
			t.Errorf("ann's node counts %d spectators", n)
		}
		beside, talkA := visitC.TalkBeside(w), visitA.TalkAt(a)
		say(t, beside, "look")
		say(t, visitB.TalkAt(b), "hi ann")
		time.Sleep(time.Second)
		wantHeard(t, talkA, "bob: hi ann")

		a.Seat.Resign()
		theEnd(t, boxA)
		theEnd(t, boxB)
		time.Sleep(time.Second)
		wish, err := a.Rematch()
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if !b.Table().Wanted {
			t.Error("bob does not see that ann wants a rematch")
		}
		wishB, err := b.Rematch()
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		a, b = seated(t, wish), seated(t, wishB)
		if a.Seat.Side() != match.Second || b.Seat.Side() != match.First {
			t.Errorf("ann plays %v, bob %v", a.Seat.Side(), b.Seat.Side())
		}
		boxA, boxB = sit(a), sit(b)
		exchange(t, b, a, boxB, boxA, 0, 3)
		b.Seat.Resign()
		theEnd(t, boxA)
		synctest.Wait()
		b.Rise()
		synctest.Wait()
		if !a.Table().Gone {
			t.Error("ann does not see that bob has left the table")
		}
		if _, err := a.Rematch(); !errors.Is(err, lobby.ErrGone) {
			t.Errorf("a rematch with nobody: %v", err)
		}
	})
}

func TestNodesGuestComesBackElsewhere(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		guest := s.halls[0].Enter(lobby.Player{Name: "gus"}).Player()
		seating, box := against(t, s.halls[0], guest, "easy")
		volley(t, seating, box, 0, 3)
		code := seating.Code()
		seating.Seat.Detach(box)
		synctest.Wait()
		other := s.halls[1].Enter(lobby.Player{Name: "gus"}).Player()
		again, err := s.halls[1].Resume(other, code)
		if err != nil {
			t.Fatal(err)
		}
		volley(t, again, again.Seat.Attach(), 3, 6)
		synctest.Wait()
		if all := s.halls[0].Matches(); len(all) != 1 || all[0].Players[1].ID != other.ID {
			t.Errorf("the first node knows %+v", all)
		}
	})
}

// While a node has lost touch, nobody there begins anything that others would
// have to know of, and all is well afterwards.
func TestNodesOutOfTouch(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		beaten, box := against(t, s.halls[1], bob, "easy")
		beaten.Seat.Resign()
		theEnd(t, box)
		synctest.Wait()
		s.kill(1)
		if _, err := s.halls[1].PlayNow(bob, match.Classic()); !errors.Is(err, lobby.ErrCut) {
			t.Errorf("out of touch: %v", err)
		}
		if _, err := s.halls[1].ChallengeBot(bob, "easy", match.Classic()); !errors.Is(err, lobby.ErrCut) {
			t.Errorf("a bot, out of touch: %v", err)
		}
		if _, err := beaten.Rematch(); !errors.Is(err, lobby.ErrCut) {
			t.Errorf("a rematch with a bot, out of touch: %v", err)
		}
		both, err := s.halls[1].HotSeat(bob, [2]string{"bob", "eve"}, match.Classic())
		if err != nil {
			t.Fatalf("two people at one terminal, out of touch: %v", err)
		}
		exchange(t, both, both.Partner, sit(both), sit(both.Partner), 0, 2)
		both.Seat.Match().Abort()
		s.memory.Mend(s.nodes[1].ID())
		time.Sleep(5 * time.Second)
		a, b := s.apart(t)
		exchange(t, a, b, sit(a), sit(b), 0, 2)
	})
}

// Who has the code of a room before their node has heard of it comes in.
func TestNodesRoomUnheard(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		s.kill(1)
		room, err := s.halls[0].OpenRoom(ann, match.Hasbro())
		if err != nil {
			t.Fatal(err)
		}
		news := time.AfterFunc(300*time.Millisecond, func() { s.memory.Mend(s.nodes[1].ID()) })
		defer news.Stop()
		if r, err := s.halls[1].Room(room.Code()); err != nil || r.Name != "hasbro" {
			t.Errorf("the room is for %q: %v", r.Name, err)
		}
		if _, err := s.halls[1].Join(bob, room.Code()); err != nil {
			t.Errorf("joining: %v", err)
		}
		synctest.Wait()
		seated(t, room)
	})
}

// At random, nodes are cut off and come back while people at all of them play
// bots and each other.
func TestNodesAtRandom(t *testing.T) {
	for seed := range uint64(5) {
		sites(t, 3, func(t *testing.T, s *site) {
			rng := rand.New(rand.NewPCG(seed, 1))
			a, b := s.apart(t)
			boxA, boxB := sit(a), sit(b)
			var players sync.WaitGroup
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			play := func(seat *lobby.Seating, box *live.Mailbox) {
				n := 0
				var u live.Update
				for {
					if err := box.Recv(ctx, &u); err != nil {
						if !errors.Is(err, live.ErrEnded) {
							t.Errorf("seed %d: side %v: %v", seed, seat.Seat.Side(), err)
						}
						return
					}
					if u.Late[seat.Seat.Side().Other()] {
						t.Errorf("seed %d: side %v is away", seed, seat.Seat.Side().Other())
						seat.Seat.Claim()
					}
					chart := &u.View.Charts[seat.Seat.Side()]
					if u.View.Phase == match.Battle && u.View.Turn == seat.Seat.Side() && !u.View.Pending {
						if chart.Fired < n {
							t.Errorf("seed %d: %d shots were %d before", seed, chart.Fired, n)
						}
						n = chart.Fired
						time.Sleep(100 * time.Millisecond)
						open := chart.Open() // a shot that was repeated may have missed its turn, and taken the next
						seat.Seat.Fire(open.Nth(0))
					}
				}
			}
			players.Go(func() { play(a, boxA) })
			players.Go(func() { play(b, boxB) })
			for range 6 {
				i := rng.IntN(2)
				s.kill(i)
				time.Sleep(time.Duration(rng.IntN(8000)) * time.Millisecond)
				s.memory.Mend(s.nodes[i].ID())
				time.Sleep(time.Duration(rng.IntN(6000)) * time.Millisecond)
			}
			time.Sleep(5 * time.Minute)
			players.Wait()
		})
	}
}

// Two nodes lose touch and find each other again: each knows again who is at the
// other, and what they offer.
func TestNodesFindEachOtherAgain(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		a, b := s.halls[0].Enter(ann), s.halls[1].Enter(bob)
		first := playNow(t, s.halls[0], ann, match.Classic())
		room, err := s.halls[1].OpenRoom(bob, match.Hasbro())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		s.kill(1)
		time.Sleep(10 * time.Second)
		for i, v := range []*lobby.Visit{a, b} {
			if here := news(t, v).Here; len(here) != 1 {
				t.Errorf("out of touch, node %d sees %+v", i, here)
			}
		}
		if _, err := s.halls[0].Room(room.Code()); !errors.Is(err, lobby.ErrNoRoom) {
			t.Errorf("the room of a node that is gone: %v", err)
		}
		s.memory.Mend(s.nodes[1].ID())
		time.Sleep(10 * time.Second)
		for i, v := range []*lobby.Visit{a, b} {
			if here := news(t, v).Here; len(here) != 2 {
				t.Errorf("in touch again, node %d sees %+v", i, here)
			}
		}
		carl, dora := lobby.Player{ID: "key-carl", Name: "carl"}, lobby.Player{ID: "key-dora", Name: "dora"}
		if _, err := s.halls[0].Join(carl, room.Code()); err != nil {
			t.Errorf("joining the room: %v", err)
		}
		playNow(t, s.halls[1], dora, match.Classic())
		synctest.Wait()
		seated(t, room)
		seated(t, first)
	})
}

// A node that was out of touch for long removes nothing of those that it has taken
// for dead.
func TestNodesSweepNobody(t *testing.T) {
	for _, cut := range []time.Duration{4, 5, 6, 7, 8, 9, 10, 11, 12, 20} {
		sites(t, 2, func(t *testing.T, s *site) {
			time.Sleep(10*time.Second + 700*time.Millisecond) // between two heartbeats
			s.halls[0].Enter(ann)
			playNow(t, s.halls[0], ann, match.Classic())
			synctest.Wait()
			for _, b := range []cluster.Bucket{cluster.Presence, cluster.Offers} {
				if err := s.nodes[0].Watch(t.Context(), b, func(e cluster.Entry) {
					if e.Gone {
						t.Errorf("%s %s is removed after %d s", b, e.Key, cut)
					}
				}); err != nil {
					t.Fatal(err)
				}
			}
			s.kill(1)
			time.Sleep(cut*time.Second + 100*time.Millisecond)
			s.memory.Mend(s.nodes[1].ID())
			time.Sleep(30 * time.Second)
			if _, err := s.halls[1].PlayNow(bob, match.Hasbro()); err != nil {
				t.Error(err)
			}
			s.nodes[0].Close() // its watches are told nothing any more
		})
	}
}

// What a node that died has left behind is nobody's opponent, for who comes later
// either.
func TestNodesGhosts(t *testing.T) {
	sites(t, 1, func(t *testing.T, s *site) {
		s.halls[0].Enter(ann)
		playNow(t, s.halls[0], ann, match.Classic())
		synctest.Wait()
		s.kill(0)
		node := s.memory.Join("late")
		l, err := lobby.Open(t.Context(), lobby.Config{Node: node})
		if err != nil {
			t.Fatal(err)
		}
		defer node.Close()
		defer l.Close()
		v := l.Enter(bob)
		time.Sleep(6 * cluster.DeadAfter)
		if s := news(t, v); len(s.Here) != 1 || len(s.Waiting) != 0 {
			t.Errorf("bob sees %+v, and %+v waiting", s.Here, s.Waiting)
		}
		for _, b := range []cluster.Bucket{cluster.Presence, cluster.Offers} {
			left := 0
			if err := node.Watch(t.Context(), b, func(e cluster.Entry) {
				if !e.Gone {
					left++
				}
			}); err != nil {
				t.Fatal(err)
			}
			if want := map[cluster.Bucket]int{cluster.Presence: 1}[b]; left != want {
				t.Errorf("%d entries of %s are left", left, b)
			}
		}
	})
}

// A node that is out of touch cannot hand anything over, until it is in touch
// again.
func TestNodesHandOverLater(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		a, b := s.apart(t)
		boxA, boxB := sit(a), sit(b)
		exchange(t, a, b, boxA, boxB, 0, 3)
		s.kill(1)
		drained := make(chan error)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		go func() { drained <- s.halls[1].Drain(ctx) }()
		time.Sleep(time.Second)
		s.memory.Mend(s.nodes[1].ID())
		if err := <-drained; err != nil {
			t.Errorf("drained with %v", err)
		}
		exchange(t, a, b, boxA, boxB, 3, 6)
	})
}

// Who is muted is muted in all sessions, wherever they are.
func TestNodesMute(t *testing.T) {
	sites(t, 2, func(t *testing.T, s *site) {
		here, there := s.halls[0].Enter(ann), s.halls[1].Enter(ann)
		if err := here.Mute(t.Context(), bob, lobby.MutedNow); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if how := there.Hears(bob.ID); how != lobby.MutedNow {
			t.Errorf("at the other node bob is heard: %v", how)
		}
	})
}

// Who comes later reads what was announced before.
func TestNodesAnnouncement(t *testing.T) {
	sites(t, 1, func(t *testing.T, s *site) {
		s.halls[0].Announce("Tea at five")
		node := s.memory.Join("late")
		l, err := lobby.Open(t.Context(), lobby.Config{Node: node})
		if err != nil {
			t.Fatal(err)
		}
		defer node.Close()
		defer l.Close()
		v := l.Enter(bob)
		time.Sleep(5 * time.Second)
		if said := news(t, v).Said.Text; said != "Tea at five" {
			t.Errorf("bob reads %q", said)
		}
	})
}

// A lobby that hears nothing of the others is not opened.
func TestNodesOpenOutOfTouch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := cluster.NewMemory()
		node := memory.Join("node")
		defer node.Close()
		memory.Cut(node.ID())
		if _, err := lobby.Open(t.Context(), lobby.Config{Node: node}); !errors.Is(err, cluster.ErrCut) {
			t.Errorf("opened with %v", err)
		}
	})
}

// Tables of matches that are over are forgotten, in time those that somebody has
// never left; who only watched keeps none.
func TestNodesForgetTables(t *testing.T) {
	sites(t, 3, func(t *testing.T, s *site) {
		play := func() (a, b *lobby.Seating) {
			a, b = s.apart(t)
			boxA, boxB := sit(a), sit(b)
			w := watch(t, s.halls[2], a.Seat.Match().ID())
			synctest.Wait()
			a.Seat.Resign()
			theEnd(t, boxA)
			theEnd(t, boxB)
			w.Leave()
			time.Sleep(time.Minute)
			return a, b
		}
		count := func() (n [3]int) {
			synctest.Wait()
			for i, l := range s.halls {
				n[i] = l.Tables()
			}
			return n
		}
		a, b := play()
		if n := count(); n != [3]int{1, 1, 0} {
			t.Errorf("tables after a match: %v", n)
		}
		a.Rise()
		b.Rise()
		if n := count(); n != [3]int{} {
			t.Errorf("tables that both have left: %v", n)
		}
		play()
		time.Sleep(time.Hour)
		play()
		if n := count(); n != [3]int{1, 1, 0} {
			t.Errorf("tables an hour later: %v", n)
		}
	})
}
