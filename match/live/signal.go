package live

// Signal makes one goroutine look for news. Signals that are sent before it looks count as
// one. A nil Signal has no receiver.
type Signal chan struct{}

// NewSignal returns a signal that has not been sent.
func NewSignal() Signal { return make(Signal, 1) }

// Send sends the signal. It never waits.
func (s Signal) Send() {
	select {
	case s <- struct{}{}:
	default:
	}
}
