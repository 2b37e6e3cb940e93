package cluster

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// publicKey returns the key that a node proves it has.
func publicKey(t *testing.T, c *tls.Config) ed25519.PublicKey {
	t.Helper()
	cert, err := x509.ParseCertificate(c.Certificates[0].Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	return cert.PublicKey.(ed25519.PublicKey)
}

func TestKeyIsDerivedTheSameInEveryVersion(t *testing.T) {
	key := publicKey(t, testTLS(t, 'k'))
	const want = "1124a02a4028094f8cc76857537b87a48d74b5338eb5339854baf516719254fd"
	if got := hex.EncodeToString(key); got != want {
		t.Errorf("the public key of the internal port is %s, not %s: nodes of different versions could not connect", got, want)
	}
	host := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{'k'}, ed25519.SeedSize))
	if key.Equal(host.Public()) {
		t.Error("the host key itself is used")
	}
	pointer, err := TLSConfig(&host) // as ssh.ParseRawPrivateKey returns it
	if err != nil || !publicKey(t, pointer).Equal(key) {
		t.Error(err, "a pointer to the key makes another identity")
	}
	if _, err := TLSConfig(); err == nil {
		t.Error("an identity without a key")
	}
	if _, err := TLSConfig("a password"); err == nil {
		t.Error("an identity from what is not a key")
	}
}

// TestKeysCanBeRotated connects a gateway that has only the old key to a node that
// has both.
func TestKeysCanBeRotated(t *testing.T) {
	key := func(letter byte) ed25519.PrivateKey {
		return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{letter}, ed25519.SeedSize))
	}
	both, err := TLSConfig(key('n'), key('k'))
	if err != nil {
		t.Fatal(err)
	}
	state := func(c *tls.Config) tls.ConnectionState {
		cert, _ := x509.ParseCertificate(c.Certificates[0].Certificate[0])
		return tls.ConnectionState{NegotiatedProtocol: alpn, PeerCertificates: []*x509.Certificate{cert}}
	}
	for letter, trusted := range map[byte]bool{'n': true, 'k': true, 'x': false} {
		if err := both.VerifyConnection(state(testTLS(t, letter))); (err == nil) != trusted {
			t.Errorf("key %c: %v", letter, err)
		}
	}
	if err := both.VerifyConnection(tls.ConnectionState{NegotiatedProtocol: alpn}); err == nil {
		t.Error("a connection without a certificate was accepted")
	}
}

// exchange sends bytes to the inner port and returns everything it answers.
func exchange(t *testing.T, address string, send []byte) []byte {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(patience))
	c.Write(send) // fails if the other end has closed already
	answer, _ := io.ReadAll(c)
	return answer
}

// hail says hello over TLS as a gateway with a name, sends a frame, and returns the node's answer.
func hail(address string, config *tls.Config, name string, f frame) ([]byte, error) {
	c, err := tls.Dial("tcp", address, config)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(patience))
	w := bufio.NewWriter(c)
	_ = frame{kind: kindHello, number: protocolVersion, payload: []byte(name)}.write(w)
	_ = f.write(w)
	w.Flush()
	c.CloseWrite()
	return io.ReadAll(c)
}

func TestStrangers(t *testing.T) {
	t.Parallel()
	a := newNode(t, 1)
	good := func() *tls.Config { return testTLS(t, 'k') }
	opening := func(name string) frame {
		return frame{kind: kindOpen, session: 1, payload: fmt.Appendf(nil, `{"Name":%q}`, name)}
	}
	for name, change := range map[string]func(*tls.Config){
		"no certificate": func(c *tls.Config) { c.Certificates = nil },
		"another key":    func(c *tls.Config) { c.Certificates = testTLS(t, 'x').Certificates },
		"the public certificate without its key": func(c *tls.Config) {
			c.Certificates = []tls.Certificate{{Certificate: c.Certificates[0].Certificate, PrivateKey: testTLS(t, 'x').Certificates[0].PrivateKey}}
		},
		"the certificate after another": func(c *tls.Config) {
			x := testTLS(t, 'x').Certificates[0]
			x.Certificate = append(x.Certificate, c.Certificates[0].Certificate...)
			c.Certificates = []tls.Certificate{x}
		},
		"TLS 1.2":          func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS12, tls.VersionTLS12 },
		"another protocol": func(c *tls.Config) { c.NextProtos = []string{"h2"} },
		"no protocol":      func(c *tls.Config) { c.NextProtos = nil },
	} {
		t.Run(name, func(t *testing.T) {
			config := good()
			change(config)
			config.VerifyConnection = nil
			answer, err := hail(a.address, config, name, opening(name))
			if err == nil || len(answer) > 0 {
				t.Errorf("learnt %q, %v", answer, err)
			}
		})
	}
	t.Run("garbage", func(t *testing.T) {
		for _, garbage := range [][]byte{[]byte("SSH-2.0-OpenSSH_9.2\r\n"), []byte("GET / HTTP/1.1\r\n\r\n"), bytes.Repeat([]byte{0x16, 3, 1}, 10000)} {
			if answer := exchange(t, a.address, garbage); len(answer) > 7 { // a TLS alert
				t.Errorf("%.20q was answered with %q", garbage, answer)
			}
		}
	})
	if answer, err := hail(a.address, good(), "anna", opening("anna")); len(answer) < headerLength {
		t.Errorf("a node with the key got %q, %v", answer, err)
	}
	a.source(t, "anna")
	a.mu.Lock()
	defer a.mu.Unlock()
	if n := len(a.sources) - 1; n > 0 {
		t.Errorf("strangers have opened %d sessions", n)
	}
}

