package logging

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"broadside/internal/ratelimit"
)

// logRates limits the lines with one message: at once and then per minute, for one client (an
// address and a user name), for one address, and in total. The lines beyond that are
// summarized once a minute.
var logRates = [...]struct {
	burst     int
	perMinute int
}{ofClient: {10, 6}, ofAddress: {60, 30}, ofMessage: {600, 600}}

const (
	ofClient = iota
	ofAddress
	ofMessage
)

const (
	// maxLogKeys is the number of clients and addresses that are counted separately.
	maxLogKeys = 1 << 13

	// repeatTime is the interval of summaries.
	repeatTime = time.Minute
)

// logQuota limits how many lines clients can cause. Its methods may be called from any
// goroutine.
type logQuota struct {
	mu    sync.Mutex
	keys  map[logKey]*logCount // guarded by mu
	timer *time.Timer          // guarded by mu: for the next summary; nil without keys
}

// logKey identifies lines that are counted together. User and network are empty if the level
// ignores them.
type logKey struct {
	level   int // index in logRates
	message string
	network netip.Prefix
	user    string
}

// logCount counts the lines of one key.
type logCount struct {
	limit    *rate.Limiter
	burst    int
	repeated int          // lines suppressed since the last summary
	last     slog.Record  // the last suppressed line
	handler  slog.Handler // the handler of that line
}

func newLogQuota() *logQuota { return &logQuota{keys: map[logKey]*logCount{}} }

// isCanceled reports whether a line is about a canceled operation, which only means that a
// client has left or the server is shutting down.
func isCanceled(r slog.Record) bool {
	canceled := false
	r.Attrs(func(a slog.Attr) bool {
		err, ok := a.Value.Any().(error)
		canceled = ok && errors.Is(err, context.Canceled)
		return !canceled
	})
	return canceled
}

// allows reports whether to write a line. If not, it counts the line for the next summary.
func (q *logQuota) allows(h slog.Handler, r slog.Record) bool {
	keys := logKeys(r)
	now := time.Now()
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, k := range keys {
		if k.level != ofMessage && !k.network.IsValid() {
			continue // not about a client
		}
		c := q.countLocked(k)
		if c == nil || c.limit.AllowN(now, 1) {
			continue
		}
		c.repeated++
		c.last, c.handler = r, h
		return false
	}
	return true
}

// logKeys returns the keys of a line, in the order of logRates.
func logKeys(r slog.Record) [len(logRates)]logKey {
	var network netip.Prefix
	user := ""
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "remote":
			if at, err := netip.ParseAddrPort(a.Value.String()); err == nil {
				network = ratelimit.Network(at.Addr())
			}
		case "user", "name":
			user = a.Value.String()
		}
		return true
	})
	return [...]logKey{
		{level: ofClient, message: r.Message, network: network, user: user},
		{level: ofAddress, message: r.Message, network: network},
		{level: ofMessage, message: r.Message},
	}
}

// countLocked returns the counter of a key, or nil if there are too many.
func (q *logQuota) countLocked(k logKey) *logCount {
	if c := q.keys[k]; c != nil {
		return c
	}
	if k.level != ofMessage && len(q.keys) >= maxLogKeys {
		return nil
	}
	of := logRates[k.level]
	c := &logCount{limit: rate.NewLimiter(rate.Limit(float64(of.perMinute)/60), of.burst), burst: of.burst}
	q.keys[k] = c
	if q.timer == nil {
		q.timer = time.AfterFunc(repeatTime, q.summarize)
	}
	return c
}

// summarize writes the last suppressed line of each key with their number, and removes idle
// keys.
func (q *logQuota) summarize() {
	q.mu.Lock()
	now := time.Now()
	var due []logCount
	for level := range logRates { // messages last, because others are merged into them
		for k, c := range q.keys {
			switch {
			case k.level != level:
			case c.repeated > 0:
				if level == ofMessage || q.mergeLocked(k, c, now) {
					due = append(due, *c)
				}
				c.repeated = 0
			case c.limit.TokensAt(now) >= float64(c.burst):
				delete(q.keys, k)
			}
		}
	}
	if q.timer = nil; len(q.keys) > 0 {
		q.timer = time.AfterFunc(repeatTime, q.summarize)
	}
	q.mu.Unlock()
	for _, c := range due {
		c.last.AddAttrs(slog.Int("repeated", c.repeated))
		_ = c.handler.Handle(context.Background(), c.last) // a log has nowhere to report its own errors
	}
}

// mergeLocked reports whether to write a summary about one client or address. If not, it adds
// the summary to that of the message.
func (q *logQuota) mergeLocked(k logKey, c *logCount, now time.Time) bool {
	all := q.countLocked(logKey{level: ofMessage, message: k.message})
	if all.limit.AllowN(now, 1) {
		return true
	}
	all.repeated += c.repeated
	all.last, all.handler = c.last, c.handler
	return false
}

// flush writes the pending summaries and stops the timer.
func (q *logQuota) flush() {
	q.summarize()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.timer != nil {
		q.timer.Stop()
		q.timer = nil
	}
}
