package cluster

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"broadside/match/live"
)

// protocolVersion is the version of frames and payloads. Nodes with different versions
// refuse each other, so increment it only for changes that the other version would
// misunderstand. New fields and new kinds of actions are compatible.
const protocolVersion = 3

// MaxPayload is the maximum size of a payload in bytes: an action, its result, an update
// or a hello. The largest payload is a lobby of many thousand people.
const MaxPayload = 16 << 20

// Timing and limits of the connection between a gateway and the active node.
const (
	handshakeTimeout = 3 * time.Second
	writeTimeout     = 5 * time.Second
	silenceTimeout   = 5 * time.Second
	beatEvery        = time.Second
	invalidPause     = 20 * time.Millisecond // between checks by a node that may not answer
	bufferSize       = 64 << 10

	lateTime  = 5 * time.Millisecond // how long an acknowledgement waits to be sent with other frames
	maxCredit = 2                    // updates per session sent but not yet taken
)

// Kinds of frames.
const (
	kindHello   byte = iota + 1 // both ends; number: version; payload: the gateway's ID
	kindBeat                    // both ends; keeps the connection alive; payload: the gateway's status, or those of all nodes
	kindLobby                   // gateway: follows the lobby; active node: payload: a lobby snapshot
	kindOpen                    // gateway; opens or attaches a session; number: of the newest message received; payload: the client
	kindAct                     // gateway; number: of the order; payload: an action or a query
	kindTaken                   // gateway; number: of the newest message whose update was taken
	kindClose                   // both ends; the session is over; payload: why, from the active node
	kindMessage                 // active node; number: of the message; payload: a message; the first one confirms the attachment
)

// farewell is the status of a node that is about to stop.
const farewell = "null"

// frame is the unit of the protocol.
type frame struct {
	kind    byte
	session uint64 // 0: the connection itself
	number  uint64
	epoch   int64 // of the sender; 0 from a gateway
	payload []byte
	counts  bool // not sent: the payload has an update, so it uses the session's credit
}

const headerLength = 4 + 1 + 3*8 // the payload's length and the other fields

var errFrame = errors.New("a frame that the protocol does not allow")

// write writes a frame, whose payload is no larger than [MaxPayload].
func (f frame) write(w *bufio.Writer) error {
	h := binary.BigEndian.AppendUint32(w.AvailableBuffer(), uint32(len(f.payload)))
	h = binary.BigEndian.AppendUint64(append(h, f.kind), f.session)
	h = binary.BigEndian.AppendUint64(h, f.number)
	w.Write(binary.BigEndian.AppendUint64(h, uint64(f.epoch))) // an error is returned by the next Write
	_, err := w.Write(f.payload)
	return err
}

// readFrame reads a frame. It allocates no more memory than the payload needs.
func readFrame(r *bufio.Reader) (f frame, err error) {
	var h [headerLength]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return f, err
	}
	n, field := binary.BigEndian.Uint32(h[:]), binary.BigEndian.Uint64
	f = frame{kind: h[4], session: field(h[5:]), number: field(h[13:]), epoch: int64(field(h[21:]))}
	if n > MaxPayload || (f.session == 0) != (f.kind <= kindLobby) {
		return f, errFrame
	}
	f.payload = make([]byte, n)
	_, err = io.ReadFull(r, f.payload)
	return f, err
}

// conn is either end of a connection between a gateway and the active node.
type conn struct {
	*tls.Conn
	r       *bufio.Reader
	w       *bufio.Writer
	active  *Active                // nil at a gateway
	gateway string                 // the gateway's ID, at the active node
	serial  int                    // increases with each connection, at the active node
	leaving bool                   // the gateway has sent its farewell; guarded by the server's lock
	wake    live.Signal            // there are frames to write
	status  func() json.RawMessage // payload of beats; nil: empty

	mu    sync.Mutex
	out   []frame   // frames to write; guarded by mu
	late  bool      // a delayed wake of run is scheduled; guarded by mu
	ready []*hosted // sessions with a message to send; guarded by mu
	lobby []byte    // the newest lobby snapshot, if it has not been written; guarded by mu
}

func newConn(t *tls.Conn, active *Active) *conn {
	c := &conn{Conn: t, active: active, r: bufio.NewReaderSize(t, bufferSize), wake: live.NewSignal()}
	c.w = bufio.NewWriterSize(c, bufferSize)
	return c
}

