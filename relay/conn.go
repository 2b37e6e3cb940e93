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

// conn is the connection of one client. The goroutine of run owns it: it plays a series of games and
// handles the client's lines, which another goroutine reads. Other goroutines may only call leave,
// identity and info, and read playing.
type conn struct {
	server    *Server
	id        int
	transport transport
	accepted  time.Time
	// ctx ends when the client is gone or must leave. leave ends the connection once everything written
	// has arrived.
	ctx   context.Context
	leave context.CancelFunc
	// session is set by openSession.
	session *session.Session
	lines   chan line
	// stopped is closed when no more lines are handled.
	stopped chan struct{}

	helloTime time.Duration
	// isQuiet means that the client enters without the hello delay, because its address is quiet.
	isQuiet bool
	// turn is closed once the client that connected before has entered the lobby, and letNextEnter
	// lets the next one enter. A stream client has no turn.
	turn         <-chan struct{}
	letNextEnter func()
	player       atomic.Pointer[account.Player]
	playing      atomic.Bool

	request request
	// acceptsDirectives means that directives may change the request.
	acceptsDirectives bool
	// usesDirectives means that the client has sent a directive, so it understands them.
	usesDirectives bool
	hasSentLine    bool
	// sentReady means that the client has sent ready since its last game.
	sentReady   bool
	wrongTokens int
	// failedLookups are the directives about the client's identity whose lookup failed.
	failedLookups map[string]bool

	// game is nil between games.
	game *session.Match
	// betweenGames means that a game has ended and the next has not started.
	betweenGames bool
	// sentRole is zero if the client does not know its role.
	sentRole client.Message
	sent     sentMessages
	tally    tally
	fault    *fault
	// refusal is why the client cannot continue, or nil.
	refusal        error
	tournamentOver bool
	warnedCasual   bool
}

func newConn(s *Server, t transport) *conn {
	ctx, cancel := context.WithCancel(context.Background())
	c := &conn{
		server: s, transport: t, accepted: time.Now(), ctx: ctx, leave: cancel, lines: make(chan line), stopped: make(chan struct{}),
		helloTime: max(0, s.cfg.HelloDelay), letNextEnter: func() {}, request: request{rules: match.Classic()},
		acceptsDirectives: true, failedLookups: map[string]bool{},
	}
	c.setIdentity(account.Player{Kind: account.Program})
	return c
}

// openSession opens the client's session. It must be called before run. connID identifies the
// connection for operators.
func (c *conn) openSession(connID string) (err error) {
	player := c.identity()
	c.session, err = c.server.cfg.Host.Open(c.ctx, session.Client{Addr: c.address(), Conn: connID, Program: &player})
	return err
}

// run plays the client's series, and then closes its session and connection.
func (c *conn) run() {
	var reader sync.WaitGroup
	reader.Go(c.readLines)
	err := c.playSeries()
	// Close the session before the last line is written, so that the opponent does not wait for that.
	c.session.Close()
	c.endSeries(err)
	close(c.stopped)
	c.transport.closeWrite()
	reader.Wait()
	c.transport.awaitClose()
	c.transport.Close()
}

// line is a client's line, or the error that ended its lines.
type line struct {
	text []byte
	err  error
	// hasMore means that another line has arrived with it.
	hasMore bool
}

// directiveRate is how many directives a client may send per second, after a burst of directiveBurst. Further
// ones wait, because each is answered and some need the database.
const directiveRate, directiveBurst = 20, 100

