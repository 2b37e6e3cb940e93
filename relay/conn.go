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

	"broadside/internal/session"
	"broadside/match"
)

// conn is the connection of one client. Its reader turns lines into actions of its
// session. Its writer plays the matches of the session, one after another in a
// series, and turns the updates into lines. It starts when the client is let in.
// Both end with the last match, or when the client is gone.
type conn struct {
	server   *Server
	id       int // its number
	wire     wire
	log      *slog.Logger
	accepted time.Time
	ctx      context.Context // ends when the client is gone or to go
	cancel   context.CancelFunc
	session  session.Session // set by open

	entered chan struct{}  // closed once it is settled that the client is let in or not
	writer  sync.WaitGroup // the writer, which runs from then on
	tally   tally          // the writer's
	refused error          // the writer's: why it cannot play on
	warned  bool           // the writer's: it has been told that its matches are casual

	// acting is held while an action of the game is carried out, and while that game
	// ends, so that no action counts for the next one. It comes before mu.
	acting sync.Mutex

	mu      sync.Mutex      // never held while waiting
	wish    wish            // guarded by mu, written by the reader until the client is in, then by who lets it in
	in      bool            // guarded by mu: entered is closed, or will be soon
	unmet   need            // guarded by mu: what was refused, or is being looked up; it keeps the client out
	unknown map[string]bool // guarded by mu: directives of which it could not be looked up who the client is; it is not let in as somebody else
	due     bool            // guarded by mu: the client is let in once nothing is unmet
	talks   bool            // guarded by mu: has sent a directive, so may be sent some
	playing *session.Match  // guarded by mu: nil: no game is being played
	between bool            // guarded by mu: no game now, but there was one and may be again
	readied chan struct{}   // guarded by mu: capacity 1: the client has said that it is ready; nil: it has sent no directive
	fault   *fault          // guarded by mu: the first thing it did wrong
	over    bool            // guarded by mu: what it sends is ignored

	commitment string // guarded by mu: to the fleet of the next game; or empty
	awaited    bool   // guarded by mu: that game waits for its commitment

	wmu sync.Mutex // held while writing
}

func newConn(s *Server, w wire) *conn {
	ctx, cancel := context.WithCancel(context.Background())
	return &conn{
		server: s, wire: w, log: s.cfg.Log, accepted: time.Now(), ctx: ctx, cancel: cancel,
		entered: make(chan struct{}),
		wish:    wish{rules: match.Classic(), games: 1, player: session.Player{Kind: session.Program}},
	}
}

// open opens the client's session, before anything else is done with the
// connection. The caller closes the session. The number is that of the
// connection, for operators.
func (c *conn) open(number string) (err error) {
	player := c.wish.player
	c.session, err = c.server.cfg.Host.Open(c.ctx, session.Client{Addr: c.address(), Conn: number, Program: &player})
	return err
}

// address is where the client is; zero if that is no IP address.
func (c *conn) address() netip.Addr {
	_, a := c.wire.where()
	return a
}

// run serves the client to its end.
func (c *conn) run() {
	c.read()
	c.leave()
	<-c.entered
	c.writer.Wait()
	c.session.Close()
	c.wire.linger()
	c.wire.Close()
}

// leave makes the connection end by itself, as soon as what was written has
// arrived. A client that has not entered stays out. It does not wait.
func (c *conn) leave() {
	c.cancel()
	c.mu.Lock()
	in := c.in
	c.in = true
	c.mu.Unlock()
	if !in {
		c.start(place{})
	}
}

// start starts the writer, once it is settled whether the client is let in.
func (c *conn) start(first place) {
	c.writer.Go(func() { c.write(first) })
	close(c.entered)
}

// hasReadied returns what yields when the client has said that it is ready.
func (c *conn) hasReadied() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.readied
}

// enter lets the client into the lobby: it starts to wait for an opponent, or
// to play against a bot. Entering twice is entering once. A client whose rules
// or opponent were refused stays out until it has corrected them: what it would
// play is not what it meant. The session may take its time, so nothing is locked
// meanwhile.
func (c *conn) enter() {
	c.mu.Lock()
	in, out, unknown := c.in, c.unmet != 0, len(c.unknown) > 0
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
	if c.ctx.Err() != nil {
		c.start(place{})
		return
	}
	if unknown {
		c.start(place{err: session.ErrStore})
		return
	}
	if p != c.session.Player() { // directives have said who it is
		if err := c.session.Do(c.ctx, session.Introduce{Player: p}); err != nil {
			c.start(place{err: err})
			return
		}
	}
	first := c.seek()
	c.mu.Lock()
	c.wish.player = c.session.Player() // with its ID and final name
	c.mu.Unlock()
	c.start(first)
}

