package sshd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/time/rate"
)

// The input of a session is read here and not by Bubble Tea: its reader leaves
// a goroutine behind at the end of a program, keeps as much as it is sent, and
// makes a table of keys for each session that is larger than the screens.

// inputLimits are how many bytes a session may type. A person with a key held
// down sends 30 a second, a pasted fleet has 100. More than that waits in the
// client: SSH's own flow control pushes back.
type inputLimits struct {
	rate  int // bytes a second
	burst int // bytes
}

const (
	// Each event is drawn, which costs far more than its byte: these are how
	// many a session may cause a second, and at once.
	eventRate, eventBurst = 200, 512

	inputChunk = 512 // bytes read at a time

	// escTime is how long the rest of a control sequence may take. What has
	// come by then is taken as it is: an escape is the escape key.
	escTime = 50 * time.Millisecond

	// pasteTime is how long a paste may be silent. It is taken for complete
	// then: were its end lost, the person could not type any more.
	pasteTime = 5 * time.Second
)

// errEndless ends a session whose input makes no sense.
var errEndless = errors.New("a paste or control sequence without an end")

// readInput hands what a session types to chunks, at a bounded rate, until the
// input ends or ctx does. Typed is called at each input.
func readInput(ctx context.Context, r io.Reader, l inputLimits, typed func(), chunks chan<- []byte) {
	limit := rate.NewLimiter(rate.Limit(l.rate), l.burst)
	buf := make([]byte, min(inputChunk, l.burst))
	for {
		n, err := r.Read(buf)
		if n > 0 {
			typed()
			if limit.WaitN(ctx, n) != nil {
				return
			}
			select {
			case chunks <- bytes.Clone(buf[:n]):
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// decodeInput turns chunks of bytes into events and hands them to send, until
// chunks is closed or ctx ends. It keeps at most maxRest bytes until they make
// an event: a paste that has not ended yet. An error says what is wrong with the input.
// Send must return once ctx ends.
func decodeInput(ctx context.Context, chunks <-chan []byte, maxRest int, send func(uv.Event)) (err error) {
	// The parser reads what strangers type; should it fail, only their own
	// session does.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the parser failed: %v", p)
		}
	}()
	var d decoder
	pace := rate.NewLimiter(eventRate, eventBurst)
	var late <-chan time.Time // since bytes wait for others; nil if none do
	for {
		expired, pasting := false, d.pasting
		select {
		case chunk, ok := <-chunks:
			if !ok {
				return nil
			}
			if d.rest = append(d.rest, chunk...); len(d.rest) > maxRest {
				return errEndless
			}
		case <-late:
			late, expired = nil, true
		case <-ctx.Done():
			return nil
		}
		for e := d.next(expired); e != nil; {
			following := d.next(expired)
			if passes(e, following) {
				e = following
				continue
			}
			if pace.Wait(ctx) != nil {
				return nil
			}
			send(e)
			e = following
		}
		switch {
		case d.pasting:
			late = time.After(pasteTime)
		case len(d.rest) == 0:
			late = nil
		case late == nil || pasting:
			late = time.After(escTime)
		}
	}
}

// passes tells whether an event is a move of the mouse on its way to the next
// one: what counts is where it has come to. So a mouse that is shaken does not
// hold up the keys behind it.
func passes(e, following uv.Event) bool {
	from, ok := e.(uv.MouseMotionEvent)
	to, goes := following.(uv.MouseMotionEvent)
	return ok && goes && from.Button == to.Button
}

// decoder splits input into events.
type decoder struct {
	parser  uv.EventDecoder
	rest    []byte // not decoded yet
	pasting bool   // rest is the beginning of a paste
}

var pasteEnd = []byte("\x1b[201~")

// next is the next event that a program is to see: keys, pastes and the mouse.
// A client can type anything else, too, such as a report of a size that nobody
// has asked for. Nil means that more bytes are needed; with expired, no more
// will come for those that are here.
func (d *decoder) next(expired bool) uv.Event {
	for d.pasting || len(d.rest) > 0 {
		if d.pasting {
			text, rest, ended := bytes.Cut(d.rest, pasteEnd)
			if !ended && !expired {
				return nil
			}
			d.pasting = false
			d.rest = rest
			return uv.PasteEvent{Content: string(bytes.ToValidUTF8(text, nil))}
		}
		n, e := d.parser.Decode(d.rest)
		_, unknown := e.(uv.UnknownEvent)
		if !expired && (unknown || n <= 2 && d.rest[0] == '\x1b') {
			return nil
		}
		if d.rest = d.rest[n:]; len(d.rest) == 0 {
			d.rest = nil // an idle session keeps no memory for it
		}
		switch e.(type) {
		case uv.PasteStartEvent:
			d.pasting = true
		case uv.KeyPressEvent, uv.MouseClickEvent, uv.MouseReleaseEvent, uv.MouseWheelEvent, uv.MouseMotionEvent:
			return e
		}
	}
	return nil
}
