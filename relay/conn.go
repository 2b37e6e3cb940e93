package relay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"sync"
	"time"

	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
)

// conn is the connection of one client. Its reader turns lines into commands
// of its seat, its writer gets the seat and turns what it is told into lines.
// Both end with the match, or when the client is gone.
type conn struct {
	server   *Server
	id       int // its number
	nc       net.Conn
	log      *slog.Logger
	accepted time.Time
	ctx      context.Context // ends when the client is gone or to go
	cancel   context.CancelFunc

	entered chan struct{}  // closed once it is settled that the client is let in or not
	ticket  *lobby.Ticket  // written before entered is closed, if it waits for an opponent
	seating *lobby.Seating // written before entered is closed, if it plays a bot
	refusal error          // why it cannot play; the writer's once entered is closed

	mu    sync.Mutex
	wish  wish       // guarded by mu
	in    bool       // guarded by mu: entered is closed
	talks bool       // guarded by mu: has sent a directive, so may be sent some
	seat  *live.Seat // guarded by mu: once it plays
	fault *fault     // guarded by mu: the first thing it did wrong
	over  bool       // guarded by mu: what it sends does not matter any more

	wmu sync.Mutex // held while writing
	due time.Time  // guarded by wmu: the write deadline that is set
}

func newConn(s *Server, nc net.Conn) *conn {
	ctx, cancel := context.WithCancel(context.Background())
	return &conn{
		server: s, nc: nc, log: s.cfg.Log, accepted: time.Now(), ctx: ctx, cancel: cancel,
		entered: make(chan struct{}),
		wish:    wish{rules: match.Classic(), player: lobby.Player{Kind: lobby.Program}},
	}
}

// run serves the client to its end.
func (c *conn) run() {
	var writer sync.WaitGroup
	writer.Go(c.write)
	c.read()
	c.cancel()
	writer.Wait()
	c.linger()
	c.nc.Close()
}

// leave makes the connection end by itself, as soon as what was written has
// arrived.
func (c *conn) leave() { c.cancel() }

// enter lets the client into the lobby: it starts to wait for an opponent, or
// to play against a bot. Entering twice is entering once.
func (c *conn) enter() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.in {
		return
	}
	c.in = true
	defer close(c.entered)
	player := c.wish.player
	switch {
	case c.ctx.Err() != nil:
	case c.wish.bot != "":
		c.seating, c.refusal = c.server.cfg.Lobby.ChallengeBot(player, c.wish.bot, c.wish.rules)
	case c.wish.room != "":
		c.seating, c.refusal = c.server.cfg.Lobby.Join(player, c.wish.room)
	default:
		c.ticket, c.refusal = c.server.cfg.Lobby.PlayNow(player, c.wish.rules)
	}
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

// read handles the client's lines until the connection or the match ends.
func (c *conn) read() {
	lines := lineReader{r: c.nc}
	ready := false
	for {
		// Directives that came together are carried out together, so their
		// order does not matter.
		if ready && !lines.buffered() {
			ready = false
			c.enter()
		}
		line, err := lines.next()
		if c.isOver() {
			return
		}
		if err == nil && line[0] == '%' {
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
var errOutOfTurn = errors.New("a message out of turn")

// play hands a message to the seat. Whether it is legal in the match is for
// the referee to say.
func (c *conn) play(line []byte) error {
	m, err := Parse(line)
	if err != nil {
		return err
	}
	c.mu.Lock()
	seat := c.seat
	c.mu.Unlock()
	switch {
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

// write leads the client through its match: role, start, and what the other
// side does.
func (c *conn) write() {
	defer c.hangUp()
	select {
	case <-c.entered:
	case <-c.ctx.Done():
		c.bar()
	}
	seating := c.sitDown()
	if seating == nil {
		c.part(nil, nil)
		return
	}
	seat := seating.Seat
	// From here on the match ends whenever the connection does, and the writer
	// lives as long as the match.
	stop := context.AfterFunc(c.ctx, func() { c.resign(seat) })
	defer stop()
	box := seat.Attach()
	c.mu.Lock()
	c.seat = seat
	uniform, rules := c.wish.uniform, seating.Rules()
	c.mu.Unlock()
	if c.isTalking() {
		c.introduce(seating)
	}
	if uniform {
		seat.Place(rules.RandomLayout(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))))
	} else {
		seat.Keep()
	}
	c.relay(seat, box)
}

// sitDown tells the client its role and waits for its opponent; nil if there
// will be none.
func (c *conn) sitDown() *lobby.Seating {
	if c.seating != nil {
		c.send(role(c.seating.Seat.Side()))
		return c.seating
	}
	if c.ticket == nil {
		return nil
	}
	c.send(role(c.ticket.Side()))
	select {
	case seating := <-c.ticket.Seated():
		if seating == nil {
			c.refusal = c.ticket.Err()
		}
		return seating
	case <-c.ctx.Done():
		if c.ticket.Cancel() {
			return nil
		}
		return <-c.ticket.Seated() // an opponent has come, and is to win
	}
}

func role(side match.Side) Message {
	if side == match.First {
		return Message{Op: Defend}
	}
	return Message{Op: Assault}
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
func (c *conn) relay(seat *live.Seat, box *live.Mailbox) {
	other := seat.Side().Other()
	buf := make([]byte, 0, 64)
	var u live.Update
	for begun := false; ; begun = true {
		if err := box.Recv(context.Background(), &u); err != nil { // does not happen before the match is over
			c.part(seat, nil)
			return
		}
		if u.Missed && begun { // only a client that does not read can be so far behind
			c.cut(match.Unread, errBehind)
		}
		buf = buf[:0]
		for i := range u.Events {
			buf = appendEvent(buf, &u.Events[i], other)
		}
		if len(buf) > 0 {
			c.put(buf)
		}
		if u.View.Phase == match.Over {
			c.part(seat, &u.View)
			return
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

const (
	lingerTime  = 2 * time.Second // for a client to read the last line and close
	lingerBytes = 64 << 10        // of input that is thrown away meanwhile
)

// hangUp ends the connection so that what was written arrives: it closes the
// writing end and leaves the rest to the reader.
func (c *conn) hangUp() {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	if half, ok := c.nc.(interface{ CloseWrite() error }); ok {
		half.CloseWrite() // fails if the client has gone
	}
	c.nc.SetReadDeadline(time.Now().Add(lingerTime))
}

// linger throws away what the client still sends, until it closes its end or
// the deadline that hangUp has set is there: closing with unread input would
// destroy the last line on its way.
func (c *conn) linger() { io.CopyN(io.Discard, c.nc, lingerBytes) }

// send writes a message, in whose course nothing has to wait for it.
func (c *conn) send(m Message) { c.put(m.Append(nil)) }

// put writes, for the write timeout at most. A client that does not read is
// cut off by it once the system's buffers are full.
func (c *conn) put(b []byte) {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	// Setting a deadline costs about as much as half a write; one that is
	// still far enough away will do.
	if now := time.Now(); c.due.Sub(now) < c.server.cfg.WriteTimeout/2 {
		c.due = now.Add(c.server.cfg.WriteTimeout)
		c.nc.SetWriteDeadline(c.due) // fails on a closed connection only, as the write will
	}
	_, err := c.nc.Write(b)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.cut(match.Unread, fmt.Errorf("it does not read: %w", err))
	case err != nil:
		c.cut(match.Hangup, err)
	}
}
