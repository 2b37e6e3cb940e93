package relay

import (
	"context"
	"log/slog"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/relay/client"
)

// conn is the connection of one client, with two goroutines. The reader carries out the
// client's lines: directives, and moves of the current game. The writer plays a [series]
// of games and sends their events; it starts when the client enters the lobby. Both end
// after the last game or when the client is gone.
type conn struct {
	server     *Server
	id         int // its number
	wire       wire
	log        *slog.Logger
	accepted   time.Time
	early      bool            // the client enters without the hello delay; constant
	reentering bool            // the writer already runs; written before directives.begin
	ctx        context.Context // ends when the client is gone or must leave
	cancel     context.CancelFunc
	session    *session.Session // set by open
	faults     faults
	out        output
	directives directives
	seat       seat
	series     series

	entered chan struct{}  // closed once the client has entered the lobby or never will
	writer  sync.WaitGroup // the writer, which starts then
	over    atomic.Bool    // further input is ignored
	spoken  atomic.Bool    // the client has sent a line
}

func newConn(s *Server, w wire) *conn {
	ctx, cancel := context.WithCancel(context.Background())
	c := &conn{
		server: s, wire: w, log: s.cfg.Log, accepted: time.Now(), ctx: ctx, cancel: cancel,
		entered: make(chan struct{}),
	}
	c.out = output{wire: w, lines: &s.said, faults: &c.faults}
	c.seat = seat{ctx: s.ctx}
	c.directives = directives{
		ctx: ctx, admitOwner: s.cfg.AdmitOwner, leave: c.leave, out: &c.out, seat: &c.seat, in: true,
		request: request{rules: match.Classic(), player: account.Player{Kind: account.Program}},
	}
	c.series = series{
		conn: c, request: &c.directives.request, out: &c.out, directives: &c.directives, seat: &c.seat,
		recalls: make(chan struct{}), recalled: make(chan bool), found: make(chan struct{}), entries: make(chan place, 1),
	}
	return c
}

// open opens the client's session. It must be called before any other method. The caller
// closes the session. Number identifies the connection for operators.
func (c *conn) open(number string) (err error) {
	player := c.directives.request.player
	_, addr := c.wire.origin()
	c.session, err = c.server.cfg.Host.Open(c.ctx, session.Client{Addr: addr, Conn: number, Program: &player, Deliver: c.series.deliver})
	if err != nil {
		return err
	}
	c.seat.session, c.directives.session = c.session, c.session
	c.directives.begin()
	if c.ctx.Err() != nil { // leave may have been called before begin
		c.leave()
	}
	return nil
}

// run serves the client until its connection ends.
func (c *conn) run() {
	c.read()
	c.leave()
	<-c.entered
	c.writer.Wait()
	c.session.Close()
	c.wire.linger()
	c.wire.Close()
}

// leave ends the connection once everything written has arrived. It keeps a client that
// has not entered the lobby from doing so. It does not block. Without a session it only ends
// the context; open does the rest.
func (c *conn) leave() {
	c.cancel()
	if c.directives.finish() {
		c.start(place{})
	}
}

// start starts the writer and closes entered, or continues the writer after a recall. It must be
// called exactly once, and once more after each recall.
func (c *conn) start(first place) {
	if c.reentering {
		c.series.entries <- first
		return
	}
	c.writer.Go(func() { c.series.play(first) })
	close(c.entered)
}

// recall takes an early client out of the lobby, because it has sent a directive, until it enters again.
// It returns false if the client already has an opponent.
func (c *conn) recall() bool {
	select {
	case c.series.recalls <- struct{}{}:
		if !<-c.series.recalled {
			return false
		}
	case <-c.series.found:
		return false
	}
	c.reentering = true
	c.directives.begin()
	time.AfterFunc(max(0, c.server.cfg.HelloDelay), c.enter)
	return true
}

// enter lets the client into the lobby, where it waits for an opponent or plays a bot. A
// second call does nothing.
func (c *conn) enter() {
	switch e := c.directives.admit(); e {
	case entered:
		<-c.entered
	case enters, entersUnknown:
		c.start(c.firstPlace(e))
	}
}

// firstPlace finds the first match or offer of a client. It calls the session, so no lock
// may be held.
func (c *conn) firstPlace(e entry) place {
	switch {
	case c.ctx.Err() != nil:
		return place{}
	case e == entersUnknown:
		return place{err: account.ErrStore}
	}
	return c.series.seek()
}

// directiveRate and directiveBurst limit a client's directives per second, and at once.
// Further ones wait, because each is answered and some need the database.
const directiveRate, directiveBurst = 20, 100

// read handles the client's lines until the connection or the last game ends.
func (c *conn) read() {
	lines := client.NewLines(c.wire)
	var pace *rate.Limiter
	ready := false
	for {
		// Directives that arrive together are carried out together, so their order does
		// not matter.
		if ready && !lines.Buffered() {
			ready = false
			c.enter()
		}
		line, err := lines.Next()
		if err == nil {
			c.server.heard.Add(1)
			c.spoken.Store(true)
		}
		if c.over.Load() {
			return
		}
		if err == nil && line[0] == '%' {
			if pace == nil { // most clients send none
				pace = rate.NewLimiter(directiveRate, directiveBurst)
			}
			if pace.Wait(c.ctx) != nil {
				return
			}
			enters, ends := c.directives.answer(client.ParseDirective(line))
			if ends {
				return
			}
			ready = ready || enters
			continue
		}
		if err == nil {
			err = c.move(line)
		}
		if err != nil {
			c.lose(err, line)
			return
		}
	}
}

// move carries out a line that is a protocol message.
func (c *conn) move(line []byte) error {
	m, err := client.Parse(line)
	if err != nil {
		return err
	}
	ignored, err := c.seat.move(m)
	if ignored { // the client may have sent it before it knew that the last game had ended
		c.out.sendLine("%% error ignored %v came between two games and counts for neither", m)
	}
	return err
}

// lose forfeits the client's game because of an illegal line, or a lost connection if the client
// cannot return.
func (c *conn) lose(err error, line []byte) {
	f := c.faults.record(fault{reason: client.BreachReason(err), err: err, line: quote(line)})
	if f.reason == match.Hangup && c.mayReturn() {
		return
	}
	c.seat.inGame(func() error { return c.seat.session.Forfeit(f.reason) }) // does nothing without a game
}

// hangUp closes the write side so that everything written arrives. The reader closes the
// rest.
func (c *conn) hangUp() {
	c.over.Store(true)
	c.out.rest.Wait()
	c.wire.hangUp()
}

// carried reports whether the client came through [Server.Carry].
func (c *conn) carried() bool {
	_, is := c.wire.(carriedWire)
	return is
}

// address returns the client's address; zero if it is not an IP address.
func (c *conn) address() netip.Addr {
	_, a := c.wire.origin()
	return a
}

// client returns a description of the connection.
func (c *conn) client() Client {
	return Client{Conn: c.id, Addr: c.address(), Player: c.directives.client()}
}
