package sshd

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/tui/term"
)

// resizePause is the minimum time between two resizes of a screen, each of which redraws
// it.
const resizePause = 30 * time.Millisecond

// program runs the model of a session with a screen. See loop.go.
type program struct {
	session  *session
	ctx      context.Context // ends with the program; nil until there is a model
	model    tea.Model       // owned by run, and after it by its caller
	frames   *term.Writer    // owned like model
	query    query           // owned like model
	lag      lag             // owned like model
	msgs     chan tea.Msg    // to the model
	commands sync.WaitGroup  // of the model
	fault    atomic.Bool     // something has panicked

	mu      sync.Mutex
	over    bool           // guarded by mu: end and notify have no effect
	parting i18n.Message   // guarded by mu: the last message
	enders  sync.WaitGroup // started by end and notify; added to under mu
}

// part writes the last message to the restored terminal, and returns the exit status.
func (p *program) part() (status int) {
	l := p.session.user.Language
	if s, ok := p.model.(interface{ Language() i18n.Language }); ok {
		p.safely("Language", func() { l = s.Language() })
	}
	p.mu.Lock()
	text := p.parting.In(l)
	p.mu.Unlock()
	if f, ok := p.model.(interface{ Farewell() (string, int) }); ok && text == "" {
		p.safely("Farewell", func() { text, status = f.Farewell() })
	}
	if p.fault.Load() {
		text, status = l.Text(internalError), 1
	}
	if text != "" {
		fmt.Fprintln(p.session, text)
	}
	return status
}

// end implements [running].
func (p *program) end(parting i18n.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over || p.ctx == nil {
		return
	}
	p.parting = parting
	p.enders.Go(func() { p.send(p.ctx, tea.QuitMsg{}) }) // returns once the program takes the message or ends
}

// notify implements [running].
func (p *program) notify(said i18n.Message) {
	if p.session.server.cfg.Notice == nil {
		return
	}
	msg := p.session.server.cfg.Notice(said)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	p.enders.Go(func() { p.send(p.ctx, msg) }) // returns once the program takes the message or ends
}

// finish waits for pending calls of end and notify.
func (p *program) finish() {
	p.mu.Lock()
	p.over = true
	p.mu.Unlock()
	p.enders.Wait()
}

func (p *program) connection() *connection { return p.session.conn }
