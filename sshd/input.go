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
	input      *inputBuffer
	onInput    func()         // called for all input
	showNotice func(i18n.Key) // shows the user a sentence; does not wait

	decoder        decoder
	answerDeadline time.Time        // the deadline for the terminal's next answer
	nextEvent      uv.Event         // decoded, but not returned yet
	timeout        <-chan time.Time // fires when undecoded bytes have waited too long for more; nil: there are none
	ended          bool             // the input has ended

	keys, mouse *rate.Limiter
	quietUntil  time.Time // keys are ignored until then
	lastNotice  time.Time // when the last notice was shown
}

func newEventReader(input *inputBuffer, maxPaste int, onInput func(), showNotice func(i18n.Key)) *eventReader {
	return &eventReader{
		input: input, onInput: onInput, showNotice: showNotice, decoder: decoder{maxPaste: maxPaste},
		keys: rate.NewLimiter(keyRate, keyBurst), mouse: rate.NewLimiter(mouseRate, mouseBurst),
	}
}

// next returns the next event within the limits, or nil if there is none yet. It must be
// called when the input has more, and with expired when late fires.
func (r *eventReader) next(expired bool) uv.Event {
	if expired {
		r.timeout = nil
	}
	if r.nextEvent == nil && !r.decodeInput(expired) {
		r.startTimeout()
		return nil
	}
	defer r.input.wakeReader() // so that next is called again
	for r.nextEvent != nil {
		e := r.nextEvent
		r.nextEvent = r.decoder.next(false)
		if !isSuperseded(e, r.nextEvent) && r.isWithinLimits(e) {
			return e
		}
	}
	return nil
}

// decodeInput decodes the first event of new input, or returns false if it is not complete.
func (r *eventReader) decodeInput(expired bool) bool {
	data, ended := r.input.removeChunk()
	if len(data) > 0 {
		r.onInput()
		r.decoder.rest = append(r.decoder.rest, data...)
	}
	r.ended = ended
	r.nextEvent = r.decoder.next(expired && len(data) == 0)
	// These bytes may be the first part of an answer.
	if r.nextEvent == nil && len(data) > 0 && r.isAwaitingAnswer() {
		r.answerDeadline = time.Now().Add(answerTime)
	}
	return r.nextEvent != nil
}

// startTimeout limits how long undecoded bytes wait for more.
func (r *eventReader) startTimeout() {
	d := &r.decoder
	if r.timeout = nil; !d.pasting && len(d.rest) == 0 {
		return
	}
	patience := d.maxWait()
	// An escape may start an answer.
	if r.isAwaitingAnswer() {
		patience = max(patience, sequenceTime)
	}
	r.timeout = time.After(patience)
}

// isAwaitingAnswer reports whether the terminal may still start an answer.
func (r *eventReader) isAwaitingAnswer() bool { return time.Now().Before(r.answerDeadline) }

// isWithinLimits reports whether an event is within the limits.
func (r *eventReader) isWithinLimits(e uv.Event) bool {
	now := time.Now()
	switch e.(type) {
	case ignoredPaste:
		r.notifyUser(now, longPaste)
		return false
	case answer:
		return true
	case uv.MouseEvent:
		return r.mouse.AllowN(now, 1)
	}
	if now.Before(r.quietUntil) || !r.keys.AllowN(now, 1) {
		r.quietUntil = now.Add(quietTime)
		r.notifyUser(now, tooManyKeys)
		return false
	}
	return true
}

// notifyUser shows a notice, at most one per noticeTime.
func (r *eventReader) notifyUser(now time.Time, text i18n.Key) {
	if r.lastNotice.IsZero() || now.Sub(r.lastNotice) >= noticeTime {
		r.lastNotice = now
		r.showNotice(text)
	}
}

// isSuperseded reports whether an event is a mouse movement that the following event
// continues. It can be dropped, so that movements do not delay keys.
func isSuperseded(e, following uv.Event) bool {
	from, ok := e.(uv.MouseMotionEvent)
	to, goes := following.(uv.MouseMotionEvent)
	return ok && goes && from.Button == to.Button
}
