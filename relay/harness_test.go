package relay_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/bots"
	"broadside/internal/test/leaks"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/memnet"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/relay"
	"broadside/relay/client"
)

func TestMain(m *testing.M) {
	if kind := os.Getenv(childVar); kind != "" {
		runChild(kind)
		return
	}
	leaks.Main(m)
}

// patience bounds every wait of these tests. It only ends tests that hang.
const patience = 4 * time.Minute

// startRelay starts a relay on a loopback port and returns its address.
func startRelay(t testing.TB, cfg relay.Config, lobbyCfg lobby.Config) (address string, l *lobby.Lobby) {
	t.Helper()
	_, address, l = startServer(t, cfg, lobbyCfg)
	return address, l
}

// startServer is like startRelay and also returns the server.
func startServer(t testing.TB, cfg relay.Config, lobbyCfg lobby.Config) (s *relay.Server, address string, l *lobby.Lobby) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, l = startServerOn(t, listener, cfg, lobbyCfg)
	return s, listener.Addr().String(), l
}

// startServerOn starts a relay. It is shut down with the test.
func startServerOn(t testing.TB, listener net.Listener, cfg relay.Config, lobbyCfg lobby.Config) (*relay.Server, *lobby.Lobby) {
	t.Helper()
	lobbyCfg.Seed = 1
	lobbyCfg.BotPace = -1
	l := lobbytest.Open(lobbyCfg)
	if cfg.Host == nil {
		cfg.Host = &session.Host{Lobby: l}
	}
	s := relay.New(cfg)
	served := make(chan error, 1)
	go func() { served <- s.Serve(listener) }()
	t.Cleanup(func() {
		listener.Close()
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := s.Shutdown(ctx); err != nil {
			t.Errorf("shutting down: %v", err)
		}
		if err := <-served; err != nil {
			t.Errorf("serving: %v", err)
		}
		if left := cfg.Host.List(); len(left) > 0 {
			t.Errorf("the server left sessions open: %+v", left)
		}
		l.Close()
	})
	return s, l
}

// internalRelay is a relay on an in-memory network.
type internalRelay struct {
	*memnet.Network
	lobby  *lobby.Lobby
	server *relay.Server
}

// runInBubble runs a test with a relay whose clock advances only while all goroutines wait.
func runInBubble(t *testing.T, cfg relay.Config, lobbyCfg lobby.Config, test func(t *testing.T, r *internalRelay)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		s, l := startServerOn(t, n, cfg, lobbyCfg)
		test(t, &internalRelay{n, l, s})
	})
}

// dial connects from an address. Clients with an empty one share the same address.
func (r *internalRelay) dial(t testing.TB, from string) *testClient {
	t.Helper()
	return newTestClient(t, r.Dial(from))
}

// testClient is a raw connection.
type testClient struct {
	t   testing.TB
	nc  net.Conn
	eol string
}

func dial(t testing.TB, address string) *testClient {
	t.Helper()
	nc, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return newTestClient(t, nc)
}

func newTestClient(t testing.TB, nc net.Conn) *testClient {
	t.Cleanup(func() { nc.Close() })
	nc.SetDeadline(time.Now().Add(patience))
	return &testClient{t: t, nc: nc, eol: "\n"}
}

// send sends a line with the client's line ending.
func (c *testClient) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.nc, line+c.eol); err != nil {
		c.t.Fatalf("sending %q: %v", line, err)
	}
}

// expect fails the test unless exactly these bytes arrive next.
func (c *testClient) expect(want string) {
	c.t.Helper()
	got := make([]byte, len(want))
	n, err := io.ReadFull(c.nc, got)
	if err != nil || string(got) != want {
		c.t.Fatalf("received %q (%v), want %q", got[:n], err, want)
	}
}

func (c *testClient) readLine() (string, error) {
	var b []byte
	one := make([]byte, 1)
	for {
		if _, err := c.nc.Read(one); err != nil {
			return string(b), err
		}
		if one[0] == '\n' {
			return string(b), nil
		}
		b = append(b, one[0])
	}
}

// skipTo reads lines up to one with a prefix.
func (c *testClient) skipTo(prefix string) {
	c.t.Helper()
	for {
		switch line, err := c.readLine(); {
		case err != nil:
			c.t.Fatalf("waiting for a line with the prefix %q: %v", prefix, err)
		case strings.HasPrefix(line, prefix):
			return
		}
	}
}

// expectClosed fails the test unless the connection closes without further lines.
func (c *testClient) expectClosed() {
	c.t.Helper()
	rest, err := io.ReadAll(c.nc)
	if len(rest) > 0 || errors.Is(err, context.DeadlineExceeded) {
		c.t.Fatalf("received %q (%v), want the end of the connection", rest, err)
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		c.t.Fatal("the connection was not closed")
	}
}

