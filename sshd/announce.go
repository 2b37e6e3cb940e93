package sshd

import (
	"crypto/rand"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// The server announces all of its host keys after a login, so that clients know the
// next keys before they are used: see section 2.5 of OpenSSH's PROTOCOL. A client that
// does not know a key requests a proof that the server has it.
const (
	announceRequest = "hostkeys-00@openssh.com"
	proveRequest    = "hostkeys-prove-00@openssh.com"
)

// announceHostKeys sends a client all host keys.
func (s *Server) announceHostKeys(c *connection, sc *gossh.ServerConn) {
	late := time.AfterFunc(s.limits().WriteTimeout, func() { c.cut("does not read") })
	defer late.Stop()
	var payload []byte
	for _, k := range s.hostKeys {
		payload = append(payload, gossh.Marshal(struct{ Key []byte }{k.signer.PublicKey().Marshal()})...)
	}
	_, _, _ = sc.SendRequest(announceRequest, false, payload) // fails if the client has left
}

// proveHostKeys answers a request to prove that the server has certain keys.
func (s *Server) proveHostKeys(ctx ssh.Context, _ *ssh.Server, req *gossh.Request) (ok bool, payload []byte) {
	sc, in := ctx.Value(ssh.ContextKeyConn).(gossh.Conn)
	if !in {
		return false, nil
	}
	payload = s.prove(sc.SessionID(), req.Payload)
	return payload != nil, payload
}

// prove returns a signature by each of the keys that a client asks about. It returns
// nil if the request is malformed or has another key.
func (s *Server) prove(session, asks []byte) (signatures []byte) {
	for n := 0; len(asks) > 0; n++ {
		var asked struct {
			Key  []byte
			Rest []byte `ssh:"rest"`
		}
		if gossh.Unmarshal(asks, &asked) != nil || n == len(s.hostKeys) {
			return nil
		}
		asks = asked.Rest
		signer := s.holder(asked.Key)
		if signer == nil {
			return nil
		}
		signature, err := signer.Sign(rand.Reader, gossh.Marshal(struct {
			Request string
			Session []byte
			Key     []byte
		}{proveRequest, session, asked.Key}))
		if err != nil {
			return nil
		}
		signatures = append(signatures, gossh.Marshal(struct{ Signature []byte }{gossh.Marshal(signature)})...)
	}
	return signatures
}

// holder returns the host key with a public key; nil if there is none.
func (s *Server) holder(public []byte) gossh.Signer {
	for _, k := range s.hostKeys {
		if string(k.signer.PublicKey().Marshal()) == string(public) {
			return k.signer
		}
	}
	return nil
}
