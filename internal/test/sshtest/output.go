package sshtest

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

// Output is what a program writes, as it comes. Its methods may be called from
// any goroutine; one at a time may wait.
type Output struct {
	mu      sync.Mutex
	text    bytes.Buffer  // guarded by mu
	changed chan struct{} // holds one token if something has come since the last wait
}

// NewOutput is an output that nothing has been written to.
func NewOutput() *Output { return &Output{changed: make(chan struct{}, 1)} }

// Write implements [io.Writer].
func (o *Output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.changed <- struct{}{}:
	default:
	}
	return o.text.Write(b)
}

// String is all that has come.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Wait waits for a text, and fails the test if it does not come within a minute.
func (o *Output) Wait(t testing.TB, text string) {
	t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for !strings.Contains(o.String(), text) {
		select {
		case <-o.changed:
		case <-late.C:
			t.Fatalf("there is no %q in:\n%s", text, o)
		}
	}
}
