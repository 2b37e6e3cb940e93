package sshd

import (
	"net"
	"time"
)

// sendBufferSize is how many bytes of a connection the operating system keeps until they are
// sent. A full screen fits, so that writes block only if the line is slower than the screen
// changes.
const sendBufferSize = 32 << 10

// limitSendBuffer sets the buffer of a connection to sendBuffer. Without this limit, it grows
// to several megabytes, and the server would not notice that a line is slow.
func limitSendBuffer(nc net.Conn) {
	if tcp, ok := nc.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(sendBufferSize) // only slow lines need it
	}
}

const (
	// A line is slow if writes block for maxBlocked within lagPeriod. Writes shorter than
	// leastBlocked do not count.
	minBlocked = 50 * time.Millisecond
	maxBlocked = time.Second
	lagPeriod  = 10 * time.Second

	// A slow line is fast again if no write blocks for a time: minCalm at first, and twice
	// as long each time that it turns out to be slow after all.
	minCalm = time.Minute
	maxCalm = time.Hour
)

// lag measures how long writes to a client block, and decides whether its line is slow. The
// zero value is a fast line.
type lag struct {
	slow        bool
	blockedTime time.Duration // in the period that began at since
	periodStart time.Time
	lastBlock   time.Time     // when a write blocked last
	calmTime    time.Duration // how long writes of a slow line must not block
}

// recordWrite records a write that has just ended and how long it took. It reports whether slow
// has changed.
func (l *lag) recordWrite(took time.Duration) (changed bool) {
	now := time.Now()
	if took >= minBlocked {
		if now.Sub(l.periodStart) > lagPeriod {
			l.periodStart, l.blockedTime = now.Add(-took), 0
		}
		l.lastBlock, l.blockedTime = now, l.blockedTime+took
	}
	switch {
	case !l.slow && l.blockedTime >= maxBlocked:
		l.slow, l.calmTime = true, min(max(2*l.calmTime, minCalm), maxCalm)
	case l.slow && now.Sub(l.lastBlock) >= l.calmTime:
		l.slow, l.blockedTime = false, 0
	default:
		return false
	}
	return true
}