// How many directives a client may send a second, and at once. More wait: each
// of them has an answer, and some ask the disk.
const directiveRate, directiveBurst = 20, 100

// read handles the client's lines until the connection or the last match ends.
func (c *conn) read() {
	lines := lineReader{r: c.wire}
	var pace *rate.Limiter
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
			if pace == nil { // most clients send none
				pace = rate.NewLimiter(directiveRate, directiveBurst)
			}
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

// play hands a message to the session. Whether it is legal in the match is for
// the referee to say.
func (c *conn) play(line []byte) error {
	m, err := Parse(line)
	if err != nil {
		return err
	}
	ignored, err := c.move(m)
	if ignored { // it may have been on its way when the last game was cut short
		c.say("%% error ignored %v came between two games and counts for neither", m)
	}
	return err
}

// move carries out a message. Between two games it is ignored.
func (c *conn) move(m Message) (ignored bool, err error) {
	c.acting.Lock()
	defer c.acting.Unlock()
	c.mu.Lock()
	playing, between := c.playing, c.between
	c.mu.Unlock()
	switch {
	case between:
		return true, nil
	case playing == nil:
		return false, errOutOfTurn
	case m.Op == Attack:
		return false, c.act(session.Fire{Cell: m.Cell})
	case m.Op == Result:
		return false, c.act(session.Answer{Cell: m.Cell, Result: m.Result})
	}
	return false, errOutOfTurn
}

// act carries out an action of the game that is being played, even if the client
// has gone meanwhile.
func (c *conn) act(a session.Action) error { return c.session.Do(c.server.ctx, a) }

// game returns the game that is being played, or nil.
func (c *conn) game() *session.Match {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.playing
}

func (c *conn) isOver() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

// write leads the client through its matches: role, start, and what the other
// side does.
func (c *conn) write(first place) {
	defer c.hangUp()
	c.warn()
	next := c.reached(first)
	for {
		m, err := c.sitDown(next)
		if m != nil {
			err = c.playAt(m)
		}
		if m == nil || err != nil || c.tally.games == c.wish.games || c.ctx.Err() != nil {
			c.session.Close() // the opponent need not wait until the last line has been written
			c.part(err)
			return
		}
		next = c.reached(c.again(m))
	}
}

// playAt plays one match to its end. Its error says why the end is not known.
func (c *conn) playAt(m *session.Match) error {
	c.mu.Lock()
	c.playing, c.between = m, false
	c.mu.Unlock()
	c.warn()
	if c.isTalking() {
		c.announce(m)
	}
	if err := c.prepare(m.Rules); err != nil {
		return err
	}
	return c.relay(m)
}

// resign ends the match of a connection that is at its end.
func (c *conn) resign() {
	var a session.Action = session.Forfeit{Reason: match.Hangup}
	if c.server.isDown() {
		a = session.Abort{}
	}
	c.act(a) // fails if the match has ended
}

// relay passes on what the other side does until the match ends. The match ends
// whenever the connection does, and the writer lives as long as the match.
func (c *conn) relay(m *session.Match) error {
	t := told{side: m.Side}
	buf := make([]byte, 0, 64)
	ctx := c.ctx
	for {
		news, err := c.session.Next(ctx)
		if err != nil && ctx == c.ctx {
			c.resign()
			ctx = c.server.ctx
			continue
		}
		if err == nil && news.Kind == session.MatchLost {
			err = news.Err
		}
		if err != nil {
			return err
		}
		if news.Kind != session.MatchChanged {
			continue
		}
		u := news.Match
		buf = buf[:0]
		if u.Missed {
			var ok bool
			if buf, ok = t.appendMissed(buf, &u.View); !ok { // only a client that does not read can be so far behind
				c.cut(match.Unread, errBehind)
			}
		} else {
			for i := range u.Events {
				buf = t.appendEvent(buf, &u.Events[i])
			}
		}
		if c.isTalking() {
			buf = t.appendReveal(buf, u)
		}
		if u.View.Phase == match.Over {
			c.score(m, &u.View, buf)
			return nil
		}
		if len(buf) > 0 {
			c.put(buf)
		}
	}
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
