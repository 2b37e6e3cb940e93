package lobby_test

import (
	"errors"
	"fmt"
	"log/slog"
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

// late is one more node, and its lobby, until the end of the test.
func (s *site) late(t *testing.T) (cluster.Node, *lobby.Lobby) {
	t.Helper()
	node := s.memory.Join("late")
	l, err := lobby.Open(t.Context(), lobby.Config{Node: node})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.Close()
		node.Close()
	})
	return node, l
}

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
				ticket, err := s.halls[i%3].PlayNow(p, match.Classic(), lobby.Rated)
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
		if _, err := s.halls[0].Challenge(ann, bob.ID, match.Classic(), lobby.Rated); err == nil {
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
			ticket, err := s.halls[0].Challenge(ann, bob.ID, match.Hasbro(), lobby.Rated)
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
		ticket, err = s.halls[1].Challenge(carl, dora.ID, match.Classic(), lobby.Rated)
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
		room, err := s.halls[0].OpenRoom(ann, match.Hasbro(), lobby.Rated)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if r, _, err := s.halls[1].Room(home, room.Code()); err != nil || r.Name != "hasbro" {
			t.Errorf("in the room %v is played: %v", r.Name, err)
		}
		if _, err := s.halls[1].Join(home, bob, room.Code()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		owner := seated(t, room)
		box := owner.Seat.Attach()
		if err := owner.Remove(); err != nil { // the match runs at the other node
			t.Fatal(err)
		}
		if v := theEnd(t, box); v.Reason != match.Removed || v.Winner != match.Nobody {
			t.Errorf("removed: %v, %v won", v.Reason, v.Winner)
		}
		<-owner.Seat.Match().Done()
		open, err := owner.Reopen(ann)
		if err != nil || open.Code() == room.Code() || open.Rules().Name != "hasbro" {
			t.Errorf("the room opened again: %v", err)
		}
		synctest.Wait()
		if _, err := s.halls[1].Join(home, bob, room.Code()); !errors.Is(err, lobby.ErrNoRoom) {
			t.Errorf("the old code: %v", err)
		}
		open.Cancel()
		named, err := s.halls[0].PlayNamed(lobby.Player{ID: "key-x", Name: "x"}, "kraken", match.Classic(), lobby.Rated)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		playNow(t, s.halls[1], kraken, match.Classic())
		synctest.Wait()
		seated(t, named)
	})
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
		visit := s.halls[0].Enter(lobby.Player{Name: "gus"})
		guest := visit.Player()
		seating, box := against(t, s.halls[0], guest, "easy")
		volley(t, seating, box, 0, 3)
		code := seating.Code()
		seating.Seat.Detach(box)
		synctest.Wait()
		other := s.halls[1].Enter(lobby.Player{Name: "gus"}).Player()
		if _, err := s.halls[1].Resume(home, other, code); !errors.Is(err, lobby.ErrInUse) {
			t.Errorf("while the guest is still at the other node: %v", err)
		}
		visit.Leave()
		synctest.Wait()
		again := resume(t, s.halls[1], other, code)
		volley(t, again, again.Seat.Attach(), 3, 6)
		synctest.Wait()
		if all := s.halls[0].Matches(); len(all) != 1 || all[0].Players[1].ID != other.ID {
			t.Errorf("the first node knows %+v", all)
		}
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
		_, l := s.late(t)
		v := l.Enter(bob)
		time.Sleep(5 * time.Second)
		if said := news(t, v).Said.Text; said != "Tea at five" {
			t.Errorf("bob reads %q", said)
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
