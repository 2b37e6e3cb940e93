package sshd

import (
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/time/rate"

	"broadside/internal/i18n"
)

// Bubble Tea's input reader is not used: it leaks a goroutine at the end of a program,
// buffers any amount of input, and has a table of keys for each session that is larger
// than the screens.

// Limits on keys and mouse events per second, and at once. A held key repeats 30 times
// per second, and a slow link delivers several seconds of typing at once.
const (
	keyRate, keyBurst     = 50, 100
	mouseRate, mouseBurst = 100, 200
)

// quietTime is how long keys are ignored after the last excess key, so that the end of a
// text pasted as keys does not play the game.
const quietTime = 300 * time.Millisecond

// noticeTime is the minimum time between two notices about ignored input.
const noticeTime = 5 * time.Second

// Notices about ignored input.
const (
	tooManyKeys i18n.Key = "Too much input at once: the rest was ignored."
	longPaste   i18n.Key = "The pasted text is too long and was ignored."
)

// eventReader turns the input of a session into events. Only one goroutine may use it.
type eventReader struct {
	input  *inputBuffer
	typed  func()         // called for all input
	notice func(i18n.Key) // shows the user a sentence; does not wait

	decoder decoder
	answers time.Time        // the deadline for the terminal's next answer
	ahead   uv.Event         // decoded, but not returned yet
	late    <-chan time.Time // fires when undecoded bytes have waited too long for more; nil: there are none
	ended   bool             // the input has ended

	keys, mouse *rate.Limiter
	quiet       time.Time // keys are ignored until then
	noticed     time.Time // when the last notice was shown
}

func newEventReader(input *inputBuffer, maxPaste int, typed func(), notice func(i18n.Key)) *eventReader {
	return &eventReader{
		input: input, typed: typed, notice: notice, decoder: decoder{maxPaste: maxPaste},
		keys: rate.NewLimiter(keyRate, keyBurst), mouse: rate.NewLimiter(mouseRate, mouseBurst),
	}
}

// next returns the next event within the limits, or nil if there is none yet. It must be
// called when the input has more, and with expired when late fires.
func (r *eventReader) next(expired bool) uv.Event {
	if expired {
		r.late = nil
	}
	if r.ahead == nil && !r.read(expired) {
		r.wait()
		return nil
	}
	defer r.input.wake() // so that next is called again
	for r.ahead != nil {
		e := r.ahead
		r.ahead = r.decoder.next(false)
		if !passes(e, r.ahead) && r.allows(e) {
			return e
		}
	}
	return nil
}

// read decodes the first event of new input, or returns false if it is not complete.
func (r *eventReader) read(expired bool) bool {
	data, ended := r.input.take()
	if len(data) > 0 {
		r.typed()
		r.decoder.rest = append(r.decoder.rest, data...)
	}
	r.ended = ended
	r.ahead = r.decoder.next(expired && len(data) == 0)
	// These bytes may be the first part of an answer.
	if r.ahead == nil && len(data) > 0 && r.awaitsAnswers() {
		r.answers = time.Now().Add(answerTime)
	}
	return r.ahead != nil
}

// wait limits how long undecoded bytes wait for more.
func (r *eventReader) wait() {
	d := &r.decoder
	if r.late = nil; !d.pasting && len(d.rest) == 0 {
		return
	}
	patience := d.patience()
	// An escape may start an answer.
	if r.awaitsAnswers() {
		patience = max(patience, sequenceTime)
	}
	r.late = time.After(patience)
}

// awaitsAnswers reports whether the terminal may still start an answer.
func (r *eventReader) awaitsAnswers() bool { return time.Now().Before(r.answers) }

// allows reports whether an event is within the limits.
func (r *eventReader) allows(e uv.Event) bool {
	now := time.Now()
	switch e.(type) {
	case ignoredPaste:
		r.notify(now, longPaste)
		return false
	case answer:
		return true
	case uv.MouseEvent:
		return r.mouse.AllowN(now, 1)
	}
	if now.Before(r.quiet) || !r.keys.AllowN(now, 1) {
		r.quiet = now.Add(quietTime)
		r.notify(now, tooManyKeys)
		return false
	}
	return true
}

// notify shows a notice, at most one per noticeTime.
func (r *eventReader) notify(now time.Time, text i18n.Key) {
	if r.noticed.IsZero() || now.Sub(r.noticed) >= noticeTime {
		r.noticed = now
		r.notice(text)
	}
}

// passes reports whether an event is a mouse movement that the following event
// continues. It can be dropped, so that movements do not delay keys.
func passes(e, following uv.Event) bool {
	from, ok := e.(uv.MouseMotionEvent)
	to, goes := following.(uv.MouseMotionEvent)
	return ok && goes && from.Button == to.Button
}