// TestReplay sends the bytes of a real gateway again.
func TestReplay(t *testing.T) {
	a := newNode(t, 1)
	var mu sync.Mutex
	var recorded []byte
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	var tap sync.WaitGroup
	tap.Go(func() {
		in, err := ln.Accept()
		if err != nil {
			return
		}
		defer in.Close()
		out, err := net.Dial("tcp", a.address)
		if err != nil {
			return
		}
		defer out.Close()
		tap.Go(func() { io.Copy(in, out) })
		b := make([]byte, 4096)
		for {
			n, err := in.Read(b)
			mu.Lock()
			recorded = append(recorded, b[:n]...)
			mu.Unlock()
			if err != nil {
				return
			}
			out.Write(b[:n])
		}
	})
	g := newGateway(t, nil)
	follow(g, ln.Addr().String(), 1)
	do(t, open(t, g, "anna"), "fire")
	g.Close()
	tap.Wait()
	s := a.source(t, "anna")
	exchange(t, a.address, recorded)
	if len(s.acted) != 1 || len(a.sources) != 1 {
		t.Errorf("executed %q", s.acted)
	}
}

// TestFalseActiveNode connects a gateway to a node without the key.
func TestFalseActiveNode(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	got := make(chan []byte, 1)
	go func() {
		conn, err := ln.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		config := testTLS(t, 'x')
		config.VerifyConnection = nil // accepts any certificate
		c := tls.Server(conn, config)
		b, _ := io.ReadAll(c)
		got <- b
	}()
	g := newGateway(t, nil)
	follow(g, ln.Addr().String(), 1)
	if b := <-got; len(b) > 0 {
		t.Errorf("the false active node learnt %q", b)
	}
	until(t, "for the gateway to refuse it", func() bool { return errors.Is(g.Err(), ErrStranger) })
}

// TestFlood opens many connections that send nothing. A gateway can still connect.
func TestFlood(t *testing.T) {
	a := newNode(t, 1)
	var conns []net.Conn
	defer func() {
		for _, c := range conns {
			c.Close()
		}
	}()
	for range 3 * maxStrangers {
		c, err := net.Dial("tcp", a.address)
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
		a.server.mu.Lock()
		n := len(a.server.strangers)
		a.server.mu.Unlock()
		if n > maxStrangers {
			t.Fatalf("%d connections that have proved nothing", n)
		}
	}
	do(t, open(t, newGateway(t, a), "anna"), "fire")
}

// TestGatewayThatBreaksTheProtocol checks that frames that no gateway sends are refused: the last
// one of each case.
func TestGatewayThatBreaksTheProtocol(t *testing.T) {
	opened := frame{kind: kindOpen, session: 1, payload: []byte(`{"Name":"blocked"}`)}
	act := func(number uint64) frame {
		return frame{kind: kindAct, session: 1, number: number, payload: []byte(`Watch {"ID":"m1"}`)}
	}
	for name, frames := range map[string][]frame{
		"a second hello":  {{kind: kindHello, number: 1}},
		"an update":       {opened, {kind: kindMessage, session: 1}},
		"a session twice": {opened, opened},
		"an unknown kind": {{kind: 200, session: 1}},
		"two actions":     {opened, act(1), act(2)},
		"an old number":   {opened, act(2), act(1)},
	} {
		t.Run(name, func(t *testing.T) {
			a := newNodeOn(t, 1, &pipeListener{make(chan net.Conn), make(chan struct{})})
			blocked := newFakeSession()
			blocked.block.Lock()
			defer blocked.block.Unlock()
			a.sources["blocked"] = blocked
			c := newConn(nil, a.role)
			c.serial = 1
			for i, f := range frames {
				var want error
				if i == len(frames)-1 {
					want = errFrame
				}
				if err := a.server.receive(c, f); err != want {
					t.Errorf("frame %d: got %v, want %v", i, err, want)
				}
			}
		})
	}
	// Such a frame ends the connection, even before it has a session.
	var log logBook
	h := newHostOf(t, 1, nil, Config{TLS: testTLS(t, 'k'), Log: log.logger()}, &active{})
	for i, f := range []frame{{kind: 200, session: 1}, {kind: kindOpen}, {kind: kindHello, session: 1}} {
		hail(h.address, testTLS(t, 'k'), "id", f)
		until(t, "for the end of the connection", func() bool { return log.count("a gateway is disconnected") == i+1 })
		if n := log.count(errFrame.Error()); n != i+1 {
			t.Errorf("of %d frames, %d were refused", i+1, n)
		}
	}
}

