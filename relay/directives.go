package relay

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/relay/client"
	"broadside/relay/program"
)

// directiveTable lists the directives. To add one, add a line here and its function, a line in
// package program, and describe it in docs/protocol.md.
var directiveTable = []directiveEntry{
	{verb: "hello", do: (*directives).hello},
	{verb: "token", do: (*directives).token},
	{verb: "rules", do: (*directives).rules, essential: true},
	{verb: "vs", do: (*directives).versus, essential: true},
	{verb: "ladder", do: (*directives).ladder, essential: true},
	{verb: "layout", do: (*directives).layout},
	{verb: "resume", do: (*directives).resume, essential: true},
	{verb: "games", do: (*directives).games},
	{verb: "rated", do: (*directives).rated},
	{verb: "casual", do: (*directives).casual},
	{verb: "ready", do: (*directives).ready, anytime: true},
}

// directiveEntry is a line of the table. Its function runs in the goroutine of the
// client's reader. It returns the answer, which begins with ok or error, and whether the
// client should enter the lobby at once.
type directiveEntry struct {
	verb      string
	do        func(d *directives, args []string) (answer string, ready bool)
	anytime   bool // also allowed after the first role
	essential bool // ends the connection if it is refused: the client would get another game than it asked for
}

// findDirective returns the entry of a verb.
func findDirective(verb string) (directiveEntry, bool) {
	for _, e := range directiveTable {
		if e.verb == verb {
			return e, true
		}
	}
	return directiveEntry{}, false
}

// directives carries out a client's directives about itself and its games. Directives
// come from the client's reader, one after another; the other methods may be called from
// any goroutine.
type directives struct {
	ctx        context.Context // ends when the client is gone
	session    *session.Session
	admitOwner func(context.Context, string) error // see [Config.AdmitOwner]
	leave      func()                              // ends the connection after the answer
	mistaken   int                                 // number of wrong tokens
	recall     func() bool                         // see [conn.recall]; nil unless the client is early
	out        *output
	seat       *seat

	mu      sync.Mutex      // never held while waiting
	request request         // guarded by mu until the client is let in; then only the player changes
	in      bool            // guarded by mu: the client has entered the lobby, has no session yet, or never will enter
	unknown map[string]bool // guarded by mu: directives about the client's identity whose lookup failed; the client is not let in under another identity
	busy    bool            // guarded by mu: a directive is being carried out, so the client does not enter yet
	due     bool            // guarded by mu: the client enters after it
	sent    atomic.Bool     // the client has sent a directive, so it understands them
	readied chan struct{}   // guarded by mu: capacity 1: receives a value for each ready directive; nil: no directive was sent
}

// answer carries out a directive and sends the answer. It reports whether the client should
// enter the lobby at once, or whether the directive ends the connection.
func (d *directives) answer(x client.Directive) (ready, ends bool) {
	d.mu.Lock()
	d.busy = true
	d.mu.Unlock()
	answer, ready, ends := d.handle(x)
	d.out.sendLine("%% %s", answer)
	if ends {
		d.leave()
	}
	// The next role must not overtake the answer.
	if x.Verb == "ready" {
		select {
		case d.readied <- struct{}{}:
		default:
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	ready = ready || d.due
	d.busy, d.due = false, false
	return ready, ends
}

// handle carries out a directive. It returns the answer, and whether the client should enter
// the lobby at once or must leave.
func (d *directives) handle(x client.Directive) (answer string, ready, ends bool) {
	e, known := findDirective(x.Verb)
	d.mu.Lock()
	d.sent.Store(true)
	if d.readied == nil {
		d.readied = make(chan struct{}, 1)
	}
	in := d.in
	d.mu.Unlock()
	if in && known && e.verb != "ready" && d.recall != nil && d.recall() {
		in = false
	}
	switch {
	case !known:
		return program.UnknownDirective, false, false
	case in && !e.anytime:
		return program.LateDirective(x.Verb), false, false
	}
	answer, ready = e.do(d, x.Args)
	ends = e.essential && !strings.HasPrefix(answer, "ok ") || d.mistaken >= maxMistaken
	return answer, ready, ends
}

// entry is the result of a client's attempt to enter the lobby.
type entry uint8

const (
	postponed     entry = iota // until the directive that is being carried out has been answered
	entered                    // it entered before
	enters                     // it enters now
	entersUnknown              // it enters, but its identity could not be looked up
)

// admit decides whether the client enters the lobby now. Once it has entered, its request
// does not change.
func (d *directives) admit() entry {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.in:
		return entered
	case d.busy:
		d.due = true
		return postponed
	}
	d.in = true
	if len(d.unknown) > 0 {
		return entersUnknown
	}
	return enters
}

// begin begins the time for directives: the client has a session.
func (d *directives) begin() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.in = false
}

// finish ends the time for directives. It returns false if the client had entered the
// lobby before or has no session.
func (d *directives) finish() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	in := d.in
	d.in = true
	return !in
}

// client returns the client's identity.
func (d *directives) client() account.Player {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.request.player
}

// identify sets the client's identity to that of the session.
func (d *directives) identify(p account.Player) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.request.player = p
}

// understood reports whether the client has sent a directive and so understands them.
func (d *directives) understood() bool { return d.sent.Load() }

// mute suppresses directives to the client until it sends another one.
func (d *directives) mute() { d.sent.Store(false) }

// hasReadied returns a channel that receives a value when the client sends ready.
func (d *directives) hasReadied() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.readied
}

// set changes the client's request and returns the answer ok, unless the client has
// already entered the lobby.
func (d *directives) set(verb string, change func(*request)) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.in {
		return program.LateDirective(verb)
	}
	change(&d.request)
	return "ok " + verb
}

// lookupTime limits the database lookup of a directive.
const lookupTime = 5 * time.Second

// lookup returns the context of a directive's lookup.
func (d *directives) lookup() (context.Context, context.CancelFunc) {
	return context.WithTimeout(d.ctx, lookupTime)
}

// lookedUp records whether a lookup for a directive failed, and returns the error for the
// client.
func (d *directives) lookedUp(verb string, err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		err = account.ErrStore
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if errors.Is(err, account.ErrStore) {
		if d.unknown == nil {
			d.unknown = map[string]bool{}
		}
		d.unknown[verb] = true
	} else {
		delete(d.unknown, verb)
	}
	return err
}
