package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	charmlog "charm.land/log/v2"
)

// newLog makes the server's log, and what changes its level.
func newLog(w io.Writer, level, format string) (log *slog.Logger, setLevel func(string), err error) {
	l, err := charmlog.ParseLevel(level)
	if err != nil {
		return nil, nil, fmt.Errorf("--log-level %q: choose debug, info, warn or error", level)
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
		return nil, nil, fmt.Errorf("--log-format %q: choose text, json or logfmt", format)
	}
	logger := charmlog.NewWithOptions(w, options)
	return slog.New(lean{Handler: logger}), func(level string) {
		if l, err := charmlog.ParseLevel(level); err == nil { // the option's check has let it pass
			logger.SetLevel(l)
		}
	}, nil
}

// lean keeps the attributes of a log in itself. The handler below would make a
// copy of all that it has for each, its styles as well, and never hear of
// another level: every connection and every session has a log with attributes.
type lean struct {
	slog.Handler
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
	return h.Handler.Handle(ctx, whole)
}

// WithAttrs implements [slog.Handler].
func (h lean) WithAttrs(attrs []slog.Attr) slog.Handler {
	return lean{Handler: h.Handler, attrs: slices.Concat(h.attrs, attrs)}
}

// WithGroup implements [slog.Handler].
func (h lean) WithGroup(name string) slog.Handler {
	return lean{Handler: h.Handler.WithAttrs(h.attrs).WithGroup(name)}
}