// startMatch connects two clients and starts their match.
func startMatch(t testing.TB, address string) (first, second *testClient) {
	t.Helper()
	first = dial(t, address)
	first.expect("(3,[]).\n")
	second = dial(t, address)
	second.expect("(4,[]).\n")
	first.expect("(5,[]).\n")
	second.expect("(5,[]).\n")
	return first, second
}

func newBot(t testing.TB, name string, seed uint64) client.Player {
	t.Helper()
	b, err := bots.New(name, bots.Config{Rules: match.Classic(), Rand: rand.New(rand.NewPCG(seed, seed))})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var fleet = match.Layout{
	{Stern: match.NewCell(0, 0), Heading: match.East, Length: 5},
	{Stern: match.NewCell(0, 2), Heading: match.East, Length: 4},
	{Stern: match.NewCell(0, 4), Heading: match.East, Length: 3},
	{Stern: match.NewCell(0, 6), Heading: match.East, Length: 3},
	{Stern: match.NewCell(0, 8), Heading: match.East, Length: 2},
}

// playWholeGame plays a match of raw bytes: the second client sinks the first one's fleet, and
// the first one only misses. configure may change the clients before that.
func playWholeGame(t *testing.T, address string, configure func(first, second *testClient)) {
	first, second := startMatch(t, address)
	configure(first, second)
	truth := match.NewFleet(fleet)
	misses := 0
	for cell := range fleet.Cells().All() {
		attack := fmt.Sprintf("(1,[%d,%d]).", cell.X, cell.Y)
		second.send(attack)
		first.expect(attack + "\n")
		r := truth.Fire(cell)
		result := fmt.Sprintf("(2,[%d,%d,%d]).", cell.X, cell.Y, r)
		first.send(result)
		second.expect(result + "\n")
		if r == match.LastSunk {
			break
		}
		attack = fmt.Sprintf("(1,[%d,%d]).", 9, misses%10)
		result = fmt.Sprintf("(2,[%d,%d,1]).", 9, misses%10)
		misses++
		first.send(attack)
		second.expect(attack + "\n")
		second.send(result)
		first.expect(result + "\n")
	}
	first.expectClosed()
	second.expectClosed()
}

// awaitWaiting blocks until n players wait in the lobby.
func awaitWaiting(t testing.TB, l *lobby.Lobby, n int) {
	t.Helper()
	v := l.Enter(account.Player{ID: "watcher", Name: "watcher"})
	defer v.Leave()
	deadline := time.After(patience)
	for {
		select {
		case s := <-v.Snapshots():
			if len(s.Waiting) == n {
				return
			}
		case <-deadline:
			t.Fatalf("timed out waiting for %d players to wait", n)
		}
	}
}

// playKnownGame plays one game as a client whose opponent has the layout fleet.
func playKnownGame(nc net.Conn) error {
	defer nc.Close()
	nc.SetDeadline(time.Now().Add(patience))
	lines := bufio.NewReaderSize(nc, 64)
	receive := func() (client.Message, error) {
		for {
			line, err := lines.ReadSlice('\n')
			if err != nil {
				return client.Message{}, err
			}
			if line[0] != '%' {
				return client.Parse(line[:len(line)-1])
			}
		}
	}
	send := func(m client.Message) error {
		_, err := nc.Write(m.Append(nil))
		return err
	}
	role, err := receive()
	if err != nil {
		return fmt.Errorf("no role: %w", err)
	}
	if start, err := receive(); err != nil || start.Op != client.Start {
		return fmt.Errorf("got %v, want the start: %w", start, err)
	}
	own := match.NewFleet(fleet)
	attacks := role.Op == client.Assault
	for _, target := range slices.Collect(fleet.Cells().All()) {
		if attacks {
			if err := send(client.Message{Op: client.Attack, Cell: target}); err != nil {
				return err
			}
			m, err := receive()
			if err != nil || m.Op != client.Result || m.Cell != target {
				return fmt.Errorf("got %v, want a result: %w", m, err)
			}
			if m.Result == match.LastSunk {
				return nil
			}
		}
		attacks = true
		m, err := receive()
		if err != nil || m.Op != client.Attack {
			return fmt.Errorf("got %v, want an attack: %w", m, err)
		}
		r := own.Fire(m.Cell)
		if err := send(client.Message{Op: client.Result, Cell: m.Cell, Result: r}); err != nil {
			return err
		}
		if r == match.LastSunk {
			return nil
		}
	}
	return errors.New("the game has not ended")
}
