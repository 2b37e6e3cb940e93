package sshd_test

import (
	"net"
	"sync"
	"testing"

	gossh "golang.org/x/crypto/ssh"
)

// freezableConn is a connection that can be frozen. It then receives nothing more.
type freezableConn struct {
	net.Conn
	frozen, closed chan struct{}
	once           sync.Once
}

func (c *freezableConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	select {
	case <-c.frozen:
		<-c.closed
		return 0, net.ErrClosed
	default:
		return n, err
	}
}

func (c *freezableConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// client is an SSH connection that can be frozen.
type client struct {
	*gossh.Client
	ice *freezableConn
}

// freeze takes the link down. The client receives nothing more, not even the end of the connection.
func (c *client) freeze() { close(c.ice.frozen) }

// connect logs in. The connection is closed with the test.
func (h *testServer) connect(t testing.TB, user string) *client {
	t.Helper()
	c, err := h.connectFrom("", user)
	if err != nil {
		t.Fatalf("log in: %v", err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// connectFrom logs in from an address of the server's network.
func (h *testServer) connectFrom(from, user string) (*client, error) {
	nc, err := h.dial(from)
	if err != nil {
		return nil, err
	}
	ice := &freezableConn{Conn: nc, frozen: make(chan struct{}), closed: make(chan struct{})}
	conn, chans, reqs, err := gossh.NewClientConn(ice, h.address, &gossh.ClientConfig{
		User: user, Auth: []gossh.AuthMethod{gossh.Password("")}, HostKeyCallback: gossh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		ice.Close()
		return nil, err
	}
	return &client{gossh.NewClient(conn, chans, reqs), ice}, nil
}

func (h *testServer) dial(from string) (net.Conn, error) {
	if h.net != nil {
		return h.net.Dial(from), nil
	}
	return net.Dial("tcp", h.address)
}

// openChannel opens a session channel without requests.
func (c *client) openChannel(t testing.TB) (gossh.Channel, <-chan *gossh.Request) {
	t.Helper()
	ch, reqs, err := c.OpenChannel("session", nil)
	if err != nil {
		t.Fatal(err)
	}
	return ch, reqs
}
