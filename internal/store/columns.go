package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// This file converts between Go values and columns.

// text returns s without invalid UTF-8 and zero bytes, which a database cannot store.
func text(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
}

// fold returns a name in a form that ignores case.
func fold(name string) string { return strings.ToLower(strings.ToUpper(text(name))) }

// optional returns the value of a text column in which NULL stands for an empty text.
func optional(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// micros returns a time in its stored form: microseconds since 1970, or 0 for the zero
// time. moment is the inverse.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func moment(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us)
}

func now() time.Time { return moment(time.Now().UnixMicro()) }

// validJSON returns an error unless data is a valid JSON value.
func validJSON(data json.RawMessage) error {
	if !json.Valid(data) {
		return errors.New("that is not JSON")
	}
	return nil
}

// column scans a column stored as an S.
type column[S any] func(S) error

// Scan implements [sql.Scanner].
func (c column[S]) Scan(value any) error {
	var v sql.Null[S]
	if err := v.Scan(value); err != nil {
		return err
	}
	return c(v.V)
}

// into returns a scan destination that converts the column and stores the result in dest.
func into[S, T any](dest *T, convert func(S) (T, error)) column[S] {
	return func(stored S) (err error) {
		*dest, err = convert(stored)
		return err
	}
}

// timeInto returns the scan destination of a time column.
func timeInto(dest *time.Time) column[int64] {
	return into(dest, func(us int64) (time.Time, error) { return moment(us), nil })
}

// jsonInto returns the scan destination of a text column that holds a JSON value.
func jsonInto(dest *json.RawMessage) any { return (*[]byte)(dest) }
