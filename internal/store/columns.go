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

// nullIfEmpty returns the value of a text column in which NULL stands for an empty text.
func nullIfEmpty(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// toMicros returns a time in its stored form: microseconds since 1970, or 0 for the zero
// time. moment is the inverse.
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

// checkJSON returns an error unless data is a valid JSON value.
func checkJSON(data json.RawMessage) error {
	if !json.Valid(data) {
		return errors.New("that is not JSON")
	}
	return nil
}

// columnScanner scans a column stored as an S.
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

// scanTime returns the scan destination of a time column.
func scanTime(dest *time.Time) columnScanner[int64] {
	return scanInto(dest, func(us int64) (time.Time, error) { return fromMicros(us), nil })
}

// scanJSON returns the scan destination of a text column that holds a JSON value.
func scanJSON(dest *json.RawMessage) any { return (*[]byte)(dest) }
