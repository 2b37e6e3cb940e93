package relay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/relay/client"
)

// conn is the connection of one client. The goroutine of run owns it: it plays a series of games, and
// carries out the client's lines, which another goroutine reads. Other goroutines may only call leave and
// client, and read playing.
type conn struct {
	server   *Server
	id       int // its number
	wire     wire
	accepted time.Time
	ctx      context.Context    // ends when the client is gone or must leave
	leave    context.CancelFunc // ends the connection once everything written has arrived
	session  *session.Session   // set by open
	lines    chan line
	over     chan struct{} // closed when no more lines are carried out

	hello   time.Duration                  // the time for directives before the client enters the lobby
	early   bool                           // the client's address is quiet, so it enters without the hello delay
	before  <-chan struct{}                // closed once the client that connected before has entered the lobby; or nil
	passed  func()                         // lets the client that connected after enter the lobby
	player  atomic.Pointer[account.Player] // the client; without an account unless it has sent a token
	playing atomic.Bool                    // it has a game

	request   request
	greeting  bool            // directives may change the request
	directing bool            // the client has sent a directive, so it understands them
	spoken    bool            // the client has sent a line
	readied   bool            // it has sent ready since its last game
	mistaken  int             // number of wrong tokens
	unknown   map[string]bool // directives about the client's identity whose lookup failed

	game     *session.Match // the current game, or nil
	between  bool           // a game has ended and the next has not begun
	sentRole client.Message // the role that the client knows for this game
	sent     sentState      // what it has been sent about this game
	tally    tally
	fault    *fault // the first one, or nil
	refused  error  // why the client cannot continue
	cupOver  bool
	warned   bool // the client has been warned that its matches are casual
}

func newConn(s *Server, w wire) *conn {
	ctx, cancel := context.WithCancel(context.Background())
	c := &conn{
		server: s, wire: w, accepted: time.Now(), ctx: ctx, leave: cancel, lines: make(chan line), over: make(chan struct{}),
		hello: max(0, s.cfg.HelloDelay), passed: func() {}, request: request{rules: match.Classic()}, greeting: true,
		unknown: map[string]bool{},
	}
	c.identify(account.Player{Kind: account.Program})
	return c
}

// open opens the client's session. It must be called before run. Number identifies the connection for
// operators.
func (c *conn) open(number string) (err error) {
	player := c.identity()
	c.session, err = c.server.cfg.Host.Open(c.ctx, session.Client{Addr: c.address(), Conn: number, Program: &player})
	return err
}

// run serves the client until its connection ends, and closes its session.
func (c *conn) run() {
	var reader sync.WaitGroup
	reader.Go(c.read)
	err := c.play()
	c.session.Close() // frees the opponent without waiting for the last line to be written
	c.part(err)
	close(c.over)
	c.wire.hangUp()
	reader.Wait()
	c.wire.linger()
	c.wire.Close()
}

// line is a line of the client, or the error that ended its lines.
type line struct {
	text []byte
	err  error
	more bool // another line has arrived with it
}

// directiveRate and directiveBurst limit a client's directives per second, and at once.
// Further ones wait, because each is answered and some need the database.
const directiveRate, directiveBurst = 20, 100

// read reads the client's lines until the connection or the last game ends.
func (c *conn) read() {
	lines := client.NewLines(c.wire)
	pace := rate.NewLimiter(directiveRate, directiveBurst)
	for {
		text, err := lines.Next()
		if err == nil {
			c.server.heard.Add(1)
			if text[0] == '%' && pace.Wait(c.ctx) != nil {
				return
			}
		}
		select {
		case c.lines <- line{bytes.Clone(text), err, err == nil && lines.Buffered()}:
		case <-c.over:
			return
		}
		if err != nil {
			return
		}
	}
}

// next waits for the session's next update, and carries out the client's lines meanwhile. It returns the
// error of the session or of ctx, or errRecalled.
func (c *conn) next(ctx context.Context) (session.Update, error) {
	for {
		ended := ctx.Err() // read first: a client that must leave still gets what has happened before
		if u, err := c.session.Poll(); u.Kind != 0 || err != nil {
			return u, err
		}
		if ended != nil {
			return session.Update{}, ended
		}
		select {
		case <-c.session.Changed():
		case l := <-c.lines:
			c.handle(l)
			if c.greeting {
				return session.Update{}, errRecalled
			}
		case <-ctx.Done():
		}
	}
}

