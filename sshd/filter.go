package sshd

import (
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// Limits of a session's environment.
const (
	maxEnv      = 32
	maxEnvBytes = 4096
)

// requestTime is how long a session channel may stay open without a request for a shell or a command.
const requestTime = 10 * time.Second

// filterRequests forwards the allowed requests to the library until the channel ends. It closes the channel if
// the client does not request a session within requestTime.
func (s *session) filterRequests(in <-chan *gossh.Request, out chan<- *gossh.Request, ch gossh.Channel) {
	f := requestFilter{window: s.window}
	late := time.NewTimer(requestTime)
	defer late.Stop()
	for {
		select {
		case req, ok := <-in:
			switch {
			case !ok:
				return
			case f.allows(req):
				if isStartRequest(req) {
					late.Stop()
				}
				// The library reads until the channel is closed.
				out <- req
			}
		case <-late.C:
			timeout := time.AfterFunc(s.server.limits().WriteTimeout, func() {
				s.conn.closeWithReason("does not close its session")
			})
			defer timeout.Stop()
			// Close fails if the client has closed the channel already.
			_ = ch.Close()
		}
	}
}

// isStartRequest reports whether the client requests a shell or a command.
func isStartRequest(req *gossh.Request) bool { return req.Type == "shell" || req.Type == "exec" }

// requestFilter selects the requests that the library may see: a terminal of a limited size, no resizes, and a
// limited environment.
type requestFilter struct {
	window        *window
	env, envBytes int
}

// allows reports whether the library may see a request. It replies to all others.
func (f *requestFilter) allows(req *gossh.Request) bool {
	pass := false
	switch req.Type {
	case "window-change":
		var p struct{ Width, Height, PixelWidth, PixelHeight uint32 }
		if gossh.Unmarshal(req.Payload, &p) == nil {
			f.window.resize(p.Width, p.Height)
		}
		replyTo(req, true)
		return false
	case "pty-req":
		pass = f.window.storeTerminal(req)
	case "env":
		f.env, f.envBytes = f.env+1, f.envBytes+len(req.Payload)
		pass = f.env <= maxEnv && f.envBytes <= maxEnvBytes
	default:
		pass = isStartRequest(req)
	}
	if !pass {
		replyTo(req, false)
	}
	return pass
}

func replyTo(req *gossh.Request, ok bool) {
	if req.WantReply {
		// Reply fails only if the connection is closed.
		req.Reply(ok, nil)
	}
}
