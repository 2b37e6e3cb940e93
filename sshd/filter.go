package sshd

import (
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// What a session may set in its environment.
const (
	maxEnv      = 32
	maxEnvBytes = 4096
)

// requestTime is how long a session channel is kept for which no shell and no
// command is requested.
const requestTime = 10 * time.Second

// filter passes on the requests that the library is to see, until the channel
// ends. It closes the channel if no session is requested in time.
func (s *session) filter(in <-chan *gossh.Request, out chan<- *gossh.Request, ch gossh.Channel) {
	f := requestFilter{window: s.window}
	late := time.NewTimer(requestTime)
	defer late.Stop()
	for {
		select {
		case req, ok := <-in:
			switch {
			case !ok:
				return
			case f.passes(req):
				if isStart(req) {
					late.Stop()
				}
				out <- req // the library reads on until the channel is closed
			}
		case <-late.C:
			cut := time.AfterFunc(s.server.limits().WriteTimeout, func() { s.conn.cut("does not close its session") })
			defer cut.Stop()
			_ = ch.Close() // fails if the client has closed it already
		}
	}
}

// isStart reports whether a request is for a shell or a command.
func isStart(req *gossh.Request) bool { return req.Type == "shell" || req.Type == "exec" }

// requestFilter chooses the requests that the library is to see: one terminal of
// harmless size, no resizes, and a bounded environment. Requests that the server
// does not serve end here.
type requestFilter struct {
	window        *window
	env, envBytes int
}

// passes reports whether the library is to see a request. It answers the others.
func (f *requestFilter) passes(req *gossh.Request) bool {
	pass := false
	switch req.Type {
	case "window-change":
		var p struct{ Width, Height, PixelWidth, PixelHeight uint32 }
		if gossh.Unmarshal(req.Payload, &p) == nil {
			f.window.resize(p.Width, p.Height)
		}
		reply(req, true)
		return false
	case "pty-req":
		pass = f.window.open(req)
	case "env":
		f.env, f.envBytes = f.env+1, f.envBytes+len(req.Payload)
		pass = f.env <= maxEnv && f.envBytes <= maxEnvBytes
	default:
		pass = isStart(req)
	}
	if !pass {
		reply(req, false)
	}
	return pass
}

func reply(req *gossh.Request, ok bool) {
	if req.WantReply {
		req.Reply(ok, nil) // fails only if the connection is gone
	}
}
