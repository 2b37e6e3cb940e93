package election

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"broadside/internal/proxy"
	"broadside/internal/ratelimit"
)

// Limits of a forwarded connection.
const (
	// holdTime is how long a new connection waits for an active node. It is longer than another node needs to
	// become active on a busy machine.
	holdTime = 10 * time.Second
	// dialTime limits connecting to the active node.
	dialTime = 2 * time.Second
	// dialPause is the pause between attempts to connect.
	dialPause = 100 * time.Millisecond
	// writeTime is the time for either end to accept data.
	writeTime = 10 * time.Second
	// lingerTime is how long a client may stay after the active node has ended.
	lingerTime = 10 * time.Second
	// bufferSize is the number of bytes for each direction. Lines and screens are mostly smaller.
	bufferSize = 2 << 10
)

// Forwarder passes clients' connections on to the active node while this node stands by.
// Its methods may be called from any goroutine.
type Forwarder struct {
	log *slog.Logger
	// ctx is that of all goroutines.
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	// mu guards the fields below, and the field local of all listeners.
	mu        sync.Mutex
	listeners []*Listener
	// active is the active node's ID, or empty if it is unknown.
	active string
	route  route
}

// route says where connections go until over ends.
type route struct {
	// addresses are the active node's, by the names of listeners.
	addresses map[string]string
	over      context.Context
	end       context.CancelFunc
}

// NewForwarder returns a forwarder without listeners that knows no active node.
func NewForwarder(log *slog.Logger) *Forwarder {
	f := &Forwarder{log: log}
	f.ctx, f.stop = context.WithCancel(context.Background())
	f.resetRouteLocked(nil)
	return f
}

// SetActive sets the active node and its addresses, by the names of listeners. Connections to another node
// end. An empty ID means that no active node is known. Addresses are ignored if the ID has not changed, because a node
// keeps its addresses.
func (f *Forwarder) SetActive(id string, addresses map[string]string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if id != f.active {
		f.active = id
		f.route.end()
		f.resetRouteLocked(addresses)
	}
}

func (f *Forwarder) resetRouteLocked(addresses map[string]string) {
	f.route.addresses = addresses
	f.route.over, f.route.end = context.WithCancel(f.ctx)
}

// Close closes all listeners, ends the forwarded connections, and waits for all goroutines.
func (f *Forwarder) Close() error {
	f.stop()
	f.mu.Lock()
	var err error
	for _, l := range f.listeners {
		err = errors.Join(err, l.inner.Close())
	}
	f.mu.Unlock()
	f.work.Wait()
	return err
}

// Listener is an address at which clients connect: for SSH, the relay or the website. It is a
// [net.Listener] while this node is active, from Open to Close. At other times, it forwards connections to
// the active node.
type Listener struct {
	name      string
	forwarder *Forwarder
	inner     net.Listener
	count     *ratelimit.Count
	proxies   []netip.Prefix
	conns     chan net.Conn
	// local is closed by Close. It is nil while this node is not active. It is guarded by forwarder.mu.
	local chan struct{}
}

// NewListener returns a listener that owns inner. count limits the forwarded connections. Addresses of
// reverse proxies have no limit of their own.
func (f *Forwarder) NewListener(name string, l net.Listener, count *ratelimit.Count, proxies []netip.Prefix) *Listener {
	d := &Listener{name: name, forwarder: f, inner: l, count: count, proxies: proxies, conns: make(chan net.Conn)}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.listeners = append(f.listeners, d)
	f.work.Go(d.run)
	return d
}

// SetLimits changes the limits on forwarded connections, in total and per address.
func (l *Listener) SetLimits(all, perAddress int) { l.count.SetLimits(all, perAddress) }

// Open makes Accept return new connections, and ends forwarded connections.
func (l *Listener) Open() {
	l.forwarder.mu.Lock()
	defer l.forwarder.mu.Unlock()
	l.local, l.forwarder.active = make(chan struct{}), ""
	l.forwarder.route.end()
	l.forwarder.resetRouteLocked(nil)
}

