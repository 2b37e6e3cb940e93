package live

// Signal wakes one goroutine, which then looks for changes. Sending it more than once before the
// goroutine wakes has no further effect, and sending a nil Signal has none.
type Signal chan struct{}

// NewSignal returns a new signal.
func NewSignal() Signal { return make(Signal, 1) }

// Send sends the signal. It never waits.
func (s Signal) Send() {
	select {
	case s <- struct{}{}:
	default:
	}
}
