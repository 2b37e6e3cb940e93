package cluster

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"broadside/internal/session"
)

func TestNewestStateReplacesWaitingOnes(t *testing.T) {
	t.Parallel()
	a := newNode(t, 1)
	g := newGateway(t, a)
	slow, quick := open(t, g, "slow"), open(t, g, "quick")
	s, q := a.source(t, "slow"), a.source(t, "quick")
	for i := range 500 {
		s.set(fmt.Sprint("state", i))
		q.set(fmt.Sprint("state", i))
		awaitUpdate(t, quick, fmt.Sprint("state", i)) // is not held up by the other
	}
	s.mu.Lock()
	taken := s.taken
	s.mu.Unlock()
	if taken > maxCredit+1 { // one is waiting to be sent
		t.Errorf("%d states were encoded for a session that reads nothing", taken)
	}
	if others := awaitUpdate(t, slow, "state499"); len(others) > maxCredit+1 {
		t.Errorf("the slow session got %q", others)
	}
}

func TestUpdateThatIsTooLargeIsDropped(t *testing.T) {
	t.Parallel()
	a := newNode(t, 1)
	r := open(t, newGateway(t, a), "anna")
	awaitUpdate(t, r, "new")
	x := a.hosted("anna")
	messages := func() uint64 {
		x.mu.Lock()
		defer x.mu.Unlock()
		return x.last
	}
	before := messages()
	s := a.source(t, "anna")
	s.set(string(make([]byte, MaxPayload+1)))
	until(t, "for a message without the update", func() bool { return messages() > before }) // not with the reply below
	do(t, r, "still here")
	s.set("small")
	awaitUpdate(t, r, "small")
}

// TestBrokenConnectionIsInvisible breaks the connection again and again while
// sessions act. Each action is executed once, in order, and the newest state arrives.
func TestBrokenConnectionIsInvisible(t *testing.T) {
	t.Parallel()
	a := newNode(t, 1)
	p := newProxy(t, "tcp", a.address)
	g := newGateway(t, nil)
	follow(g, p.ln.Addr().String(), 1)
	stop, cutter := make(chan struct{}), sync.WaitGroup{}
	var cuts atomic.Int64
	cutter.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(30 * time.Millisecond):
				if !allAttached(g) {
					continue // so that a slow machine makes progress, too
				}
				p.stall(i%3 == 0, i%3 == 1) // so that something is lost on its way
				time.Sleep(time.Millisecond)
				p.cut()
				cuts.Add(1)
				p.stall(false, false)
			}
		}
	})
	var people sync.WaitGroup
	for i := range 10 {
		people.Go(func() {
			name := fmt.Sprint("player", i)
			r := open(t, g, name)
			s := a.source(t, name)
			n := 0
			for ; !t.Failed() && (n < 50 || cuts.Load() < 5); n++ {
				do(t, r, fmt.Sprint(n))
				s.set(fmt.Sprint("state", n))
				time.Sleep(2 * time.Millisecond)
			}
			awaitUpdate(t, r, fmt.Sprint("state", n-1))
			s.mu.Lock()
			defer s.mu.Unlock()
			for i, got := range s.acted {
				if want := fmt.Sprint(i); got != want {
					t.Errorf("executed %q, not %q", got, want)
				}
			}
			if len(s.acted) != n || s.closed > 0 {
				t.Errorf("%d of %d actions were executed, and the session closed %d times", len(s.acted), n, s.closed)
			}
		})
	}
	people.Wait()
	close(stop)
	cutter.Wait()
}

func TestSession(t *testing.T) {
	a := newNode(t, 1)
	g := newGateway(t, a)
	r := open(t, g, "anna")
	awaitUpdate(t, r, "new")
	if !r.isAttached() || g.Err() != nil {
		t.Error("not attached")
	}
	for i := range 20 {
		do(t, r, fmt.Sprint("action", i))
	}
	s := a.source(t, "anna")
	s.set("changed")
	awaitUpdate(t, r, "changed")
	if got := s.acted; len(got) != 20 || got[0] != "action0" || got[19] != "action19" {
		t.Errorf("executed %q", got)
	}
	if id := a.hosted("anna").id; id != (sessionID{hex.EncodeToString(g.id), 1}) {
		t.Errorf("session %v", id)
	}
	r.Close()
	until(t, "for the session to be closed", func() bool { return s.get(func() bool { return s.closed == 1 }) })
	if err := r.Do(t.Context(), session.Watch{}); err != ErrClosed {
		t.Error(err)
	}
	until(t, "for the session to be forgotten", func() bool { return len(g.sessions)+a.server.count() == 0 })
}