// greet exchanges hellos, the gateway's first, and returns the peer's hello. Both ends
// notice if their versions differ.
func (c *conn) greet(version uint64, payload []byte) (hello frame, err error) {
	own := frame{kind: kindHello, number: version, payload: payload}
	if c.active != nil {
		own.epoch = c.active.current().epoch
		hello, err = c.read()
	}
	if err == nil {
		err = own.write(c.w)
	}
	if err == nil {
		err = c.w.Flush()
	}
	if err == nil && c.active == nil {
		hello, err = c.read()
	}
	switch {
	case err != nil:
	case hello.kind != kindHello || hello.number == 0:
		err = errFrame
	case hello.number != version:
		err = fmt.Errorf("%w: this node uses version %d of their protocol, the other node version %d", ErrVersion, version, hello.number)
	}
	return hello, err
}

// Close closes the connection at once. TLS would first try to notify the peer.
func (c *conn) Close() error { return c.NetConn().Close() }

// Write waits while the active node may not answer. It fails if the peer does not read.
func (c *conn) Write(b []byte) (int, error) {
	for c.active != nil && !c.active.mayAnswer() {
		if err := c.SetWriteDeadline(time.Now()); err != nil { // the connection is closed
			return 0, err
		}
		time.Sleep(invalidPause)
	}
	if err := c.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// read reads a frame. It fails if the peer is silent for too long.
func (c *conn) read() (frame, error) {
	if err := c.SetReadDeadline(time.Now().Add(silenceTimeout)); err != nil {
		return frame{}, err
	}
	return readFrame(c.r)
}

// send queues a frame for run to write. It never blocks.
func (c *conn) send(f frame) {
	c.mu.Lock()
	c.out = append(c.out, f)
	c.mu.Unlock()
	c.flush(false)
}

// sendLater queues a frame to be written with the next ones, or after lateTime.
func (c *conn) sendLater(f frame) {
	c.mu.Lock()
	c.out = append(c.out, f)
	c.mu.Unlock()
	c.flush(true)
}

// queue schedules sending a session's message with the next flush.
func (c *conn) queue(x *hosted) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ready = append(c.ready, x)
}

// flush makes run write everything: now, or later with other frames.
func (c *conn) flush(later bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !later {
		c.wake.Send()
	} else if !c.late {
		c.late = true
		time.AfterFunc(lateTime, c.wake.Send)
	}
}

// sendLobby queues a lobby snapshot instead of one that has not been written.
func (c *conn) sendLobby(snapshot []byte) {
	c.mu.Lock()
	c.lobby = snapshot
	c.mu.Unlock()
	c.flush(false)
}

// next returns the message of a session that has one to send.
func (c *conn) next() (f frame, ok bool) {
	for !ok {
		x := c.nextReady()
		if x == nil {
			break
		}
		f, ok = x.next(c)
	}
	return f, ok
}

// nextReady returns a session with a message to send, or nil.
func (c *conn) nextReady() (x *hosted) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.late = false
	if len(c.ready) > 0 {
		x, c.ready = c.ready[0], c.ready[1:]
	}
	return x
}

// run uses the connection until it ends, and returns the reason. It calls receive for
// each frame. When ctx ends, the remaining frames are written before the connection is
// closed.
func (c *conn) run(ctx context.Context, receive func(frame) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	var writing sync.WaitGroup
	writing.Go(func() {
		cancel(c.writeAll(ctx))
		c.Close()
	})
	for ctx.Err() == nil {
		f, err := c.read()
		if err == nil {
			err = receive(f)
		}
		if err != nil {
			cancel(err)
			c.Close()
		}
	}
	writing.Wait()
	return context.Cause(ctx)
}

func (c *conn) sendHeartbeats() {
	f := frame{kind: kindBeat}
	if c.status != nil {
		f.payload = c.status()
	}
	c.send(f)
}

func (c *conn) writeAll(ctx context.Context) error {
	sendHeartbeats := time.NewTicker(beatEvery)
	defer sendHeartbeats.Stop()
	if c.status != nil {
		c.sendHeartbeats()
	}
	for batch := []frame(nil); ; {
		last := ctx.Err() != nil
		f, more := c.next()
		c.mu.Lock()
		c.late = false
		batch, c.out = c.out, batch[:0] // includes the frames that must precede f
		if len(c.lobby) > 0 {
			batch, c.lobby = append(batch, frame{kind: kindLobby, payload: c.lobby}), nil
		}
		c.mu.Unlock()
		if more {
			batch = append(batch, f)
		}
		for _, f := range batch {
			if c.active != nil {
				f.epoch = c.active.current().epoch
			}
			if err := f.write(c.w); err != nil {
				return err
			}
		}
		clear(batch)
		if more && !last {
			continue
		}
		if err := c.w.Flush(); err != nil || last {
			return err
		}
		select {
		case <-c.wake:
		case <-sendHeartbeats.C:
			c.sendHeartbeats()
		case <-ctx.Done():
		}
	}
}
