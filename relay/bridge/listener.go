package bridge

import "sync"

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

// listen starts reading lines with next. The caller must call stop.
func listen(next func() (string, error)) *listener {
	l := &listener{said: make(chan said), done: make(chan struct{})}
	l.reader.Go(func() { l.read(next) })
	return l
}

func (l *listener) read(next func() (string, error)) {
	for {
		line, err := next()
		select {
		case l.said <- said{line, err}:
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
