package bridge

import "sync"

// lineOrError is a line, or the error that ended them.
type lineOrError struct {
	line string
	err  error
}

// lineReader reads lines until an error, which comes last.
type lineReader struct {
	lines  chan lineOrError
	done   chan struct{}
	reader sync.WaitGroup
}

// startReading starts a goroutine that reads lines with next. The caller must call stop.
func startReading(next func() (string, error)) *lineReader {
	l := &lineReader{lines: make(chan lineOrError), done: make(chan struct{})}
	l.reader.Go(func() { l.readLines(next) })
	return l
}

func (l *lineReader) readLines(next func() (string, error)) {
	for {
		line, err := next()
		select {
		case l.lines <- lineOrError{line, err}:
		case <-l.done:
			return
		}
		if err != nil {
			return
		}
	}
}

// stop waits for the goroutine to end. The caller must have made next fail.
func (l *lineReader) stop() {
	close(l.done)
	l.reader.Wait()
}