// readLines reads the client's lines until the connection or the last game ends.
func (c *conn) readLines() {
	lines := client.NewLines(c.transport)
	limiter := rate.NewLimiter(directiveRate, directiveBurst)
	for {
		text, err := lines.Next()
		if err == nil {
			c.server.linesReceived.Add(1)
			if text[0] == '%' && limiter.Wait(c.ctx) != nil {
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

// nextUpdate waits for the session's next update, and handles the client's lines meanwhile. It returns
// the error of the session or of ctx, or errLeftLobby.
func (c *conn) nextUpdate(ctx context.Context) (session.Update, error) {
	for {
		// Read the error before the updates, because a client that must leave still gets what has happened
		// before.
		ended := ctx.Err()
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
			if c.acceptsDirectives {
				return session.Update{}, errLeftLobby
			}
		case <-ctx.Done():
		}
	}
}

// handleLinesFor handles the client's lines for d, or until isDone returns true. It returns false if
// the client leaves.
func (c *conn) handleLinesFor(d time.Duration, isDone func() bool) bool {
	for timer := time.After(d); !isDone(); {
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

// handleLine carries out a line, unless the connection ends. It reports whether the line lets the
// client into the lobby.
func (c *conn) handleLine(l line) (enters bool) {
	switch {
	case c.ctx.Err() != nil:
		return false
	case l.err != nil:
		c.disconnect(newFault(l.err, nil))
		return false
	}
	c.hasSentLine = true
	if l.text[0] == '%' {
		return c.handleDirective(client.ParseDirective(l.text))
	}
	if err := c.handleMessage(l.text); err != nil {
		c.disconnect(newFault(err, l.text))
	}
	return false
}

// errOutOfTurn is the fault of a message that is not allowed now.
var errOutOfTurn = fmt.Errorf("%w: attack after the result of the other side's attack, answer only its attacks", client.ErrOutOfTurn)

// handleMessage passes a protocol message to the referee, who checks whether it is legal.
func (c *conn) handleMessage(text []byte) error {
	m, err := client.Parse(text)
	switch {
	case err != nil:
		return err
	case c.betweenGames:
		// The client may have sent it before it knew that the last game had ended.
		c.sendLine("%% error ignored %v came between two games and counts for neither", m)
		return nil
	case c.game != nil && m.Op == client.Attack:
		return c.session.Fire(match.First, 0, m.Cell)
	case c.game != nil && m.Op == client.Result:
		return c.session.AnswerShot(m.Cell, m.Result)
	}
	return errOutOfTurn
}

// placeFleet places the fleet that the server holds for the client, or leaves it to the client.
func (c *conn) placeFleet(rules match.Rules) error {
	switch {
	case c.request.isUniform:
		return c.session.Place(match.First, rules.RandomLayout(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))))
	case c.request.layout != nil:
		return c.session.Place(match.First, c.request.layout)
	// The client may have started this correspondence match on an earlier connection.
	case c.session.State().RatingMode.IsRated():
		return errors.New("this match is rated: send layout, as when you offered or accepted it")
	}
	return c.session.KeepFleet()
}

// setGame sets the current game. After a game, m is nil.
func (c *conn) setGame(m *session.Match) {
	c.game, c.betweenGames = m, m == nil
	// A shutdown need not wait for a correspondence match.
	c.playing.Store(m != nil && m.Pace == 0)
}

// disconnect ends the connection because of a fault, which it records unless there was one before.
// The client forfeits its game, unless it can return after a lost connection.
func (c *conn) disconnect(f fault) {
	if c.fault == nil {
		c.fault = &f
	}
	if c.game != nil && !(c.fault.reason == match.Hangup && c.canReturn()) {
		c.session.Forfeit(c.fault.reason)
	}
	c.leave()
}

// disconnectNow is like disconnect for a client that cannot be written to.
func (c *conn) disconnectNow(reason match.Reason, err error) {
	c.transport.Close()
	c.disconnect(fault{reason: reason, err: err})
}

// write sends lines within the write timeout. A client that does not read is disconnected.
func (c *conn) write(b []byte) {
	c.server.linesSent.Add(uint64(bytes.Count(b, []byte{'\n'})))
	_, err := c.transport.Write(b)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.disconnectNow(match.Unread, fmt.Errorf("the client does not read: %w", err))
	case err != nil:
		c.disconnectNow(match.Hangup, err)
	}
}

func (c *conn) sendMessage(m client.Message) { c.write(m.Append(nil)) }

// sendLine sends a formatted line to a client that understands directives.
func (c *conn) sendLine(format string, args ...any) {
	c.write([]byte(stripUnprintable(fmt.Sprintf(format, args...)) + "\n"))
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

// isTCP reports whether the client connected over TCP, and not through [Server.ServeStream].
func (c *conn) isTCP() bool {
	_, is := c.transport.(*tcpTransport)
	return is
}

// address returns the client's address, or zero if it is not an IP address.
func (c *conn) address() netip.Addr { return c.transport.address() }

// identity returns the client's player. It has no account unless the client has sent a token.
func (c *conn) identity() account.Player     { return *c.player.Load() }
func (c *conn) setIdentity(p account.Player) { c.player.Store(&p) }

func (c *conn) clientInfo() ClientInfo {
	return ClientInfo{ID: c.id, Addr: c.address(), Player: c.identity()}
}
