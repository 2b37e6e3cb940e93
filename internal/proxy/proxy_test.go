package proxy_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pires/go-proxyproto"

	"broadside/internal/proxy"
	"broadside/internal/test/leaks"
	"broadside/internal/test/memnet"
)

func TestMain(m *testing.M) { leaks.Main(m) }

const (
	balancer = "192.0.2.1"
	node     = "192.0.2.2"
	client   = "192.0.2.3"
	one      = "PROXY TCP4 203.0.113.9 192.0.2.2 7 22\r\n"
	six      = "PROXY TCP6 2001:db8::9 2001:db8::1 7 22\r\n"
)

// newPair returns a header of version 2.
func newPair(t *testing.T) string {
	t.Helper()
	from := &net.TCPAddr{IP: net.ParseIP("203.0.113.9"), Port: 7}
	h, err := proxyproto.HeaderProxyFromAddrs(2, from, &net.TCPAddr{IP: net.ParseIP("192.0.2.2"), Port: 22}).Format()
	if err != nil {
		t.Fatal(err)
	}
	return string(h)
}

func TestListen(t *testing.T) {
	const proxied, pause = "203.0.113.9:7", 2 * time.Second
	for name, test := range map[string]struct {
		from, header string
		remote       string // of the accepted connection; empty: the header is not valid
		says         string
		after        time.Duration // until the header is known
	}{
		"version 1":                   {from: balancer, header: one, remote: proxied, says: "hello"},
		"version 1, IPv6":             {from: balancer, header: six, remote: "[2001:db8::9]:7", says: "hello"},
		"version 2":                   {from: balancer, header: newPair(t), remote: proxied, says: "hello"},
		"another protocol":            {from: balancer, header: "SSH-2.0-OpenSSH_9.2\r\n"},
		"no header":                   {from: balancer, header: strings.Repeat("x", 200)},
		"a long line":                 {from: balancer, header: "PROXY " + strings.Repeat("x", 200)},
		"a silent balancer":           {from: balancer, after: 5 * time.Second},
		"a balancer that stops":       {from: balancer, header: "PROXY TCP4 203", after: 5 * time.Second},
		"a client of a node":          {from: node, header: one, remote: proxied, says: "hello"},
		"a program on a node":         {from: node, header: "% vs bot\n", remote: node + ":1", says: "% vs bot\nhello"},
		"a silent program on a node":  {from: node, remote: node + ":1", says: "hello", after: pause},
		"a client that lies":          {from: client, header: one, remote: client + ":1", says: one + "hello"},
		"a silent client":             {from: client, remote: client + ":1", says: "hello"},
		"a lie of version 2":          {from: client, header: newPair(t), remote: client + ":1", says: newPair(t) + "hello"},
		"the start of a header":       {from: node, header: "PROXIES", remote: node + ":1", says: "PROXIEShello", after: pause},
		"an address that is not used": {from: balancer, header: "PROXY UNKNOWN\r\n", remote: balancer + ":1", says: "hello"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				far, nc := connect(t, test.from)
				if _, err := io.WriteString(far, test.header); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				if c, ok := nc.(*proxy.Conn); ok {
					if err := c.ReadHeader(); (err == nil) != (test.remote != "") {
						t.Fatalf("ReadHeader() = %v", err)
					}
				}
				if took := time.Since(began); took != test.after {
					t.Errorf("it took %v, want %v", took, test.after)
				}
				if test.remote == "" {
					return
				}
				io.WriteString(far, "hello")
				far.CloseWrite()
				text, err := io.ReadAll(nc)
				if got := nc.RemoteAddr().String(); got != test.remote || string(text) != test.says || err != nil {
					t.Errorf("%s says %q, %v, want %s, %q", got, text, err, test.remote, test.says)
				}
				if err := nc.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
					t.Error(err)
				}
				if _, err := far.Read(make([]byte, 1)); err != io.EOF {
					t.Errorf("after CloseWrite: %v", err)
				}
			})
		})
	}
}

// connect returns both ends of a connection to a listener that trusts a balancer and a node.
func connect(t *testing.T, from string) (far *memnet.Conn, near net.Conn) {
	t.Helper()
	network := memnet.New()
	l := proxy.Listen(network, []netip.Prefix{netip.MustParsePrefix(balancer + "/32")},
		func(a netip.Addr) bool { return a.String() == node })
	go func() { far = network.Dial(from) }()
	near, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	t.Cleanup(func() {
		far.Close()
		near.Close()
		l.Close()
	})
	return far, near
}

// TestPieces checks that headers of both versions may arrive byte by byte, with a pause after each.
func TestPieces(t *testing.T) {
	for version, header := range map[string]string{"1": one, "2": newPair(t)} {
		t.Run("version "+version, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				far, nc := connect(t, balancer)
				go func() {
					for _, b := range []byte(header + "hello") {
						time.Sleep(30 * time.Millisecond)
						far.Write([]byte{b})
					}
				}()
				read := make([]byte, len("hello"))
				_, err := io.ReadFull(nc, read)
				if got := nc.RemoteAddr().String(); got != "203.0.113.9:7" || string(read) != "hello" || err != nil {
					t.Errorf("%s says %q, %v", got, read, err)
				}
			})
		})
	}
}

// TestDeadline checks that a deadline that was set before the header arrived holds.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, nc := connect(t, balancer)
		nc.SetReadDeadline(time.Now().Add(time.Minute))
		io.WriteString(far, one)
		began := time.Now()
		if _, err := nc.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

func TestPassed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, from := connect(t, client)
		header, err := proxy.ForwardHeader(from)
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]bool{string(header): true, one: false, newPair(t): false} {
			far, nc := connect(t, node)
			io.WriteString(far, text)
			if got := proxy.IsForwarded(nc); got != want || proxy.IsForwarded(from) {
				t.Errorf("IsPassed() = %v, want %v", got, want)
			}
		}
	})
}

func TestParseTrusted(t *testing.T) {
	for text, want := range map[string]string{
		"": "[]", "192.0.2.7": "[192.0.2.7/32]", " 10.1.2.3/8 ,, ::1": "[10.0.0.0/8 ::1/128]",
		"::ffff:192.0.2.1": "[192.0.2.1/32]",
	} {
		if got, err := proxy.ParseTrusted(text); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	if got, err := proxy.ParseTrusted("192.0.2.0/33, balancer"); err == nil {
		t.Errorf("nonsense is %v", []netip.Prefix(got))
	}
}
