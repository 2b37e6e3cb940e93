package sshd

import (
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// Limits on the environment of a session.
const (
	maxEnv      = 32
	maxEnvBytes = 4096
)

// requestTime is how long a session channel may stay open without a request for a
// shell or a command.
const requestTime = 10 * time.Second

// filterRequests forwards requests to the library until the channel ends. It closes the
// channel if no session is requested in time.
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
				out <- req // the library reads until the channel is closed
			}
		case <-late.C:
			cut := time.AfterFunc(s.server.limits().WriteTimeout, func() { s.conn.closeWithReason("does not close its session") })
			defer cut.Stop()
			_ = ch.Close() // fails if the client has closed it already
		}
	}
}

// isStartRequest reports whether a request is for a shell or a command.
func isStartRequest(req *gossh.Request) bool { return req.Type == "shell" || req.Type == "exec" }

// requestFilter selects the requests that the library may see: a terminal of a
// bounded size, no resizes, and a bounded environment.
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
		req.Reply(ok, nil) // fails only if the connection is gone
	}
}
