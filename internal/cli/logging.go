package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	charmlog "charm.land/log/v2"
)

// newLog makes the server's log. SetLevel changes its level. Flush writes what is
// still to be written, before the process ends.
func newLog(w io.Writer, level, format string) (log *slog.Logger, setLevel func(string), flush func(), err error) {
	l, err := charmlog.ParseLevel(level)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("--log-level %q: choose debug, info, warn or error", level)
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
		return nil, nil, nil, fmt.Errorf("--log-format %q: choose text, json or logfmt", format)
	}
	logger := charmlog.NewWithOptions(w, options)
	quota := newLogQuota()
	setLevel = func(level string) {
		if l, err := charmlog.ParseLevel(level); err == nil { // the option's check has let it pass
			logger.SetLevel(l)
		}
	}
	return slog.New(lean{Handler: logger, quota: quota}), setLevel, quota.flush, nil
}

// lean is the handler of the server's log. It keeps the attributes of a log in
// itself: the handler below would make a copy of all that it has for each, its
// styles as well, and never hear of another level, and every connection and every
// session has a log with attributes. It also bounds how many lines strangers can
// cause: see logQuota.
type lean struct {
	slog.Handler
	quota *logQuota
	attrs []slog.Attr
}

// Handle implements [slog.Handler].
func (h lean) Handle(ctx context.Context, r slog.Record) error {
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
func (h lean) WithAttrs(attrs []slog.Attr) slog.Handler {
	return lean{Handler: h.Handler, quota: h.quota, attrs: slices.Concat(h.attrs, attrs)}
}

// WithGroup implements [slog.Handler].
func (h lean) WithGroup(name string) slog.Handler {
	return lean{Handler: h.Handler.WithAttrs(h.attrs).WithGroup(name), quota: h.quota}
}