func encode(t testing.TB, frames ...frame) []byte {
	t.Helper()
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	for _, f := range frames {
		if err := f.write(w); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush()
	return b.Bytes()
}

// FuzzFrames reads frames from arbitrary bytes. Whatever is accepted is written
// again as the same bytes, and is no larger than allowed.
func FuzzFrames(f *testing.F) {
	f.Add(encode(f, frame{kind: kindHello, number: protocolVersion, payload: []byte("id")}, frame{kind: kindBeat}))
	f.Add(encode(f, frame{kind: kindOpen, session: 16, payload: []byte(`{"Name":"anna"}`)}, frame{kind: kindAct, session: 16, number: 1, payload: []byte("fire")}))
	f.Add(encode(f, frame{kind: kindMessage, session: 1 << 40, number: 1 << 50, epoch: 1 << 60, payload: []byte("did")}))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bufio.NewReaderSize(bytes.NewReader(data), 64)
		for rest := data; ; {
			fr, err := readFrame(r)
			if err != nil {
				return
			}
			b := encode(t, fr)
			if !bytes.HasPrefix(rest, b) || len(fr.payload) > MaxPayload {
				t.Fatalf("%+v was read from other bytes than it is written as", fr)
			}
			rest = rest[len(b):]
		}
	})
}

// deliver passes arbitrary frames to one end of a connection.
func deliver(data []byte, receive func(frame) error) {
	r := bufio.NewReader(bytes.NewReader(data))
	for {
		if f, err := readFrame(r); err != nil || receive(f) != nil {
			return
		}
	}
}

// FuzzServer sends arbitrary frames of a gateway to the active node.
func FuzzServer(f *testing.F) {
	f.Add(encode(f, frame{kind: kindOpen, session: 16, payload: []byte(`{"Name":"anna"}`)}, frame{kind: kindAct, session: 16, number: 1}, frame{kind: kindClose, session: 16}))
	f.Add(encode(f, frame{kind: kindOpen, session: 17, payload: []byte(`{"Name":"stranger"}`)}, frame{kind: kindTaken, session: 17}, frame{kind: kindBeat}))
	f.Fuzz(func(t *testing.T, data []byte) {
		a := newNodeOn(t, 1, &pipeListener{make(chan net.Conn), make(chan struct{})})
		c := newConn(nil, a.role)
		c.serial = 1
		deliver(data, func(f frame) error {
			err := a.server.receive(c, f)
			c.next()
			for _, x := range a.all() {
				x.mu.Lock()
				n := x.creditLocked()
				x.mu.Unlock()
				if n < 0 {
					t.Fatalf("%d updates too many of the session are on their way", -n)
				}
			}
			return err
		})
		a.server.close()
	})
}

// FuzzGateway sends arbitrary frames of the active node to a gateway.
func FuzzGateway(f *testing.F) {
	opened := frame{kind: kindMessage, session: 16, number: 1, epoch: 1, payload: []byte(`{"Opened":true,"State":{}}`)}
	f.Add(encode(f, opened, frame{kind: kindMessage, session: 16, number: 2, epoch: 1, payload: []byte(`{"Reply":1}`)}))
	f.Add(encode(f, opened, frame{kind: kindMessage, session: 16, number: 2, epoch: 1, payload: []byte(`{"Update":{"Kind":9},"Opened":true}`)}, frame{kind: kindClose, session: 16, epoch: 2}))
	f.Fuzz(func(t *testing.T, data []byte) {
		cfg := Config{}.withDefaults()
		g := &Gateway{
			cfg: cfg, election: &Election{cfg: cfg, changed: make(chan struct{}), state: State{Epoch: 1}},
			sessions: map[uint64]*remote{}, lobby: make(chan []byte, 1), last: 15,
		}
		g.ctx, g.cancel = context.WithCancel(t.Context())
		r, err := g.newRemote(client("anna"))
		if err != nil {
			t.Fatal(err)
		}
		r.conn, r.order, r.reply = newConn(nil, nil), frame{number: 1}, make(chan *incoming, 1)
		r.slot <- struct{}{}
		deliver(data, g.receive)
		if n := waiting(r); n > maxUpdates+1 {
			t.Fatalf("%d updates wait", n)
		}
	})
}
