// Package logging creates the server log and limits how many lines clients can cause.
package logging

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	charmlog "charm.land/log/v2"
)

// Log is a log whose level can change. Its methods may be called from any goroutine.
type Log struct {
	*slog.Logger
	charm *charmlog.Logger
	quota *quota
}

// New returns a log that writes to w. level is debug, info, warn or error. format is text, json or logfmt.
// Errors are meant for the operator.
func New(w io.Writer, level, format string) (*Log, error) {
	l, err := charmlog.ParseLevel(level)
	if err != nil {
		return nil, fmt.Errorf("--log-level %q: choose debug, info, warn or error", level)
	}
	options := charmlog.Options{Level: l, ReportTimestamp: true, TimeFormat: time.RFC3339}
	switch format {
	case "text":
		options.Formatter = charmlog.TextFormatter
	case "json":
		options.Formatter = charmlog.JSONFormatter
	case "logfmt":
		options.Formatter = charmlog.LogfmtFormatter
	default:
		return nil, fmt.Errorf("--log-format %q: choose text, json or logfmt", format)
	}
	charm := charmlog.NewWithOptions(w, options)
	q := &quota{out: charm, messages: map[string]*messageCount{}}
	return &Log{Logger: slog.New(handler{Handler: charm, quota: q}), charm: charm, quota: q}, nil
}

// SetLevel changes the level. An unknown level changes nothing.
func (l *Log) SetLevel(level string) {
	if parsed, err := charmlog.ParseLevel(level); err == nil {
		l.charm.SetLevel(parsed)
	}
}

// Flush writes the pending summaries. Call it before the process ends.
func (l *Log) Flush() { l.quota.writeSummaries() }

// handler is the handler of a [Log]. It keeps attributes itself, because charm's handler
// copies its styles for every logger with attributes, one for each connection and session,
// and the copies would not follow changes of the level.
type handler struct {
	slog.Handler
	quota *quota
	attrs []slog.Attr
}

// Handle implements [slog.Handler].
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	whole := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	whole.AddAttrs(h.attrs...)
	r.Attrs(func(a slog.Attr) bool {
		whole.AddAttrs(a)
		return true
	})
	if isCanceled(whole) {
		whole.Level = slog.LevelDebug
	}
	if !h.Enabled(ctx, whole.Level) || !h.quota.allow(whole) {
		return nil
	}
	return h.Handler.Handle(ctx, whole)
}

// WithAttrs implements [slog.Handler].
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{Handler: h.Handler, quota: h.quota, attrs: slices.Concat(h.attrs, attrs)}
}

// WithGroup implements [slog.Handler]. Lines with a group are not limited.
func (h handler) WithGroup(name string) slog.Handler {
	return h.Handler.WithAttrs(h.attrs).WithGroup(name)
}

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

const (
	// period is the time after which the quota starts again.
	period = time.Minute
	// maxSame is the maximum number of lines with the same message in a period.
	maxSame = 30
	// maxLines is the maximum number of lines in a period, except errors.
	maxLines = 90
	// maxMessages is the maximum number of messages that are counted separately. It is more than the
	// program has, but net/http puts addresses into some.
	maxMessages = 60
)

// quota limits how many lines clients can cause in a period. At its end, it writes the last line of
// each message that has exceeded the limit, with the number of lines left out.
type quota struct {
	out slog.Handler

	mu sync.Mutex
	// The fields below are guarded by mu. timer is nil between periods.
	lines    int
	messages map[string]*messageCount
	timer    *time.Timer
}

// messageCount counts the lines with one message.
type messageCount struct {
	written, omitted int
	last             slog.Record
}

// allow reports whether to write a line, and counts it. Debug lines have no limit. A flood of other lines
// does not hide errors.
func (q *quota) allow(r slog.Record) bool {
	if r.Level < slog.LevelInfo {
		return true
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.timer == nil {
		q.timer = time.AfterFunc(period, q.writeSummaries)
	}
	key := r.Message
	if q.messages[key] == nil && len(q.messages) >= maxMessages {
		key = ""
	}
	m := q.messages[key]
	if m == nil {
		m = new(messageCount)
		q.messages[key] = m
	}
	isError := r.Level >= slog.LevelError
	if m.written >= maxSame || q.lines >= maxLines && !isError {
		m.omitted++
		m.last = r
		return false
	}
	m.written++
	if !isError {
		q.lines++
	}
	return true
}

// writeSummaries writes the last omitted line of each message, and starts a new period.
func (q *quota) writeSummaries() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, m := range q.messages {
		if m.omitted > 0 {
			m.last.AddAttrs(slog.Int("repeated", m.omitted))
			// A log has nowhere to report its own errors.
			_ = q.out.Handle(context.Background(), m.last)
		}
	}
	clear(q.messages)
	q.lines = 0
	if q.timer != nil {
		q.timer.Stop()
		q.timer = nil
	}
}
