package proxy_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pires/go-proxyproto"

	"broadside/internal/proxy"
	"broadside/internal/test/leaks"
	"broadside/internal/test/memnet"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// patience ends a test that hangs.
const patience = 2 * time.Minute

// listen opens a listener that trusts the given networks, and accepts
// connections from it.
func listen(t *testing.T, trusted string) (address string, accepted <-chan net.Conn) {
	t.Helper()
	networks, err := proxy.ParseTrusted(trusted)
	if err != nil {
		t.Fatal(err)
	}
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := proxy.Listen(inner, networks, nil, nil)
	all := make(chan net.Conn, 10)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			all <- nc
		}
	}()
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		<-done
	})
	return inner.Addr().String(), all
}

func dial(t *testing.T, address, text string) net.Conn {
	t.Helper()
	nc, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close() })
	nc.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(nc, text); err != nil {
		t.Fatal(err)
	}
	return nc
}

func TestTrusted(t *testing.T) {
	address, accepted := listen(t, "192.0.2.1, 127.0.0.0/8")
	from := &net.TCPAddr{IP: net.ParseIP("203.0.113.9"), Port: 7}
	two, err := proxyproto.HeaderProxyFromAddrs(2, from, &net.TCPAddr{IP: net.ParseIP("192.0.2.2"), Port: 22}).Format()
	if err != nil {
		t.Fatal(err)
	}
	dial(t, address, "") // a balancer that sends nothing does not delay others
	for version, header := range map[string]string{
		"1": "PROXY TCP4 203.0.113.9 192.0.2.2 7 22\r\n", "2": string(two), "1, IPv6": "PROXY TCP6 2001:db8::9 2001:db8::1 7 22\r\n",
	} {
		dial(t, address, header+"hello").(*net.TCPConn).CloseWrite()
		nc := <-accepted
		nc.SetDeadline(time.Now().Add(patience))
		want := "203.0.113.9:7"
		if version == "1, IPv6" {
			want = "[2001:db8::9]:7"
		}
		if got := nc.RemoteAddr().String(); got != want {
			t.Errorf("version %s: the client is at %s", version, got)
		}
		if text, err := io.ReadAll(nc); string(text) != "hello" || err != nil {
			t.Errorf("version %s: it says %q, %v", version, text, err)
		}
		if err := nc.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
			t.Error(err)
		}
		nc.Close()
	}
	// A header is needed.
	nc := dial(t, address, "SSH-2.0-OpenSSH_9.2\r\n and more than fits a header\r\n")
	if _, err := nc.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("without a header: got %v, want a closed connection", err)
	}
	select {
	case <-accepted:
		t.Error("a connection without a header was accepted")
	default:
	}
	dial(t, address, "PROXY TCP4 203.0.113.9") // until the end
}

// TestSpoofed checks that an untrusted client cannot state an address.
func TestSpoofed(t *testing.T) {
	address, accepted := listen(t, "192.0.2.1")
	const text = "PROXY TCP4 203.0.113.9 192.0.2.2 7 22\r\n"
	own := dial(t, address, text).LocalAddr().String()
	nc := <-accepted
	defer nc.Close()
	if got := nc.RemoteAddr().String(); got != own {
		t.Errorf("the client is said to be at %s, and is at %s", got, own)
	}
	got := make([]byte, len(text))
	if _, err := io.ReadFull(nc, got); err != nil || string(got) != text {
		t.Errorf("it has sent %q, %v", got, err)
	}
	if _, ok := nc.(*net.TCPConn); !ok {
		t.Errorf("it is a %T", nc)
	}
}

func TestParseTrusted(t *testing.T) {
	for text, want := range map[string]string{
		"": "[]", "192.0.2.7": "[192.0.2.7/32]", " 10.1.2.3/8 ,, ::1": "[10.0.0.0/8 ::1/128]", "::ffff:192.0.2.1": "[192.0.2.1/32]",
	} {
		if got, err := proxy.ParseTrusted(text); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	if got, err := proxy.ParseTrusted("192.0.2.0/33, balancer"); err == nil {
		t.Errorf("nonsense is %v", []netip.Prefix(got))
	}
}

// TestPieces checks that headers of both versions may arrive byte by byte, with a pause after each.
func TestPieces(t *testing.T) {
	from := netip.MustParseAddrPort("203.0.113.9:5555")
	two, err := proxyproto.HeaderProxyFromAddrs(2, net.TCPAddrFromAddrPort(from), &net.TCPAddr{IP: net.ParseIP("192.0.2.2"), Port: 22}).Format()
	if err != nil {
		t.Fatal(err)
	}
	for version, header := range map[string]string{
		"1": "PROXY TCP4 203.0.113.9 127.0.0.1 5555 22\r\n", "2": string(two),
	} {
		t.Run("version "+version, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				network := memnet.New()
				l := proxy.Listen(network, []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")}, nil, nil)
				defer l.Close()
				balancer := network.Dial("192.0.2.1")
				defer balancer.Close()
				go func() {
					for _, b := range []byte(header + "hello") {
						time.Sleep(30 * time.Millisecond)
						balancer.Write([]byte{b})
					}
				}()
				nc, err := l.Accept()
				if err != nil {
					t.Fatal(err)
				}
				defer nc.Close()
				read := make([]byte, len("hello"))
				if _, err := io.ReadFull(nc, read); err != nil || string(read) != "hello" || nc.RemoteAddr().String() != from.String() {
					t.Errorf("%s says %q, %v", nc.RemoteAddr(), read, err)
				}
			})
		})
	}
}
