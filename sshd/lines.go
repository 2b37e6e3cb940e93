package sshd

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"charm.land/ssh"

	"broadside/internal/i18n"
	"broadside/internal/term/console"
)

// Lines holds a session in lines instead of on a screen: without a terminal, at
// one that cannot show more, or because the person asked for it. It returns the
// exit status, soon after ctx or the lines end. What others have to tell the
// person is in the language of the console.
type Lines func(ctx context.Context, who Visitor, c *console.Console) int

// plainWord is the word by which a command that opens a screen is held in lines.
const plainWord = "--plain"

// wantsLines takes the wish for a session in lines out of the words of a
// command, if it is one that opens a screen.
func (s *Server) wantsLines(commands []Command, words []string) ([]string, bool) {
	if s.cfg.Lines == nil {
		return words, false
	}
	for _, c := range commands {
		if c.Name == words[0] && c.Check != nil && (c.Plain || slices.Contains(words, plainWord)) {
			return slices.DeleteFunc(words, func(w string) bool { return w == plainWord }), true
		}
	}
	return words, false
}

// lineChunk is how many bytes of a session in lines are taken at a time.
const lineChunk = 512

// conversation is a session that is held in lines.
type conversation struct {
	session *session
	cancel  context.CancelFunc
	console *console.Console

	mu       sync.Mutex
	over     bool           // guarded by mu: nobody may notify it any more
	parting  i18n.Message   // guarded by mu: what to tell the person at the end
	speakers sync.WaitGroup // who notifies it; added to under mu
}

// end ends the conversation, with a sentence to read. It does not wait.
func (t *conversation) end(parting i18n.Message) {
	t.mu.Lock()
	t.parting = parting
	t.mu.Unlock()
	t.cancel()
}

// notify says a sentence to the person. It does not wait.
func (t *conversation) notify(said i18n.Message) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.over {
		t.speakers.Go(func() { t.console.Tell(said) })
	}
}

// finish waits for those who speak, and returns what is to be said at the end.
func (t *conversation) finish() (parting i18n.Message) {
	t.mu.Lock()
	t.over, parting = true, t.parting
	t.mu.Unlock()
	t.speakers.Wait()
	return parting
}

func (t *conversation) connection() *connection { return t.session.conn }

// converse holds the session in lines and returns its exit status.
func (s *session) converse(c ssh.Session, out io.Writer, who Visitor, terminal bool) int {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	con := console.New(out, terminal, func() int { width, _ := s.window.size(); return width })
	con.Speak(who.Language)
	t := &conversation{session: s, cancel: cancel, console: con}
	if !s.server.begin(t) {
		return 1
	}
	defer s.server.end(t)
	l := s.server.limits()
	watch := watchTime(t, l)

	var helpers sync.WaitGroup
	helpers.Go(func() { // the end of the input is not yet that of the session
		select {
		case <-s.window.closed:
			cancel()
		case <-ctx.Done():
		}
	})
	helpers.Go(func() {
		defer con.End(ctx)
		chunk := make([]byte, lineChunk)
		for {
			n, err := s.input.Read(chunk)
			if err != nil {
				return
			}
			watch.typed()
			con.Feed(ctx, chunk[:n])
		}
	})
	code := t.hold(ctx, who)
	cancel()
	if parting := t.finish(); parting.Text != "" {
		con.Tell(parting)
	}
	_ = s.input.Close() // it has no errors
	s.leave(c, code)
	helpers.Wait()
	watch.stop()
	return code
}

// hold runs the App, which may panic.
func (t *conversation) hold(ctx context.Context, who Visitor) (code int) {
	defer func() {
		if p := recover(); p != nil {
			t.session.log.Error("session failed", "in", "lines", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			t.console.Tell(i18n.Mean(internalError))
			code = 1
		}
	}()
	return t.session.server.cfg.Lines(ctx, who, t.console)
}

// dumb tells whether a terminal can show no screen.
func dumb(term string) bool { return term == "dumb" || strings.HasPrefix(term, "dumb-") }
