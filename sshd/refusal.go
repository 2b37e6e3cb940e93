package sshd

import (
	"crypto/rand"
	"encoding/binary"
	"io"
	"net"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
)

const (
	// maxRefusals is the maximum number of clients that are sent a reason at the same time. Others are refused
	// without one.
	maxRefusals = 64
	refusalTime = time.Second
	// maxRefusalInput is the maximum number of bytes from the client that are discarded.
	maxRefusalInput = 64 << 10
)

// sendRefusal sends a client that has just connected a disconnect message with the reason, which every client
// shows. It returns within refusalTime. The caller closes the connection.
func (s *Server) sendRefusal(nc net.Conn, reason error) {
	select {
	case s.refusals <- struct{}{}:
		defer func() { <-s.refusals }()
	default:
		return
	}
	// Like the calls below, SetDeadline fails only on a closed connection.
	_ = nc.SetDeadline(time.Now().Add(refusalTime))
	if _, err := nc.Write(disconnectMessage(narrate.ErrorSentence(i18n.English, reason))); err != nil {
		return
	}
	// Closing with unread input would reset the connection and lose the message.
	if half, ok := nc.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
	_, _ = io.CopyN(io.Discard, nc, maxRefusalInput)
}

// version is the server's identification string.
const version = "SSH-2.0-Broadside"

// disconnectMessage returns the identification string and an unencrypted disconnect message. See RFC 4253.
func disconnectMessage(text string) []byte {
	// The type is SSH_MSG_DISCONNECT, and the reason is SSH_DISCONNECT_TOO_MANY_CONNECTIONS.
	payload := gossh.Marshal(struct {
		Type     byte
		Reason   uint32
		Text     string
		Language string
	}{1, 12, text, ""})
	const block, least = 8, 4
	padding := block - (4+1+len(payload))%block
	if padding < least {
		padding += block
	}
	b := []byte(version + "\r\n")
	b = binary.BigEndian.AppendUint32(b, uint32(1+len(payload)+padding))
	b = append(b, byte(padding))
	b = append(b, payload...)
	fill := make([]byte, padding)
	rand.Read(fill)
	return append(b, fill...)
}
