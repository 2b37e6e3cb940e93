package main

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
)

// output is what a program writes, as it comes.
type output struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{}
}

func newOutput() *output { return &output{changed: make(chan struct{}, 1)} }

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.changed <- struct{}{}:
	default:
	}
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// wait waits for a text.
func (o *output) wait(t *testing.T, text string) {
	t.Helper()
	late := time.After(patience)
	for !strings.Contains(o.String(), text) {
		select {
		case <-o.changed:
		case <-late:
			t.Fatalf("there is no %q in:\n%s", text, o)
		}
	}
}
