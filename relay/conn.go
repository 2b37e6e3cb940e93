package relay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
)

// conn is the connection of one client. Its reader turns lines into commands
// of its seat, its writer gets the seats, one after another in a series, and
// turns what it is told there into lines. Both end with the last match, or when
// the client is gone.
type conn struct {
	server   *Server
	id       int // its number
	wire     wire
	log      *slog.Logger
	accepted time.Time
	ctx      context.Context // ends when the client is gone or to go
	cancel   context.CancelFunc

	entered chan struct{} // closed once it is settled that the client is let in or not
	first   place         // written before entered is closed, then the writer's
	readied chan struct{} // capacity 1: the client has said that it is ready
	tally   tally         // the writer's
	refused error         // the writer's: why it cannot play on
	warned  bool          // the writer's: it has been told that its matches are casual

	mu      sync.Mutex
	wish    wish       // guarded by mu, written by the reader until the client is in, then by who lets it in
	in      bool       // guarded by mu: entered is closed, or will be soon
	unmet   need       // guarded by mu: what was refused, or is being looked up; it keeps the client out
	due     bool       // guarded by mu: the client is let in once nothing is unmet
	talks   bool       // guarded by mu: has sent a directive, so may be sent some
	seat    *live.Seat // guarded by mu: while it plays
	between bool       // guarded by mu: no seat now, but there was one and may be again
	fault   *fault     // guarded by mu: the first thing it did wrong
	over    bool       // guarded by mu: what it sends does not matter any more

	playing    match.Rules // guarded by mu: of the game at seat
	commitment string      // guarded by mu: to the fleet of the next game; or empty
	awaited    bool        // guarded by mu: the game at seat waits for its commitment

	wmu sync.Mutex // held while writing
}

func newConn(s *Server, w wire) *conn {
	ctx, cancel := context.WithCancel(context.Background())
	return &conn{
		server: s, wire: w, log: s.cfg.Log, accepted: time.Now(), ctx: ctx, cancel: cancel,
		entered: make(chan struct{}), readied: make(chan struct{}, 1),
		wish: wish{rules: match.Classic(), games: 1, player: lobby.Player{Kind: lobby.Program}},
	}
}

// address is where the client is; zero if that is no IP address.
func (c *conn) address() netip.Addr {
	_, a := c.wire.where()
	return a
}

// run serves the client to its end.
func (c *conn) run() {
	var writer sync.WaitGroup
	writer.Go(c.write)
	c.read()
	c.cancel()
	writer.Wait()
	c.wire.linger()
	c.wire.Close()
}

// leave makes the connection end by itself, as soon as what was written has
// arrived.
func (c *conn) leave() { c.cancel() }

// enter lets the client into the lobby: it starts to wait for an opponent, or
// to play against a bot. Entering twice is entering once. A client whose rules
// or opponent were refused stays out until it has corrected them: what it would
// play is not what it meant. It may wait for the store, with nothing locked:
// whoever asks the server who is here does not.
func (c *conn) enter() {
	c.mu.Lock()
	in, out := c.in, c.unmet != 0
	c.in, c.due = in || !out, out
	p := c.wish.player
	p.Fixed = c.wish.fixed()
	c.mu.Unlock()
	switch {
	case in:
		<-c.entered
		return
	case out:
		return
	}
	defer close(c.entered)
	if c.ctx.Err() != nil {
		return
	}
	p = c.server.cfg.Lobby.Identify(p)
	c.mu.Lock()
	c.wish.player = p
	c.mu.Unlock()
	c.first = c.seek()
}

// bar keeps a client out that has not entered yet.
func (c *conn) bar() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.in {
		c.in = true
		close(c.entered)
	}
}

// How many directives a client may send a second, and at once. More wait: each
// of them has an answer, and some ask the disk.
const directiveRate, directiveBurst = 20, 100

// read handles the client's lines until the connection or the last match ends.
func (c *conn) read() {
	lines := lineReader{r: c.wire}
	pace := rate.NewLimiter(directiveRate, directiveBurst)
	ready := false
	for {
		// Directives that came together are carried out together, so their
		// order does not matter.
		if ready && !lines.buffered() {
			ready = false
			c.enter()
		}
		line, err := lines.next()
		if err == nil {
			c.server.heard.Add(1)
		}
		if c.isOver() {
			return
		}
		if err == nil && line[0] == '%' {
			if pace.Wait(c.ctx) != nil {
				return
			}
			ready = c.direct(parseDirective(line)) || ready
			continue
		}
		if err == nil {
			err = c.play(line)
		}
		if err != nil {
			c.lose(err, line)
			return
		}
	}
}

