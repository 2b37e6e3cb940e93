package bridge

import (
	"io"
	"sync"

	"broadside/relay/client"
)

// said is a line, or the error that ended the lines.
type said struct {
	line string
	err  error
}

// listener reads lines until an error, which comes last.
type listener struct {
	said   chan said
	done   chan struct{}
	reader sync.WaitGroup
}

// listen starts reading. The caller must call stop.
func listen(r io.Reader) *listener {
	l := &listener{said: make(chan said), done: make(chan struct{})}
	l.reader.Go(func() { l.read(r) })
	return l
}

func (l *listener) read(r io.Reader) {
	for lines := client.NewLines(r); ; {
		line, err := lines.Next()
		select {
		case l.said <- said{string(line), err}:
		case <-l.done:
			return
		}
		if err != nil {
			return
		}
	}
}

// stop waits for the reader, whose reads must fail from now on.
func (l *listener) stop() {
	close(l.done)
	l.reader.Wait()
}
