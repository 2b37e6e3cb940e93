package cluster

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"sync/atomic"
	"testing"

	"broadside/internal/session"
	"broadside/match"
)

// BenchmarkRemoteShot plays shots between people at two gateways.
func BenchmarkRemoteShot(b *testing.B) {
	h := newHost(b, 1, newLobby(b))
	var bytes atomic.Int64
	one, two := newGateway(b, nil), newGateway(b, nil)
	for _, g := range []*Gateway{one, two} {
		g.dialer = func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := new(net.Dialer).DialContext(ctx, network, address)
			return counted{c, &bytes}, err
		}
	}
	follows(h, one, two)
	ann, bob := arrive(b, one, "ann"), arrive(b, two, "bob")
	meet(ann, bob)
	bytes.Store(0)
	n := 0
	for b.Loop() {
		cell := match.At(n%10, n/10%10)
		shoot(bob, ann, cell)
		shoot(ann, bob, cell)
		if n++; n == 40 { // before the fleets are sunk
			b.StopTimer()
			bob.must(session.Resign{})
			for _, p := range []*person{ann, bob} {
				p.until("the end", func(u session.Update) bool { return u.Kind == session.MatchChanged && u.Match.View.Phase == match.Over })
				p.must(session.LeaveMatch{})
			}
			meet(ann, bob)
			n = 0
			b.StartTimer()
		}
	}
	b.ReportMetric(float64(bytes.Load())/float64(2*b.N), "B/shot")
}

// counted counts the bytes of a connection.
type counted struct {
	net.Conn
	n *atomic.Int64
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.n.Add(int64(n))
	return n, err
}

func (c counted) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.n.Add(int64(n))
	return n, err
}

// BenchmarkRemoteSessions opens sessions of people in the lobby.
func BenchmarkRemoteSessions(b *testing.B) {
	h := newHost(b, 1, newLobby(b))
	g := newGateway(b, h.active)
	var before, after runtime.MemStats
	arrive(b, g, "first")
	runtime.GC()
	runtime.ReadMemStats(&before)
	n := 0
	for b.Loop() {
		arrive(b, g, fmt.Sprint("person", n))
		n++
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc+after.StackInuse-before.HeapAlloc-before.StackInuse)/float64(n), "B/session-both-ends")
}
