package config

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// value is a value of any type.
type value[T any] struct {
	to     *T
	kind   string
	parse  func(string) (T, error)
	show   func(T) string
	ranges string // which values there are, for people; may be empty
}

// Set implements [pflag.Value]. A text that is refused changes nothing.
func (v value[T]) Set(s string) error {
	x, err := v.parse(s)
	if err != nil {
		return err
	}
	*v.to = x
	return nil
}

// String implements [pflag.Value].
func (v value[T]) String() string {
	if v.to == nil { // pflag asks a zero value for its default
		return ""
	}
	return v.show(*v.to)
}

// Type implements [pflag.Value].
func (v value[T]) Type() string { return v.kind }

// Range is which values there are, for people.
func (v value[T]) Range() string { return v.ranges }

// Text is any text, such as an address or the name of a file.
func Text(to *string, def string) pflag.Value {
	*to = def
	return value[string]{to: to, kind: "string", show: func(s string) string { return s }, parse: func(s string) (string, error) {
		if strings.ContainsAny(s, "\x00\n\r") {
			return "", fmt.Errorf("it must be one line")
		}
		return s, nil
	}}
}

// Removed is the value of an option that no longer exists. An option that is set, in
// whatever way, is an error with the advice, a sentence without a full stop.
func Removed(advice string) pflag.Value { return removed(advice) }

// removed is the value of a [Removed] option.
type removed string

// Set implements [pflag.Value]. It accepts everything, because the error of a flag
// would show the value, which may be secret.
func (removed) Set(string) error { return nil }

// String implements [pflag.Value].
func (removed) String() string { return "" }

// Type implements [pflag.Value].
func (removed) Type() string { return "string" }

// Address is a URL with one of some schemes, or nothing. It has no password,
// since everybody who may look at the configuration, or at the processes of the
// machine, would see it.
func Address(to *string, schemes ...string) pflag.Value {
	return value[string]{to: to, kind: "url", ranges: schemes[0] + "://…", show: func(s string) string { return s }, parse: func(s string) (string, error) {
		if s == "" {
			return "", nil
		}
		u, err := url.Parse(s)
		if err != nil || !slices.Contains(schemes, u.Scheme) {
			return "", fmt.Errorf("it must be a URL that begins with %s://", schemes[0])
		}
		if _, ok := u.User.Password(); ok || u.Query().Has("password") {
			return "", errors.New("it must have no password: put that into PGPASSWORD or a file that PGPASSFILE names")
		}
		return s, nil
	}}
}

// Choice is one of some words.
func Choice(to *string, def string, choices ...string) pflag.Value {
	*to = def
	list := choices[0]
	if n := len(choices); n > 1 {
		list = strings.Join(choices[:n-1], ", ") + " or " + choices[n-1]
	}
	return value[string]{to: to, kind: "string", ranges: list, show: func(s string) string { return s }, parse: func(s string) (string, error) {
		if !slices.Contains(choices, s) {
			return "", fmt.Errorf("choose %s", list)
		}
		return s, nil
	}}
}

// Bool is yes or no.
func Bool(to *bool, def bool) pflag.Value {
	*to = def
	return value[bool]{to: to, kind: "bool", ranges: "true or false", show: strconv.FormatBool, parse: func(s string) (bool, error) {
		b, err := strconv.ParseBool(s)
		if err != nil {
			return false, fmt.Errorf("choose true or false")
		}
		return b, nil
	}}
}

// Int is a whole number from least to most.
func Int(to *int, def, least, most int) pflag.Value {
	*to = def
	ranges := fmt.Sprintf("%d to %d", least, most)
	return value[int]{to: to, kind: "int", ranges: ranges, show: strconv.Itoa, parse: func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("choose a number from %s", ranges)
		}
		return n, nil
	}}
}

// Duration is a time from least to most, written such as 90s or 1h30m.
func Duration(to *time.Duration, def, least, most time.Duration) pflag.Value {
	*to = def
	ranges := fmt.Sprintf("%s to %s", short(least), short(most))
	return value[time.Duration]{to: to, kind: "duration", ranges: ranges, show: short, parse: func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil || d < least || d > most {
			return 0, fmt.Errorf("choose a time from %s", ranges)
		}
		return d, nil
	}}
}

// short writes a time without units that are zero: 1h, not 1h0m0s.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
