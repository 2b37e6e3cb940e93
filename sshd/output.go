package sshd

import (
	"io"
	"time"
)

// deadlineWriter cuts a session's connection if a write takes too long. A
// client that does not read would otherwise hold its program, and whoever
// waits for that, for ever.
type deadlineWriter struct {
	w   io.Writer
	d   time.Duration
	cut func()
}

func (w deadlineWriter) Write(p []byte) (int, error) {
	t := time.AfterFunc(w.d, w.cut)
	defer t.Stop()
	return w.w.Write(p)
}
