package sshd

import (
	"net"
	"time"
)

// sendBufferSize is the number of bytes of a connection that the operating system keeps until they are sent. A
// full screen fits, so that writes block only if the line is slower than the screen changes.
const sendBufferSize = 32 << 10

// limitSendBuffer sets a connection's buffer to sendBufferSize. Without this limit, it grows to several
// megabytes, and the server would not notice that a line is slow.
func limitSendBuffer(nc net.Conn) {
	if tcp, ok := nc.(*net.TCPConn); ok {
		// An error matters only on slow lines.
		_ = tcp.SetWriteBuffer(sendBufferSize)
	}
}

const (
	// A line is slow if writes block for maxBlocked within lagPeriod. Writes shorter than
	// minBlocked do not count.
	minBlocked = 50 * time.Millisecond
	maxBlocked = time.Second
	lagPeriod  = 10 * time.Second

	// A slow line counts as fast after minCalm without a blocked write. The period doubles, up to maxCalm, each
	// time the line is slow again.
	minCalm = time.Minute
	maxCalm = time.Hour
)

// lag measures how long writes to a client block, and decides whether its line is slow. Its zero value is a
// fast line.
type lag struct {
	slow bool
	// blockedTime is how long writes have blocked since periodStart.
	blockedTime time.Duration
	periodStart time.Time
	lastBlock   time.Time
	// calmTime is how long no write of a slow line may block.
	calmTime time.Duration
}

// recordWrite records how long a write took that has just ended. It reports whether slow has changed.
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
