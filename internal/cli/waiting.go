package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"broadside/relay/bridge"
)

// waitNotice prints a notice if a bot waits long for an opponent. begin and end must be called from one
// goroutine, which must not write to errs in between.
type waitNotice struct {
	errs    io.Writer
	text    string
	again   bool          // the bot has waited before
	over    chan struct{} // closed by end; nil while the bot does not wait
	writers sync.WaitGroup
}

// begin is called when the bot starts to wait. It does nothing if the bot waits already.
func (w *waitNotice) begin() {
	if w.over != nil {
		return
	}
	delay := bridge.FirstNotice
	if w.again {
		delay = bridge.NextNotice
	}
	over := make(chan struct{})
	w.again, w.over = true, over
	w.writers.Go(func() {
		late := time.NewTimer(delay)
		defer late.Stop()
		select {
		case <-late.C:
			fmt.Fprintf(w.errs, "broadside: %s\n", w.text)
		case <-over:
		}
	})
}

// end is called when the bot no longer waits. It does nothing if the bot does not wait.
func (w *waitNotice) end() {
	if w.over == nil {
		return
	}
	close(w.over)
	w.writers.Wait()
	w.over = nil
}
