package election

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"broadside/internal/store"
	"broadside/internal/test/leaks"
	"broadside/internal/test/must"
	"broadside/internal/test/parallel"
	"broadside/internal/test/pgtest"
)

// database is the PostgreSQL server of the tests; nil until [startDatabase].
var database *pgtest.Server

// startDatabase starts the server when a test first needs it, which fuzz targets
// never do.
var startDatabase = sync.OnceValue(func() (err error) {
	database, err = pgtest.Start()
	return err
})

func TestMain(m *testing.M) {
	parallel.AllowWaitingTests()
	code := m.Run()
	if database != nil {
		if err := database.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	if err := leaks.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// worlds numbers the worlds of tests, so that each has its own advisory lock.
var worlds struct {
	sync.Mutex
	n int
}

// newDatabase creates the tables in a schema of the test and returns a DSN for it.
func newDatabase(t testing.TB) string {
	t.Helper()
	pgtest.RequireServer(t, startDatabase())
	dsn := must.Get(database.CreateDatabase(t.Context(), t.Name()))
	worlds.Lock()
	defer worlds.Unlock() // at the end, because creating tables beside another test takes a second or more
	worlds.n++
	s, err := store.Open(t.Context(), store.Config{URL: dsn}) // creates the tables
	if err == nil {
		err = s.Close()
	}
	must.Do(err)
	queryDatabase(t, dsn, fmt.Sprintf("UPDATE world SET id = %d", worlds.n))
	t.Cleanup(func() {
		queryDatabase(t, dsn, "DO $$ BEGIN EXECUTE 'DROP SCHEMA ' || current_schema() || ' CASCADE'; END $$")
	})
	return dsn
}

// queryDatabase executes statements and returns the first column of the last row, if any.
func queryDatabase(t testing.TB, dsn, sql string) string {
	t.Helper()
	ctx := context.Background()
	c := must.Get(pgx.Connect(ctx, dsn))
	defer c.Close(ctx)
	results, err := c.PgConn().Exec(ctx, sql).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	if last := results[len(results)-1]; len(last.Rows) > 0 {
		return string(last.Rows[0][0])
	}
	return ""
}

// tcpProxy forwards TCP connections until a test stalls or closes it.
type tcpProxy struct {
	ln   net.Listener
	done sync.WaitGroup

	mu      sync.Mutex
	resumed sync.Cond
	stalled bool
	conns   map[net.Conn]bool
	closed  bool
}

func newProxy(t testing.TB, network, target string) *tcpProxy {
	t.Helper()
	ln := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	p := &tcpProxy{ln: ln, conns: map[net.Conn]bool{}}
	p.resumed.L = &p.mu
	p.done.Go(func() {
		for {
			in, err := ln.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial(network, target)
			if err != nil {
				in.Close()
				continue
			}
			p.mu.Lock()
			p.conns[in], p.conns[out] = true, true
			p.mu.Unlock()
			p.done.Go(func() { p.pump(out, in) })
			p.done.Go(func() { p.pump(in, out) })
		}
	})
	t.Cleanup(func() {
		ln.Close()
		p.mu.Lock()
		p.closed = true
		p.mu.Unlock()
		p.cut()
		p.stall(false)
		p.done.Wait()
	})
	return p
}

// proxyToDatabase returns a DSN that goes through a proxy.
func proxyToDatabase(t testing.TB, dsn string) (*tcpProxy, string) {
	t.Helper()
	u := must.Get(url.Parse(dsn))
	q := u.Query()
	p := newProxy(t, "unix", filepath.Join(q.Get("host"), ".s.PGSQL.5432"))
	host, port, _ := net.SplitHostPort(p.ln.Addr().String())
	q.Set("host", host)
	q.Set("port", port)
	u.RawQuery = q.Encode()
	return p, u.String()
}

func (p *tcpProxy) pump(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		p.mu.Lock()
		for p.stalled && !p.closed {
			p.resumed.Wait()
		}
		p.mu.Unlock()
		if n > 0 {
			if _, err := to.Write(b[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// stall stops or resumes forwarding. Nothing is closed, as when a process is stopped or a link is cut.
func (p *tcpProxy) stall(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stalled = on
	p.resumed.Broadcast()
}

// cut closes all connections.
func (p *tcpProxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
	clear(p.conns)
}

// patience bounds how long a test waits for an expected event.
const patience = 2 * time.Minute

// waitUntilTrue waits until a condition holds.
func waitUntilTrue(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("still waiting: %s", what)
		}
	}
}
