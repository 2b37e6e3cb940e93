package relay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"time"

	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
)

// conn is the connection of one client. Its reader turns lines into commands
// of its seat, its writer turns what the seat is told into lines. Both end
// with the match, or when either finds that the client is gone.
type conn struct {
	server   *Server
	nc       net.Conn
	log      *slog.Logger
	accepted time.Time
	ctx      context.Context // ends with the connection
	cancel   context.CancelFunc
	entered  chan struct{} // closed once the client is let into the lobby, or leaves before

	mu     sync.Mutex
	wish   wish           // guarded by mu
	in     bool           // guarded by mu: entered is closed
	ticket *lobby.Ticket  // guarded by mu: while it waits
	seated *lobby.Seating // guarded by mu: once it has an opponent
	seat   *live.Seat     // guarded by mu: once it plays
	over   bool           // guarded by mu: the match has ended, input does not matter any more
	talks  bool           // guarded by mu: has sent a directive, so may be sent some

	wmu sync.Mutex // held while writing
	due time.Time  // guarded by wmu: the write deadline that is set
}

func newConn(s *Server, nc net.Conn, id int) *conn {
	ctx, cancel := context.WithCancel(context.Background())
	return &conn{
		server: s, nc: nc, accepted: time.Now(), ctx: ctx, cancel: cancel,
		log:     s.cfg.Log.With("client", id, "remote", nc.RemoteAddr().String()),
		entered: make(chan struct{}),
		wish:    wish{rules: match.Classic()},
	}
}

// run serves the client to its end.
func (c *conn) run() {
	c.log.Debug("relay client connected")
	var writer sync.WaitGroup
	writer.Go(c.write)
	c.read()
	c.cancel()
	c.abandon()
	writer.Wait()
	c.linger()
	c.nc.Close()
	c.log.Debug("relay client gone")
}

// abandon takes back what the client wanted, or gives up what it got, once it
// is gone.
func (c *conn) abandon() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.in { // from now on, nobody lets it in any more
		c.in = true
		close(c.entered)
	}
	if c.ticket != nil && !c.ticket.Cancel() && c.seated == nil {
		select {
		case c.seated = <-c.ticket.Seated():
		default: // the writer has it
		}
	}
	if c.seated != nil {
		c.seated.Seat.Forfeit(match.Hangup)
	}
}

// leave makes the connection end by itself, as soon as what was written has
// arrived.
func (c *conn) leave() { c.cancel() }

// enter lets the client into the lobby; it gets its role, or a bot to play.
// Entering twice is entering once.
func (c *conn) enter() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.in {
		return
	}
	c.in = true
	defer close(c.entered)
	if c.ctx.Err() != nil {
		return
	}
	player := lobby.Player{Name: c.wish.name, Kind: lobby.Program}
	var err error
	if c.wish.bot != "" {
		c.seated, err = c.server.cfg.Lobby.ChallengeBot(player, c.wish.bot, c.wish.rules)
	} else {
		c.ticket, err = c.server.cfg.Lobby.PlayNow(player, c.wish.rules)
	}
	if err != nil {
		c.log.Info("relay client cannot play", "error", err)
		c.cancel()
	}
}

// read handles the client's lines until the connection or the match ends.
func (c *conn) read() {
	lines := lineReader{r: c.nc}
	for {
		line, err := lines.next()
		if c.isOver() {
			return
		}
		if err == nil && line[0] == '%' {
			c.direct(parseDirective(line))
			continue
		}
		var m Message
		if err == nil {
			m, err = Parse(line)
		}
		if err == nil {
			err = c.play(m)
		}
		if err != nil {
			c.lose(err, line)
			return
		}
	}
}

// ErrOutOfTurn is what is wrong with a message that cannot come now.
var errOutOfTurn = errors.New("a message out of turn")

// play hands a message to the seat. Whether it is legal in the match is for
// the referee to say.
func (c *conn) play(m Message) error {
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

// lose ends the client's part because of what it sent, or because it is gone.
func (c *conn) lose(err error, line []byte) {
	reason := breach(err)
	if errors.Is(err, errOutOfTurn) {
		reason = match.OutOfTurn
	}
	c.mu.Lock()
	seat, talks := c.seat, c.talks
	c.mu.Unlock()
	if reason == match.Hangup {
		c.log.Debug("relay client hung up", "error", err)
	} else {
		c.log.Warn("relay client broke the protocol", "reason", reason.String(), "line", fmt.Sprintf("%.40q", line))
		if talks {
			c.say("%% error %s %v", reason, err)
		}
	}
	if seat != nil {
		seat.Forfeit(reason)
		<-seat.Match().Done() // so that the writer gets to tell how it ended
	}
}

func (c *conn) isOver() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

const (
	lingerTime  = 2 * time.Second // for a client to read the last line and close
	lingerBytes = 64 << 10        // of input that is thrown away meanwhile
)

// linger throws away what the client still sends, until it closes its end or
// the deadline that finish has set is there: closing with unread input would
// destroy the last line on its way.
func (c *conn) linger() { io.CopyN(io.Discard, c.nc, lingerBytes) }

// write leads the client through its match: role, start, and what the other
// side does.
func (c *conn) write() {
	defer c.finish()
	select {
	case <-c.entered:
	case <-c.ctx.Done():
		return
	}
	seating := c.sitDown()
	if seating == nil {
		return
	}
	seat := seating.Seat
	box := seat.Attach()
	u, err := box.Recv(c.ctx) // what happened before the client came does not concern it
	if err != nil {
		return
	}
	c.mu.Lock()
	c.seat = seat
	talks, uniform := c.talks, c.wish.uniform
	c.mu.Unlock()
	if talks {
		c.say("%% opponent %s", seating.Opponent.Name)
	}
	if u.View.Phase == match.Over {
		c.result(seat, &u.View)
		return
	}
	if uniform {
		seat.Place(u.View.Rules.RandomLayout(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))))
	} else {
		seat.Keep()
	}
	c.relay(seat, box)
}

