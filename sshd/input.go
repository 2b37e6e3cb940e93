package sshd

import (
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/time/rate"

	"broadside/internal/i18n"
)

// Bubble Tea's input reader is not used. It leaks a goroutine at the end of a program, buffers any amount of
// input, and keeps a table of keys for each session that is larger than the screens.

// Limits of keys and mouse events per second, and at the same time. A held key repeats 30 times per second, and
// a slow link delivers several seconds of typing together.
const (
	keyRate, keyBurst     = 50, 100
	mouseRate, mouseBurst = 100, 200
)

// quietTime is how long keys are ignored after the last excess key. The end of a text pasted as keys must not
// play the game.
const quietTime = 300 * time.Millisecond

// noticeTime is the minimum time between two notices about ignored input.
const noticeTime = 5 * time.Second

// Notices about ignored input.
const (
	tooManyKeys i18n.Key = "Too much input at once: the rest was ignored."
	longPaste   i18n.Key = "The pasted text is too long and was ignored."
)

// eventReader turns a session's input into events. Only one goroutine may use it.
type eventReader struct {
	input *inputBuffer
	// onInput is called for all input.
	onInput func()
	// showNotice shows the user a sentence without waiting.
	showNotice func(i18n.Key)

	decoder decoder
	// answerDeadline is when the terminal's next answer must have started.
	answerDeadline time.Time
	// nextEvent is decoded, but not returned yet.
	nextEvent uv.Event
	// timeout fires when undecoded bytes have waited too long for more. It is nil if there are none.
	timeout <-chan time.Time
	ended   bool

	keys, mouse *rate.Limiter
	// quietUntil is the time until which keys are ignored.
	quietUntil time.Time
	lastNotice time.Time
}

func newEventReader(input *inputBuffer, maxPaste int, onInput func(), showNotice func(i18n.Key)) *eventReader {
	return &eventReader{
		input: input, onInput: onInput, showNotice: showNotice, decoder: decoder{maxPaste: maxPaste},
		keys: rate.NewLimiter(keyRate, keyBurst), mouse: rate.NewLimiter(mouseRate, mouseBurst),
	}
}

// next returns the next event within the limits, or nil if there is none yet. It must be called when there is
// more input, and with expired when timeout fires.
func (r *eventReader) next(expired bool) uv.Event {
	if expired {
		r.timeout = nil
	}
	if r.nextEvent == nil && !r.decodeInput(expired) {
		r.startTimeout()
		return nil
	}
	// There may be more events, for which next must be called again.
	defer r.input.wakeReader()
	for r.nextEvent != nil {
		e := r.nextEvent
		r.nextEvent = r.decoder.next(false)
		if !isSuperseded(e, r.nextEvent) && r.acceptEvent(e) {
			return e
		}
	}
	return nil
}

// decodeInput decodes the first event of new input. It returns false if the event is not complete.
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
	r.timeout = nil
	if !d.pasting && len(d.rest) == 0 {
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

// acceptEvent reports whether the session accepts an event, and notifies the user if input is ignored.
func (r *eventReader) acceptEvent(e uv.Event) bool {
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

// isSuperseded reports whether an event is a mouse movement that the following event continues. It can be
// dropped, so that movements do not delay keys.
func isSuperseded(e, following uv.Event) bool {
	from, ok := e.(uv.MouseMotionEvent)
	to, isMotion := following.(uv.MouseMotionEvent)
	return ok && isMotion && from.Button == to.Button
}
