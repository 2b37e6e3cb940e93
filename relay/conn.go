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
	server    *Server
	id        int // its number
	transport transport
	accepted  time.Time
	ctx       context.Context    // ends when the client is gone or must leave
	leave     context.CancelFunc // ends the connection once everything written has arrived
	session   *session.Session   // set by open
	lines     chan line
	stopped   chan struct{} // closed when no more lines are carried out

	helloTime    time.Duration                  // the time for directives before the client enters the lobby
	isQuiet      bool                           // the client's address is quiet, so it enters without the hello delay
	turn         <-chan struct{}                // closed once the client that connected before has entered the lobby; or nil
	letNextEnter func()                         // lets the client that connected after enter the lobby
	player       atomic.Pointer[account.Player] // the client; without an account unless it has sent a token
	playing      atomic.Bool                    // it has a game

	request        request
	greeting       bool            // directives may change the request
	usesDirectives bool            // the client has sent a directive, so it understands them
	hasSentLine    bool            // the client has sent a line
	isReady        bool            // it has sent ready since its last game
	wrongTokens    int             // number of wrong tokens
	failedLookups  map[string]bool // directives about the client's identity whose lookup failed

	game           *session.Match // the current game, or nil
	betweenGames   bool           // a game has ended and the next has not begun
	sentRole       client.Message // the role that the client knows for this game
	sent           sentMessages   // what it has been sent about this game
	tally          tally
	fault          *fault // the first one, or nil
	refusal        error  // why the client cannot continue
	tournamentOver bool
	warnedCasual   bool // the client has been warned that its matches are casual
}

func newConn(s *Server, w transport) *conn {
	ctx, cancel := context.WithCancel(context.Background())
	c := &conn{
		server: s, transport: w, accepted: time.Now(), ctx: ctx, leave: cancel, lines: make(chan line), stopped: make(chan struct{}),
		helloTime: max(0, s.cfg.HelloDelay), letNextEnter: func() {}, request: request{rules: match.Classic()}, greeting: true,
		failedLookups: map[string]bool{},
	}
	c.setIdentity(account.Player{Kind: account.Program})
	return c
}

// openSession opens the client's session. It must be called before run. Number identifies the connection for
// operators.
func (c *conn) openSession(number string) (err error) {
	player := c.identity()
	c.session, err = c.server.cfg.Host.Open(c.ctx, session.Client{Addr: c.address(), Conn: number, Program: &player})
	return err
}

// run serves the client until its connection ends, and closes its session.
func (c *conn) run() {
	var reader sync.WaitGroup
	reader.Go(c.readLines)
	err := c.playSeries()
	c.session.Close() // frees the opponent without waiting for the last line to be written
	c.endSeries(err)
	close(c.stopped)
	c.transport.closeWrite()
	reader.Wait()
	c.transport.awaitClose()
	c.transport.Close()
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

// readLines reads the client's lines until the connection or the last game ends.
func (c *conn) readLines() {
	lines := client.NewLines(c.transport)
	pace := rate.NewLimiter(directiveRate, directiveBurst)
	for {
		text, err := lines.Next()
		if err == nil {
			c.server.linesReceived.Add(1)
			if text[0] == '%' && pace.Wait(c.ctx) != nil {
				return
			}
		}
		select {
		case c.lines <- line{bytes.Clone(text), err, err == nil && lines.HasLine()}:
		case <-c.stopped:
			return
		}
		if err != nil {
			return
		}
	}
}

// nextUpdate waits for the session's next update, and carries out the client's lines meanwhile. It returns the
// error of the session or of ctx, or errRecalled.
func (c *conn) nextUpdate(ctx context.Context) (session.Update, error) {
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
			c.handleLine(l)
			if c.greeting {
				return session.Update{}, errLeftLobby
			}
		case <-ctx.Done():
		}
	}
}

