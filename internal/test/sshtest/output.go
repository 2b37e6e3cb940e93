package sshtest

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

// Output collects a program's output. Its methods may be called from any goroutine,
// but only one may wait at a time.
type Output struct {
	mu      sync.Mutex
	text    bytes.Buffer  // guarded by mu
	changed chan struct{} // capacity 1; receives a value when output arrives
}

// NewOutput returns an empty output.
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

// String returns all output so far.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// WaitText waits for a text, and fails the test if it does not appear within five minutes.
func (o *Output) WaitText(t testing.TB, text string) {
	t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for !strings.Contains(o.String(), text) {
		select {
		case <-o.changed:
		case <-late.C:
			t.Fatalf("timed out waiting for %q; got:\n%s", text, o)
		}
	}
}