func TestClosedGatewayClosesItsSessions(t *testing.T) {
	a := newNode(t, 1)
	g := newGateway(t, a)
	r := open(t, g, "anna")
	s := a.source(t, "anna")
	g.Close()
	if r.failed() != ErrClosed {
		t.Error(r.failed())
	}
	until(t, "for the session to be closed", func() bool { return s.get(func() bool { return s.closed == 1 }) })
	if _, err := g.Open(t.Context(), client("ben")); err != ErrClosed {
		t.Error(err)
	}
}

func TestRefusedAndEndedSessions(t *testing.T) {
	a := newNode(t, 1)
	g := newGateway(t, a)
	if _, err := g.Open(t.Context(), session.Client{Name: "stranger"}); err == nil || err.Error() != "who are you?" {
		t.Errorf("refused: %v", err)
	}
	program := open(t, g, "stranger")
	if err := program.Do(t.Context(), session.Watch{}); err == nil || err.Error() != "who are you?" {
		t.Errorf("a program that was refused: %v", err)
	}
	r := open(t, g, "anna")
	s := a.source(t, "anna")
	s.mu.Lock()
	s.end = errors.New("banned")
	s.mu.Unlock()
	s.changed.Send()
	until(t, "for the end", func() bool { return r.failed() != nil })
	if r.failed().Error() != "banned" {
		t.Errorf("ended: %v", r.failed())
	}
	until(t, "for the session to be closed", func() bool { return s.get(func() bool { return s.closed == 1 }) })
}

// TestFirstQueryTravelsWithTheOpening asks a program's first query before its session is
// open. An action waits, because the next active node could not tell whether it counts.
func TestFirstQueryTravelsWithTheOpening(t *testing.T) {
	a := newNode(t, 1)
	a.busy = make(chan struct{})
	g := newGateway(t, a)
	until(t, "for the connection", func() bool { return g.Err() == nil })
	r := open(t, g, "slow to open")
	result := make(chan error, 2)
	go func() {
		result <- r.Answer(context.Background(), session.CheckProgramName{Name: "ann"}, new(struct{}), nil)
	}()
	go func() { result <- r.Do(context.Background(), session.Watch{ID: "act"}) }()
	until(t, "for the query to arrive", func() bool {
		all := a.all()
		if len(all) == 0 {
			return false
		}
		all[0].mu.Lock()
		defer all[0].mu.Unlock()
		return all[0].acted == 1
	})
	r.mu.Lock()
	if r.action {
		t.Error("the action was sent before the session was open")
	}
	r.mu.Unlock()
	close(a.busy)
	for range 2 {
		if err := <-result; err != nil {
			t.Error(err)
		}
	}
}