// sleep waits for d or until awake returns true, and carries out the client's lines meanwhile. It returns
// false if the client leaves.
func (c *conn) sleep(d time.Duration, awake func() bool) bool {
	for timer := time.After(d); !awake(); {
		select {
		case <-timer:
			return true
		case l := <-c.lines:
			c.handle(l)
		case <-c.ctx.Done():
			return false
		}
	}
	return true
}

// handle carries out a line, unless the connection ends. It reports whether it lets the client into the
// lobby.
func (c *conn) handle(l line) (enters bool) {
	if c.ctx.Err() != nil {
		return false
	}
	err := l.err
	if err == nil {
		c.spoken = true
		if l.text[0] == '%' {
			return c.answer(client.ParseDirective(l.text))
		}
		err = c.move(l.text)
	}
	if err != nil {
		c.lose(fault{reason: client.BreachReason(err), err: err, line: quote(l.text)})
	}
	return false
}

// errOutOfTurn is the fault of a message that is not allowed now.
var errOutOfTurn = fmt.Errorf("%w: attack after the result of the other side's attack, answer only its attacks", client.ErrOutOfTurn)

// move carries out a protocol message; the referee checks whether it is legal.
func (c *conn) move(text []byte) error {
	m, err := client.Parse(text)
	switch {
	case err != nil:
		return err
	case c.between: // the client may have sent it before it knew that the last game had ended
		c.sendLine("%% error ignored %v came between two games and counts for neither", m)
		return nil
	case c.game != nil && m.Op == client.Attack:
		return c.session.Fire(match.First, 0, m.Cell)
	case c.game != nil && m.Op == client.Result:
		return c.session.Answer(m.Cell, m.Result)
	}
	return errOutOfTurn
}

// prepare places the client's fleet, or leaves it to the client.
func (c *conn) prepare(rules match.Rules) error {
	switch {
	case c.request.uniform:
		return c.session.Place(match.First, rules.RandomLayout(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))))
	case c.request.layout != nil:
		return c.session.Place(match.First, c.request.layout)
	}
	return c.session.KeepFleet()
}

// setGame sets the current game, or nil after a game.
func (c *conn) setGame(m *session.Match) {
	c.game, c.between = m, m == nil
	c.playing.Store(m != nil)
}

// lose records a fault, unless there was one before, and ends the connection. The client forfeits its game
// unless it can return after a lost connection.
func (c *conn) lose(f fault) {
	if c.fault == nil {
		c.fault = &f
	}
	if c.game != nil && !(c.fault.reason == match.Hangup && c.mayReturn()) {
		c.session.Forfeit(c.fault.reason) // fails if the match has ended
	}
	c.leave()
}

// write sends lines within the write timeout. A client that does not read is disconnected.
func (c *conn) write(b []byte) {
	c.server.said.Add(uint64(bytes.Count(b, []byte{'\n'})))
	_, err := c.wire.Write(b)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.cut(match.Unread, fmt.Errorf("it does not read: %w", err))
	case err != nil:
		c.cut(match.Hangup, err)
	}
}

// send sends a message.
func (c *conn) send(m client.Message) { c.write(m.Append(nil)) }

// sendLine sends a formatted line to a client that understands directives.
func (c *conn) sendLine(format string, args ...any) {
	c.write([]byte(printable(fmt.Sprintf(format, args...)) + "\n"))
}

// cut closes a connection that cannot be written to.
func (c *conn) cut(why match.Reason, err error) {
	c.wire.Close()
	c.lose(fault{reason: why, err: err})
}

// printable removes everything except printable ASCII.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
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

func (c *conn) identity() account.Player  { return *c.player.Load() }
func (c *conn) identify(p account.Player) { c.player.Store(&p) }

// client returns a description of the connection.
func (c *conn) client() Client {
	return Client{Conn: c.id, Addr: c.address(), Player: c.identity()}
}