// errOutOfTurn is what is wrong with a message that cannot come now.
var errOutOfTurn = errors.New("a message out of turn: attack after the result of the other side's attack, answer only its attacks")

// play hands a message to the seat. Whether it is legal in the match is for
// the referee to say.
func (c *conn) play(line []byte) error {
	m, err := Parse(line)
	if err != nil {
		return err
	}
	c.mu.Lock()
	seat, between := c.seat, c.between
	c.mu.Unlock()
	switch {
	case between: // it may have been on its way when the last game was cut short
		c.say("%% error ignored %v came between two games and counts for neither", m)
	case seat == nil:
		return errOutOfTurn
	case m.Op == Attack:
		seat.Fire(m.Cell)
	case m.Op == Result:
		seat.Answer(m.Cell, m.Result)
	default:
		return errOutOfTurn
	}
	return nil
}

func (c *conn) isOver() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

// write leads the client through its matches: role, start, and what the other
// side does.
func (c *conn) write() {
	defer c.hangUp()
	select {
	case <-c.entered:
	case <-c.ctx.Done():
		c.bar()
		<-c.entered
	}
	c.warn()
	next := c.reached(c.first)
	c.first = place{} // a ticket is of no use once it has led somewhere
	for {
		seating, refusal := c.sitDown(next)
		if seating == nil {
			c.part(refusal)
			return
		}
		c.playAt(seating)
		if c.tally.games == c.wish.games || c.ctx.Err() != nil {
			seating.Rise()
			c.part(nil)
			return
		}
		next = c.reached(c.again(seating))
	}
}

// playAt plays one match to its end.
func (c *conn) playAt(seating *lobby.Seating) {
	seat := seating.Seat
	// From here on the match ends whenever the connection does, and the writer
	// lives as long as the match.
	stop := context.AfterFunc(c.ctx, func() { c.resign(seat) })
	defer stop()
	box := seat.Attach()
	c.mu.Lock()
	c.seat, c.between, c.playing = seat, false, seating.Rules()
	c.mu.Unlock()
	c.warn()
	if c.isTalking() {
		c.introduce(seating)
	}
	c.prepare(seat, seating.Rules())
	c.relay(seating, box)
}

// resign ends the match of a connection that is at its end.
func (c *conn) resign(seat *live.Seat) {
	if c.server.isDown() {
		seat.Match().Abort()
		return
	}
	seat.Forfeit(match.Hangup)
}

// relay passes on what the other side does until the match ends.
func (c *conn) relay(seating *lobby.Seating, box *live.Mailbox) {
	other := seating.Seat.Side().Other()
	buf := make([]byte, 0, 64)
	var u live.Update
	for begun := false; ; begun = true {
		if err := box.Recv(context.Background(), &u); err != nil { // does not happen before the match is over
			c.cancel()
			return
		}
		if u.Missed && begun { // only a client that does not read can be so far behind
			c.cut(match.Unread, errBehind)
		}
		buf = buf[:0]
		for i := range u.Events {
			buf = appendEvent(buf, &u.Events[i], other)
		}
		if c.isTalking() {
			buf = appendReveal(buf, &u, other.Other())
		}
		if u.View.Phase == match.Over {
			c.score(seating, &u.View, buf)
			return
		}
		if len(buf) > 0 {
			c.put(buf)
		}
	}
}

// appendEvent appends what a client is told of an event, the other side being
// its opponent.
func appendEvent(b []byte, e *match.Event, other match.Side) []byte {
	switch {
	case e.Kind == match.BattleBegun:
		return Message{Op: Start}.Append(b)
	case e.Kind == match.ShotFired && e.Side == other:
		return Message{Op: Attack, Cell: e.Cell}.Append(b)
	case e.Kind == match.ShotAnswered && e.Side == other:
		return Message{Op: Result, Cell: e.Cell, Result: e.Result}.Append(b)
	}
	return b
}

// hangUp ends the connection so that what was written arrives: it ends the
// writing and leaves the rest to the reader.
func (c *conn) hangUp() {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	c.wire.hangUp()
}

var newline = []byte{'\n'}

// send writes a message, in whose course nothing has to wait for it.
func (c *conn) send(m Message) { c.put(m.Append(nil)) }

// put writes, for the write timeout at most. A client that does not read is
// cut off by it.
func (c *conn) put(b []byte) {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	c.server.said.Add(uint64(bytes.Count(b, newline)))
	_, err := c.wire.Write(b)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.cut(match.Unread, fmt.Errorf("it does not read: %w", err))
	case err != nil:
		c.cut(match.Hangup, err)
	}
}