// sitDown tells the client its role and waits for its opponent; nil if there
// will be none.
func (c *conn) sitDown() *lobby.Seating {
	c.mu.Lock()
	ticket, seating := c.ticket, c.seated
	c.mu.Unlock()
	switch {
	case seating != nil:
		c.send(role(seating.Seat.Side()))
		return seating
	case ticket == nil:
		return nil
	}
	c.send(role(ticket.Side()))
	select {
	case seating = <-ticket.Seated():
	case <-c.ctx.Done():
	}
	c.mu.Lock()
	c.seated = seating
	c.mu.Unlock()
	return seating
}

func role(side match.Side) Message {
	if side == match.First {
		return Message{Op: Defend}
	}
	return Message{Op: Assault}
}

// relay passes on what the other side does until the match ends.
func (c *conn) relay(seat *live.Seat, box *live.Mailbox) {
	other := seat.Side().Other()
	buf := make([]byte, 0, 64)
	for {
		u, err := box.Recv(c.ctx)
		if err != nil {
			return
		}
		if u.Missed { // only a client that does not read can be so far behind
			seat.Forfeit(match.Unread)
		}
		buf = buf[:0]
		for _, e := range u.Events {
			switch {
			case e.Kind == match.BattleBegun:
				buf = Message{Op: Start}.Append(buf)
			case e.Kind == match.ShotFired && e.Side == other:
				buf = Message{Op: Attack, Cell: e.Cell}.Append(buf)
			case e.Kind == match.ShotAnswered && e.Side == other:
				buf = Message{Op: Result, Cell: e.Cell, Result: e.Result}.Append(buf)
			}
		}
		if len(buf) > 0 {
			if err := c.put(buf); err != nil {
				c.log.Warn("relay client does not read", "error", err)
				seat.Forfeit(match.Unread)
			}
		}
		if u.View.Phase == match.Over {
			c.result(seat, &u.View)
			return
		}
	}
}

// result tells a client that understands it how the match ended.
func (c *conn) result(seat *live.Seat, v *match.View) {
	c.mu.Lock()
	talks := c.talks
	c.mu.Unlock()
	if !talks {
		return
	}
	outcome := "lost"
	if v.Winner == seat.Side() {
		outcome = "won"
	} else if v.Winner == match.Nobody {
		outcome = "void"
	}
	c.say("%% result %s %v shots=%d", outcome, v.Reason, v.Charts[seat.Side()].Fired)
}

// finish ends the connection so that what was written arrives: it closes the
// writing end and leaves the rest to the reader.
func (c *conn) finish() {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	if half, ok := c.nc.(interface{ CloseWrite() error }); ok {
		half.CloseWrite()
	}
	c.nc.SetReadDeadline(time.Now().Add(lingerTime))
}

// send and say write a message and a directive. A client that cannot be
// written to is gone; the reader will notice.
func (c *conn) send(m Message) {
	if err := c.put(m.Append(nil)); err != nil {
		c.nc.Close()
	}
}

func (c *conn) say(format string, args ...any) {
	line := strings.Map(printable, fmt.Sprintf(format, args...))
	if err := c.put(append([]byte(line), '\n')); err != nil {
		c.nc.Close()
	}
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return -1
	}
	return r
}

// put writes, for the write timeout at most. A client that does not read is
// cut off by it once the system's buffers are full.
func (c *conn) put(b []byte) error {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	// Setting a deadline costs about as much as half a write; one that is
	// still far enough away will do.
	if now := time.Now(); c.due.Sub(now) < c.server.cfg.WriteTimeout/2 {
		c.due = now.Add(c.server.cfg.WriteTimeout)
		if err := c.nc.SetWriteDeadline(c.due); err != nil {
			return fmt.Errorf("setting a deadline: %w", err)
		}
	}
	if _, err := c.nc.Write(b); err != nil {
		return fmt.Errorf("writing to a client: %w", err)
	}
	return nil
}
