package sshd

import (
	"crypto/rand"
	"encoding/binary"
	"io"
	"net"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/i18n"
)

const (
	// maxPartings is how many are told at a time why they are turned away. With
	// more than that they just are.
	maxPartings = 64
	partingTime = time.Second
	partingRead = 64 << 10 // bytes of a client that are thrown away meanwhile
)

// turnAway tells a client that has only just connected why it is turned away,
// in the way that SSH has for it: every client shows that. It returns within
// [partingTime] and leaves the closing to its caller.
func (s *Server) turnAway(nc net.Conn, reason error) {
	select {
	case s.partings <- struct{}{}:
		defer func() { <-s.partings }()
	default:
		return
	}
	_ = nc.SetDeadline(time.Now().Add(partingTime)) // fails on a closed connection only, as the rest will
	if _, err := nc.Write(parting(sentence(i18n.English, reason))); err != nil {
		return
	}
	// Closing with unread input would destroy the message on its way.
	if half, ok := nc.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
	_, _ = io.CopyN(io.Discard, nc, partingRead)
}

// version is how the server greets.
const version = "SSH-2.0-Broadside"

// parting is the server's greeting and a disconnect message, as RFC 4253 has
// them before there are keys.
func parting(text string) []byte {
	payload := gossh.Marshal(struct {
		Type     byte
		Reason   uint32
		Text     string
		Language string
	}{1, 12, text, ""}) // SSH_MSG_DISCONNECT, SSH_DISCONNECT_TOO_MANY_CONNECTIONS
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
