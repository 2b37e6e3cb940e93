package sshd

import (
	"io"
	"slices"
	"time"
)

// maxPacket is the maximum number of bytes of a packet. For the whole session, the library keeps two buffers as
// large as its largest packet, and most changes of a screen are smaller than maxPacket.
const maxPacket = 1 << 10

// Write implements [io.Writer]. It disconnects a client that does not read its output in time.
func (s *session) Write(p []byte) (int, error) { return s.writePackets(s.Session, p) }

// frameOutput writes frames directly to the channel. They contain no bare \n, so they need no translation by
// the session's Write, which copies everything.
type frameOutput struct{ session *session }

// Write implements [io.Writer].
func (o frameOutput) Write(p []byte) (int, error) {
	return o.session.writePackets(o.session.channel, p)
}

// Stderr implements [ssh.Session].
func (s *session) Stderr() io.ReadWriter { return stderr{s.Session.Stderr(), s} }

type stderr struct {
	io.ReadWriter
	session *session
}

// Write implements [io.Writer].
func (e stderr) Write(p []byte) (int, error) { return e.session.writePackets(e.ReadWriter, p) }

func (s *session) writePackets(w io.Writer, p []byte) (int, error) {
	t := time.AfterFunc(s.server.limits().WriteTimeout, func() { s.conn.closeWithReason("does not read") })
	defer t.Stop()
	if len(p) <= maxPacket {
		return w.Write(p)
	}
	s.conn.outbox.hold()
	defer s.conn.outbox.release()
	written := 0
	for packet := range slices.Chunk(p, maxPacket) {
		n, err := w.Write(packet)
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}
