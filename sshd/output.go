package sshd

import (
	"io"
	"slices"
	"time"
)

// longestPacket is how many bytes of output go at once. The library keeps two
// buffers as large as the longest packet for as long as a session lives, and only
// whole screens are longer.
const longestPacket = 2 << 10

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
	written := 0
	for packet := range slices.Chunk(p, longestPacket) {
		n, err := w.w.Write(packet)
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}
