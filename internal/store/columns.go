package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// This file converts between Go values and columns.

// cleanText returns s without invalid UTF-8 and zero bytes, which a database cannot store.
func cleanText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
}

// foldCase returns a name in a form that ignores case.
func foldCase(name string) string { return strings.ToLower(strings.ToUpper(cleanText(name))) }

func nullIfEmpty(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// toMicros returns a time as it is stored: microseconds since 1970, or 0 for the zero time.
func toMicros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicros(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us)
}

func now() time.Time { return fromMicros(time.Now().UnixMicro()) }

func checkJSON(data json.RawMessage) error {
	if !json.Valid(data) {
		return errors.New("invalid JSON")
	}
	return nil
}

// columnScanner is a scan destination that receives a column of type S.
type columnScanner[S any] func(S) error

// Scan implements [sql.Scanner].
func (c columnScanner[S]) Scan(value any) error {
	var v sql.Null[S]
	if err := v.Scan(value); err != nil {
		return err
	}
	return c(v.V)
}

// scanInto returns a scan destination that converts the column and stores the result in dest.
func scanInto[S, T any](dest *T, convert func(S) (T, error)) columnScanner[S] {
	return func(stored S) (err error) {
		*dest, err = convert(stored)
		return err
	}
}

// scanTime returns a scan destination for a time column.
func scanTime(dest *time.Time) columnScanner[int64] {
	return scanInto(dest, func(us int64) (time.Time, error) { return fromMicros(us), nil })
}

// scanJSON returns a scan destination for a text column with a JSON value.
func scanJSON(dest *json.RawMessage) any { return (*[]byte)(dest) }
