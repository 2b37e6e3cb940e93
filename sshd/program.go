package sshd

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/term/frame"
)

// resizePause is the least time between two changes of a screen's size. Each
// of them has it drawn whole.
const resizePause = 30 * time.Millisecond

const internalError i18n.Text = "Internal error. Your game is safe: connect again to go on."

// program is the program of a session that has a screen. See loop.go.
type program struct {
	session  *session
	ctx      context.Context // ends with it; nil until there is a model
	model    tea.Model       // run's only, then that of who waited for its end
	frames   *frame.Writer   // as model
	msgs     chan tea.Msg    // for the model
	commands sync.WaitGroup  // of the model
	fault    atomic.Bool     // it has panicked

	mu      sync.Mutex
	over    bool           // guarded by mu: nobody may end it any more
	parting i18n.Message   // guarded by mu: what to tell the person at the end
	enders  sync.WaitGroup // who is about to end it; added to under mu
}

// part says what there is to say to a person whose terminal is their own
// again, and returns the exit status.
func (p *program) part(out io.Writer, who Visitor) int {
	l := who.Language
	if s, ok := p.model.(interface{ Language() i18n.Language }); ok {
		p.safely("Language", func() { l = s.Language() })
	}
	p.mu.Lock()
	text, code := p.parting.In(l), 0
	p.mu.Unlock()
	if f, ok := p.model.(interface{ Farewell() (string, int) }); ok && text == "" {
		p.safely("Farewell", func() { text, code = f.Farewell() })
	}
	if p.fault.Load() {
		text, code = l.Say(internalError), 1
	}
	if text != "" {
		_, _ = fmt.Fprintf(out, "%s\n", text) // who left need not read it
	}
	return code
}

// end ends the program in an orderly way, with a sentence to read. It does not
// wait.
func (p *program) end(parting i18n.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over || p.ctx == nil {
		return
	}
	p.parting = parting
	p.enders.Go(func() { p.send(p.ctx, tea.QuitMsg{}) }) // returns when the program ends, at the latest
}

// notify shows the person a sentence, if the screen can. It does not wait.
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
	p.enders.Go(func() { p.send(p.ctx, msg) }) // returns when the program ends, at the latest
}

// finish waits for those who wanted to end the program.
func (p *program) finish() {
	p.mu.Lock()
	p.over = true
	p.mu.Unlock()
	p.enders.Wait()
}

func (p *program) connection() *connection { return p.session.conn }