// Accept implements [net.Listener].
func (l *Listener) Accept() (net.Conn, error) {
	local, _ := l.currentRoute()
	if local == nil {
		return nil, net.ErrClosed
	}
	select {
	case nc := <-l.conns:
		return nc, nil
	case <-local:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener]. Until Open, Accept returns [net.ErrClosed], and new connections are
// forwarded.
func (l *Listener) Close() error {
	l.forwarder.mu.Lock()
	defer l.forwarder.mu.Unlock()
	if l.local != nil {
		close(l.local)
		l.local = nil
	}
	return nil
}

// Addr implements [net.Listener].
func (l *Listener) Addr() net.Addr { return l.inner.Addr() }

// currentRoute returns a channel that Close closes if this node is active, and the route to the active node
// if it is not.
func (l *Listener) currentRoute() (local <-chan struct{}, r route) {
	l.forwarder.mu.Lock()
	defer l.forwarder.mu.Unlock()
	return l.local, l.forwarder.route
}

// deliverLocally waits until Accept takes the connection. It returns false once this node is not active.
func (l *Listener) deliverLocally(local <-chan struct{}, nc net.Conn) bool {
	if local == nil {
		return false
	}
	select {
	case l.conns <- nc:
		return true
	case <-local:
	case <-l.forwarder.ctx.Done():
	}
	return false
}

// run accepts connections until the forwarder is closed.
func (l *Listener) run() {
	for {
		nc, err := l.inner.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			l.forwarder.log.Error("cannot accept connections", "listener", l.name, "error", err)
			sleep(l.forwarder.ctx, dialPause)
			continue
		}
		if proxied, ok := nc.(*proxy.Conn); ok {
			l.forwarder.work.Go(func() { l.readHeader(proxied) })
			continue
		}
		l.dispatch(nc)
	}
}

// readHeader waits for the PROXY header of a load balancer or node, and then dispatches the connection.
func (l *Listener) readHeader(nc *proxy.Conn) {
	stop := context.AfterFunc(l.forwarder.ctx, func() { nc.Close() })
	err := nc.ReadHeader()
	stop()
	if err != nil {
		l.forwarder.log.Warn("closing a connection of a load balancer or node without a valid PROXY header",
			"remote", nc.RemoteAddr().String(), "error", err)
		nc.Close()
		return
	}
	l.dispatch(nc)
}

// dispatch passes a connection to this node's server if the node is active, and otherwise to the active node.
func (l *Listener) dispatch(nc net.Conn) {
	local, _ := l.currentRoute()
	if !l.deliverLocally(local, nc) {
		l.forwardIfAllowed(nc)
	}
}

// forwardIfAllowed forwards a connection unless too many are forwarded.
func (l *Listener) forwardIfAllowed(nc net.Conn) {
	addr := ratelimit.IPAddress(nc.RemoteAddr())
	take := func() error { return l.count.Acquire(addr) }
	if slices.ContainsFunc(l.proxies, func(p netip.Prefix) bool { return p.Contains(addr) }) {
		addr, take = netip.Addr{}, l.count.AcquireShared
	}
	if err := take(); err != nil {
		l.forwarder.log.Warn("cannot forward a connection", "listener", l.name, "remote", nc.RemoteAddr().String(), "reason", err)
		nc.Close()
		return
	}
	l.forwarder.work.Go(func() {
		defer l.count.Release(addr)
		l.forwardConn(nc)
	})
}

// forwardConn forwards a connection to the active node. Without one it waits for holdTime, because clients
// connect again while another node is becoming active, and then closes the connection.
func (l *Listener) forwardConn(nc net.Conn) {
	ctx, cancel := context.WithTimeout(l.forwarder.ctx, holdTime)
	defer cancel()
	for ctx.Err() == nil {
		local, r := l.currentRoute()
		if l.deliverLocally(local, nc) {
			return
		}
		address := r.addresses[l.name]
		// Two nodes may each take the other for the active one.
		if address == "" || proxy.IsForwarded(nc) {
			select {
			case <-r.over.Done():
			case <-ctx.Done():
			}
			continue
		}
		dialer := net.Dialer{Timeout: dialTime}
		active, err := dialer.DialContext(r.over, "tcp", address)
		if err == nil {
			cancel()
			forward(r.over, nc, active)
			return
		}
		l.forwarder.log.Debug("cannot reach the active node", "listener", l.name, "address", address, "error", err)
		sleep(ctx, dialPause)
	}
	nc.Close()
}

// forward exchanges data between a client and the active node until both have ended, or ctx ends.
func forward(ctx context.Context, client, active net.Conn) {
	end := func() {
		client.Close()
		active.Close()
	}
	defer end()
	defer context.AfterFunc(ctx, end)()
	header, err := proxy.ForwardHeader(client)
	if err != nil {
		return
	}
	active.SetWriteDeadline(time.Now().Add(writeTime))
	if _, err := active.Write(header); err != nil {
		return
	}
	var sending sync.WaitGroup
	sending.Go(func() {
		if copyData(active, client) != nil {
			end()
		}
	})
	if copyData(client, active) != nil {
		end()
	}
	client.SetReadDeadline(time.Now().Add(lingerTime))
	sending.Wait()
}

// copyData copies data until from ends, and then closes the writing side of to. Unlike io.Copy, it sets
// deadlines.
func copyData(to, from net.Conn) error {
	b := make([]byte, bufferSize)
	for {
		n, err := from.Read(b)
		if n > 0 {
			to.SetWriteDeadline(time.Now().Add(writeTime))
			if _, err := to.Write(b[:n]); err != nil {
				return err
			}
		}
		half, ok := to.(interface{ CloseWrite() error })
		switch {
		case err == io.EOF && ok:
			return half.CloseWrite()
		case err != nil:
			return err
		}
	}
}
