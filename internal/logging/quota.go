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

// How many lines with one message the log takes at once, and a minute after
// that: about one client (an address and the user it logs in as), about one
// address, and in all. A repeated line is written once a minute with the number
// of lines that it stands for.
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
	// maxLogKeys bounds the clients and addresses that are told apart.
	maxLogKeys = 1 << 13

	// repeatTime is the time between two summaries.
	repeatTime = time.Minute
)

// logQuota bounds the lines of a log, whatever strangers do. Its methods may be
// called from any goroutine.
type logQuota struct {
	mu    sync.Mutex
	keys  map[logKey]*logCount // guarded by mu
	timer *time.Timer          // guarded by mu: for the next summary; nil if there is nothing to summarize
}

// logKey says what lines count together. User and network are empty where they
// do not matter.
type logKey struct {
	level   int // which of the logRates holds
	message string
	network netip.Prefix
	user    string
}

// logCount counts the lines of one key.
type logCount struct {
	limit    *rate.Limiter
	burst    int
	repeated int          // lines that were left out since the last summary
	last     slog.Record  // the last one of them
	handler  slog.Handler // for it
}

func newLogQuota() *logQuota { return &logQuota{keys: map[logKey]*logCount{}} }

// isCanceled reports whether a line is about an error that only means that nobody
// waits for the result any more: a client has left, or the server ends. An
// operator cannot do anything about that.
func isCanceled(r slog.Record) bool {
	canceled := false
	r.Attrs(func(a slog.Attr) bool {
		err, ok := a.Value.Any().(error)
		canceled = ok && errors.Is(err, context.Canceled)
		return !canceled
	})
	return canceled
}

// allows reports whether a line is to be written. If not, it is counted for the
// next summary.
func (q *logQuota) allows(h slog.Handler, r slog.Record) bool {
	keys := logKeys(r)
	now := time.Now()
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, k := range keys {
		if k.level != ofMessage && !k.network.IsValid() {
			continue // it is about no client
		}
		c := q.count(k)
		if c == nil || c.limit.AllowN(now, 1) {
			continue
		}
		c.repeated++
		c.last, c.handler = r, h
		return false
	}
	return true
}

// logKeys are the keys that a line counts for, in the order of logRates.
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

// count returns the counter of a key, or nil if there are too many. It requires
// q.mu to be held.
func (q *logQuota) count(k logKey) *logCount {
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

// summarize writes the lines that were left out, each once with their number, and
// forgets keys that have been quiet.
func (q *logQuota) summarize() {
	q.mu.Lock()
	now := time.Now()
	var due []logCount
	for level := range logRates { // of messages last: others are merged into them
		for k, c := range q.keys {
			switch {
			case k.level != level:
			case c.repeated > 0:
				if level == ofMessage || q.merge(k, c, now) {
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

// merge reports whether a summary about one client or address may be written. If
// there are too many, it adds it to that of the message. The quota is locked.
func (q *logQuota) merge(k logKey, c *logCount, now time.Time) bool {
	all := q.count(logKey{level: ofMessage, message: k.message})
	if all.limit.AllowN(now, 1) {
		return true
	}
	all.repeated += c.repeated
	all.last, all.handler = c.last, c.handler
	return false
}

// flush writes the summaries that are due.
func (q *logQuota) flush() {
	q.summarize()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.timer != nil {
		q.timer.Stop()
		q.timer = nil
	}
}
