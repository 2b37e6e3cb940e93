package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// This file converts between Go values and columns.

// text returns s without what a database cannot hold: invalid UTF-8 and zero bytes.
func text(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
}

// fold returns a name without its case.
func fold(name string) string { return strings.ToLower(strings.ToUpper(text(name))) }

// optional returns the value of a text column that is NULL for an empty text.
func optional(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// micros returns a time as it is stored: microseconds since 1970, or 0 for the zero
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

// now returns the time as it would be after storing and reading it.
func now() time.Time { return moment(time.Now().UnixMicro()) }

// validJSON returns an error unless data is a JSON value.
func validJSON(data json.RawMessage) error {
	if !json.Valid(data) {
		return errors.New("that is not JSON")
	}
	return nil
}

// column is the destination of a column that is stored as an S.
type column[S any] func(S) error

// Scan implements [sql.Scanner].
func (c column[S]) Scan(value any) error {
	var v sql.Null[S]
	if err := v.Scan(value); err != nil {
		return err
	}
	return c(v.V)
}

// into returns the destination of a column that convert turns into dest.
func into[S, T any](dest *T, convert func(S) (T, error)) column[S] {
	return func(stored S) (err error) {
		*dest, err = convert(stored)
		return err
	}
}

// timeInto returns the destination of a time column.
func timeInto(dest *time.Time) column[int64] {
	return into(dest, func(us int64) (time.Time, error) { return moment(us), nil })
}

// jsonInto returns the destination of a text column with a JSON value.
func jsonInto(dest *json.RawMessage) any { return (*[]byte)(dest) }