// TestActionsAreOneAtATime starts a second action before the first has a result.
func TestActionsAreOneAtATime(t *testing.T) {
	a := newNode(t, 1)
	r := open(t, newGateway(t, a), "anna")
	s := a.source(t, "anna")
	s.block.Lock()
	first := act(t, r, "first")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := r.Do(ctx, session.Watch{ID: "second"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	s.block.Unlock()
	if err := <-first; err != nil {
		t.Error(err)
	}
	do(t, r, "third")
	if !slices.Equal(s.acted, []string{"first", "third"}) {
		t.Errorf("executed %q", s.acted)
	}
}

// TestLostReply breaks the connection after an action was executed, so that it is
// sent again. It is executed once, and its result arrives.
func TestLostReply(t *testing.T) {
	t.Parallel()
	a := newNode(t, 1)
	p := newProxy(t, "tcp", a.address)
	g := newGateway(t, nil)
	follow(g, p.ln.Addr().String(), 1)
	r := open(t, g, "anna")
	s := a.source(t, "anna")
	for i, running := range []bool{false, true} { // when the action is sent again
		p.stall(false, true)
		if running {
			s.block.Lock()
		}
		result := act(t, r, fmt.Sprint(i))
		if running {
			until(t, "for the action to arrive", func() bool {
				x := a.hosted("anna")
				x.mu.Lock()
				defer x.mu.Unlock()
				return x.acting
			})
		} else {
			until(t, "for the action to be executed", func() bool { return s.get(func() bool { return len(s.acted) == 1 }) })
		}
		p.cut()
		p.stall(false, false)
		until(t, "for the gateway to attach the session again", r.isAttached)
		if running {
			s.block.Unlock()
		}
		if err := <-result; err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(s.acted, []string{"0", "1"}) {
		t.Errorf("executed %q", s.acted)
	}
}

func TestFailover(t *testing.T) {
	a := newNode(t, 1)
	g := newGateway(t, a)
	var remotes []*remote
	for i := range 20 {
		r := open(t, g, fmt.Sprint("player", i))
		awaitUpdate(t, r, "new")
		rename(r, fmt.Sprint("seat", i), i == 7)
		remotes = append(remotes, r)
	}
	s := a.source(t, "player3")
	s.block.Lock()
	fired := act(t, remotes[3], "fire")
	b := newNode(t, 2)
	follow(g, b.address, 2)
	if err := <-fired; err != nil {
		t.Errorf("the action that had no reply: %v", err)
	}
	s.block.Unlock()
	for i, r := range remotes {
		awaitUpdate(t, r, "new")
		if b.source(t, fmt.Sprint("seat", i)).repeats != (i == 3) {
			t.Errorf("seat %d: the new active node is not told correctly which action is sent again", i)
		}
	}
	if next := b.source(t, "seat3"); !slices.Equal(next.acted, []string{"fire"}) || !next.repeats {
		t.Errorf("the new active node executed %q, repeated: %v", next.acted, next.repeats)
	}
	// The former active node does not know that it is one.
	a.source(t, "player3").set("from the past")
	do(t, remotes[3], "again")
	if n := waiting(remotes[3]); n > 0 {
		t.Errorf("%d updates from the former active node", n)
	}
}

// TestOlderEpochIsDropped lets a node answer in an earlier epoch.
func TestOlderEpochIsDropped(t *testing.T) {
	a := newNode(t, 4)
	g := newGateway(t, a)
	r := open(t, g, "anna")
	awaitUpdate(t, r, "new")
	follow(g, a.address, 5)
	s := a.source(t, "anna")
	s.set("old")
	until(t, "for the gateway to refuse the connection", func() bool { return g.Err() != nil && strings.Contains(g.Err().Error(), "older epoch") })
	if n := waiting(r); n > 0 {
		t.Errorf("%d updates of an older epoch", n)
	}
	a.role.set(fence{epoch: 5}, time.Now().Add(time.Hour)) // it was the same node after all
	if others := awaitUpdate(t, r, "old"); len(others) > 0 {
		t.Errorf("also %q", others)
	}
	if s.closed > 0 || len(a.sources) != 1 {
		t.Error("the session did not stay")
	}
}

func TestNodeThatMayNotAnswer(t *testing.T) {
	t.Parallel()
	a := newNode(t, 1)
	g := newGateway(t, a)
	r := open(t, g, "anna")
	awaitUpdate(t, r, "new")
	a.setValid(false)
	s := a.source(t, "anna")
	s.set("secret")
	result := act(t, r, "look")
	until(t, "for the action to be executed", func() bool { return s.get(func() bool { return len(s.acted) == 1 }) })
	time.Sleep(5 * invalidPause) // during which an answer would arrive
	if waiting(r)+len(result) > 0 {
		t.Error("a node that may not answer has answered")
	}
	h := newGateway(t, a)
	until(t, "for a second gateway to be refused", func() bool { return h.Err() != nil && h.Err() != errNoActive })
	a.setValid(true)
	if err := <-result; err != nil {
		t.Error(err)
	}
	awaitUpdate(t, r, "secret")
	until(t, "for the second gateway", func() bool { return h.Err() == nil })
}

// TestNodeWithoutDatabaseAnswers checks that a node that cannot reach the database says so
// to gateways until another is active.
func TestNodeWithoutDatabaseAnswers(t *testing.T) {
	a := newNode(t, 1)
	g := newGateway(t, a)
	r := open(t, g, "anna")
	awaitUpdate(t, r, "new")
	a.role.disconnect()
	a.source(t, "anna").set("paused")
	awaitUpdate(t, r, "paused")
	open(t, newGateway(t, a), "ben")
	if a.role.Valid() {
		t.Error("the period is valid without the database")
	}
}

func TestOpenWaitsForAnActiveNode(t *testing.T) {
	g := newGateway(t, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := g.Open(ctx, client("given up")); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	done := make(chan *remote)
	go func() { done <- open(t, g, "anna") }()
	a := newNode(t, 1)
	follow(g, a.address, 1)
	awaitUpdate(t, <-done, "new")
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.sources) != 1 {
		t.Errorf("%d sessions were opened, want only the one that was not given up", len(a.sources))
	}
}

// TestGatewayFollowsItsElection uses a real election of one node.
func TestGatewayFollowsItsElection(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	a := newNode(t, 1)
	other := nodeWith(t, Config{DSN: dsn, Address: a.address, slack: slack})
	activeOf(t, other)
	e := nodeWith(t, Config{DSN: dsn, Address: "b:1", slack: slack})
	g := NewGateway(Config{TLS: testTLS(t, 'k')}, e)
	t.Cleanup(g.Close)
	do(t, open(t, g, "anna"), "fire")
	other.Release()
	activeOf(t, e)
	until(t, "for the gateway to connect elsewhere", func() bool { return g.Err() != nil }) // nothing listens at b:1
}

// TestConnectionBreaksWhileASessionIsOpened makes the gateway attach the session again
// while the handler still opens it.
func TestConnectionBreaksWhileASessionIsOpened(t *testing.T) {
	a := newNode(t, 1)
	a.busy = make(chan struct{})
	p := newProxy(t, "tcp", a.address)
	g := newGateway(t, nil)
	follow(g, p.ln.Addr().String(), 1)
	opened := make(chan *remote)
	go func() { opened <- open(t, g, "slow to open") }()
	until(t, "for the session to arrive", func() bool {
		a.server.mu.Lock()
		defer a.server.mu.Unlock()
		return len(a.server.sessions) == 1
	})
	p.cut()
	until(t, "for a second connection to be refused", func() bool {
		a.server.mu.Lock()
		defer a.server.mu.Unlock()
		return a.server.serial > 1
	})
	close(a.busy)
	r := <-opened
	until(t, "for the session to be attached again", r.isAttached)
	do(t, r, "fire")
	if len(a.sources) != 1 {
		t.Errorf("opened %d times", len(a.sources))
	}
}

// TestLostMessage loses the first message of a session twice. Before the second loss, the
// gateway sends an order although it has not received the message. The message is then sent
// a third time.
func TestLostMessage(t *testing.T) {
	a := newNodeOn(t, 1, &pipeListener{make(chan net.Conn), make(chan struct{})})
	a.sources["anna"] = newFakeSession()
	a.sources["anna"].fresh = false // no update
	var lost frame
	for serial := 1; serial <= 3; serial++ {
		c := newConn(nil, a.role)
		c.serial = serial
		if err := a.server.receive(c, frame{kind: kindOpen, session: 1, payload: []byte(`{"Name":"anna"}`)}); err != nil {
			t.Fatal(err)
		}
		switch serial {
		case 1:
			until(t, "for the first message", func() (ok bool) { lost, ok = c.next(); return ok })
		case 2:
			if err := a.server.receive(c, frame{kind: kindAct, session: 1, number: 1, payload: []byte(`Watch {"ID":"m1"}`)}); err != nil {
				t.Fatal(err)
			}
		}
		if serial > 1 && (len(c.out) == 0 || c.out[0].number != lost.number) {
			t.Errorf("connection %d: sent again: %+v", serial, c.out)
		}
	}
}
