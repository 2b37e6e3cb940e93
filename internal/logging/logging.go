// Package logging creates the server's log and limits how many lines clients can cause. The
// messages themselves belong to the packages that log them.
package logging

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	charmlog "charm.land/log/v2"
)

// Log is a log whose level can change. Its methods may be called from any goroutine.
type Log struct {
	*slog.Logger
	charm *charmlog.Logger
	quota *logQuota
}

// New returns a log that writes to w. Level is debug, info, warn or error; format is
// text, json or logfmt. Errors are meant for the operator.
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
	log := &Log{charm: charmlog.NewWithOptions(w, options), quota: newLogQuota()}
	log.Logger = slog.New(handler{Handler: log.charm, quota: log.quota})
	return log, nil
}

// SetLevel changes the level. An unknown level changes nothing.
func (l *Log) SetLevel(level string) {
	if parsed, err := charmlog.ParseLevel(level); err == nil {
		l.charm.SetLevel(parsed)
	}
}

// Flush writes the pending summaries of repeated lines. Call it before the process ends.
func (l *Log) Flush() { l.quota.flush() }

// handler is the handler of a [Log]. It keeps attributes itself, because charm's handler
// copies its styles for every logger with attributes, one for each connection and session,
// and the copies would not follow changes of the level. It also applies the logQuota.
type handler struct {
	slog.Handler
	quota *logQuota
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
	if whole.Level > slog.LevelDebug && isCanceled(whole) {
		if whole.Level = slog.LevelDebug; !h.Enabled(ctx, whole.Level) {
			return nil
		}
	}
	if !h.quota.allows(h.Handler, whole) {
		return nil
	}
	return h.Handler.Handle(ctx, whole)
}

// WithAttrs implements [slog.Handler].
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{Handler: h.Handler, quota: h.quota, attrs: slices.Concat(h.attrs, attrs)}
}

// WithGroup implements [slog.Handler].
func (h handler) WithGroup(name string) slog.Handler {
	return handler{Handler: h.Handler.WithAttrs(h.attrs).WithGroup(name), quota: h.quota}
}