// handleLinesFor waits for d or until awake returns true, and carries out the client's lines meanwhile. It returns
// false if the client leaves.
func (c *conn) handleLinesFor(d time.Duration, awake func() bool) bool {
	for timer := time.After(d); !awake(); {
		select {
		case <-timer:
			return true
		case l := <-c.lines:
			c.handleLine(l)
		case <-c.ctx.Done():
			return false
		}
	}
	return true
}

// handleLine carries out a line, unless the connection ends. It reports whether it lets the client into the
// lobby.
func (c *conn) handleLine(l line) (enters bool) {
	if c.ctx.Err() != nil {
		return false
	}
	err := l.err
	if err == nil {
		c.hasSentLine = true
		if l.text[0] == '%' {
			return c.handleDirective(client.ParseDirective(l.text))
		}
		err = c.handleMessage(l.text)
	}
	if err != nil {
		c.disconnect(fault{reason: client.BreachReason(err), err: err, line: quoteLine(l.text)})
	}
	return false
}

// errOutOfTurn is the fault of a message that is not allowed now.
var errOutOfTurn = fmt.Errorf("%w: attack after the result of the other side's attack, answer only its attacks", client.ErrOutOfTurn)

// handleMessage carries out a protocol message; the referee checks whether it is legal.
func (c *conn) handleMessage(text []byte) error {
	m, err := client.Parse(text)
	switch {
	case err != nil:
		return err
	case c.betweenGames: // the client may have sent it before it knew that the last game had ended
		c.sendLine("%% error ignored %v came between two games and counts for neither", m)
		return nil
	case c.game != nil && m.Op == client.Attack:
		return c.session.Fire(match.First, 0, m.Cell)
	case c.game != nil && m.Op == client.Result:
		return c.session.AnswerShot(m.Cell, m.Result)
	}
	return errOutOfTurn
}

// placeFleet places the client's fleet, or leaves it to the client.
func (c *conn) placeFleet(rules match.Rules) error {
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
	c.game, c.betweenGames = m, m == nil
	c.playing.Store(m != nil)
}

// disconnect records a fault, unless there was one before, and ends the connection. The client forfeits its game
// unless it can return after a lost connection.
func (c *conn) disconnect(f fault) {
	if c.fault == nil {
		c.fault = &f
	}
	if c.game != nil && !(c.fault.reason == match.Hangup && c.canReturn()) {
		c.session.Forfeit(c.fault.reason) // fails if the match has ended
	}
	c.leave()
}

// write sends lines within the write timeout. A client that does not read is disconnected.
func (c *conn) write(b []byte) {
	c.server.linesSent.Add(uint64(bytes.Count(b, []byte{'\n'})))
	_, err := c.transport.Write(b)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.disconnectNow(match.Unread, fmt.Errorf("it does not read: %w", err))
	case err != nil:
		c.disconnectNow(match.Hangup, err)
	}
}

// sendMessage sends a message.
func (c *conn) sendMessage(m client.Message) { c.write(m.Append(nil)) }

// sendLine sends a formatted line to a client that understands directives.
func (c *conn) sendLine(format string, args ...any) {
	c.write([]byte(stripUnprintable(fmt.Sprintf(format, args...)) + "\n"))
}

// disconnectNow closes a connection that cannot be written to.
func (c *conn) disconnectNow(why match.Reason, err error) {
	c.transport.Close()
	c.disconnect(fault{reason: why, err: err})
}

// stripUnprintable removes everything except printable ASCII.
func stripUnprintable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
}

// carried reports whether the client came through [Server.ServeStream].
func (c *conn) carried() bool {
	_, is := c.transport.(streamTransport)
	return is
}

// address returns the client's address; zero if it is not an IP address.
func (c *conn) address() netip.Addr {
	_, a := c.transport.origin()
	return a
}

func (c *conn) identity() account.Player     { return *c.player.Load() }
func (c *conn) setIdentity(p account.Player) { c.player.Store(&p) }

// info returns a description of the connection.
func (c *conn) info() ClientInfo {
	return ClientInfo{ID: c.id, Addr: c.address(), Player: c.identity()}
}
