package cluster

import "sync"

// maxWaiting is how many messages may wait for their handler; those that come
// then are lost.
const maxWaiting = 1 << 16

// desk is where everything that a node hears is told to those who asked for it:
// one at a time, in the order in which it came.
type desk struct {
	mu       sync.Mutex
	wake     sync.Cond // something was added, or it is closed
	tasks    []func()
	messages int // of the tasks and early
	handle   func(from string, data []byte)
	early    []message // that came before there was a handler
	closed   bool
	done     chan struct{} // closed when the goroutine has ended
}

// message is one that was received.
type message struct {
	from string
	data []byte
}

// newDesk starts the goroutine of a desk, which ends with close.
func newDesk() *desk {
	d := &desk{done: make(chan struct{})}
	d.wake.L = &d.mu
	go d.run()
	return d
}

// run does the tasks.
func (d *desk) run() {
	defer close(d.done)
	var tasks []func()
	for {
		d.mu.Lock()
		for len(d.tasks) == 0 && !d.closed {
			d.wake.Wait()
		}
		if d.closed {
			d.mu.Unlock()
			return
		}
		// The other slice is used again, unless a rush has made it large.
		done := tasks[:0]
		if cap(done) > 1024 {
			done = nil
		}
		tasks, d.tasks = d.tasks, done
		d.mu.Unlock()
		for i, task := range tasks {
			if d.isClosed() {
				return
			}
			task()
			tasks[i] = nil
		}
	}
}

// isClosed says whether close was called.
func (d *desk) isClosed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.closed
}

// do has a task done, unless the desk is closed. It never waits.
func (d *desk) do(task func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.add(task)
}

// add has a task done. The caller holds mu.
func (d *desk) add(task func()) {
	if !d.closed {
		d.tasks = append(d.tasks, task)
		d.wake.Signal()
	}
}

// receive has a message told to the handler, now or when there is one.
func (d *desk) receive(from string, data []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.messages == maxWaiting:
		// It is lost, as messages may be.
	case d.handle == nil:
		d.messages++
		d.early = append(d.early, message{from, data})
	default:
		d.messages++
		d.tell(message{from, data})
	}
}

// tell has a message told to the handler. The caller holds mu.
func (d *desk) tell(m message) {
	d.add(func() {
		d.mu.Lock()
		d.messages--
		d.mu.Unlock()
		d.handle(m.from, m.data)
	})
}

// setHandle implements [Node.Handle].
func (d *desk) setHandle(f func(from string, data []byte)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.handle = f
	for _, m := range d.early {
		d.tell(m)
	}
	d.early = nil
}

// close ends the goroutine and waits for it, and for the task that it does.
func (d *desk) close() {
	d.mu.Lock()
	d.closed = true
	d.wake.Signal()
	d.mu.Unlock()
	<-d.done
}
