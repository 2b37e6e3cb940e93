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

// value implements [pflag.Value] for any type.
type value[T any] struct {
	to      *T
	kind    string
	parse   func(string) (T, error)
	show    func(T) string
	ranges  string   // the allowed values, for people; may be empty
	choices []string // the only allowed values; nil: others as well
}

// Set implements [pflag.Value]. An invalid text changes nothing.
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
	if v.to == nil { // pflag calls String on a zero value
		return ""
	}
	return v.show(*v.to)
}

// Type implements [pflag.Value].
func (v value[T]) Type() string { return v.kind }

// Range returns the allowed values, for people.
func (v value[T]) Range() string { return v.ranges }

// Choices returns the only allowed values, or nil.
func (v value[T]) Choices() []string { return v.choices }

// Text returns a value for any single-line text, such as an address or a file name.
func Text(to *string, def string) pflag.Value {
	*to = def
	return value[string]{to: to, kind: "string", show: func(s string) string { return s }, parse: func(s string) (string, error) {
		if strings.ContainsAny(s, "\x00\n\r") {
			return "", fmt.Errorf("it must be one line")
		}
		return s, nil
	}}
}

// Listen returns a value for an address to listen at; see [ListenAddress].
func Listen(to *string, def string) pflag.Value {
	v := Text(to, def).(value[string])
	parse := v.parse
	v.parse = func(s string) (string, error) {
		s, err := parse(s)
		return ListenAddress(s), err
	}
	return v
}

// ListenAddress returns an address to listen at. A number is a port at all addresses of this computer.
func ListenAddress(text string) string {
	if text != "" && strings.Trim(text, "0123456789") == "" {
		return ":" + text
	}
	return text
}

// Removed returns the value of an option that no longer exists. Setting it, from any
// source, is an error that contains the advice, a sentence without a full stop. Without advice,
// setting it does nothing.
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

// Address returns a value for a URL with one of the schemes, or an empty text. It rejects
// passwords, because anyone who can see the configuration or the process list would see them.
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
			return "", errors.New("it must not contain a password: put it in PGPASSWORD or in the file named by PGPASSFILE")
		}
		return s, nil
	}}
}

// Choice returns a value that must be one of the choices.
func Choice(to *string, def string, choices ...string) pflag.Value {
	*to = def
	list := choices[0]
	if n := len(choices); n > 1 {
		list = strings.Join(choices[:n-1], ", ") + " or " + choices[n-1]
	}
	return value[string]{to: to, kind: "string", ranges: list, choices: choices, show: func(s string) string { return s }, parse: func(s string) (string, error) {
		if !slices.Contains(choices, s) {
			return "", fmt.Errorf("choose %s", list)
		}
		return s, nil
	}}
}

// Bool returns a value that must be true or false, or on or off.
func Bool(to *bool, def bool) pflag.Value {
	*to = def
	return value[bool]{to: to, kind: "bool", ranges: "true or false", choices: []string{"true", "false"}, show: strconv.FormatBool, parse: func(s string) (bool, error) {
		if s == "on" || s == "off" {
			return s == "on", nil
		}
		b, err := strconv.ParseBool(s)
		if err != nil {
			return false, fmt.Errorf("choose true or false")
		}
		return b, nil
	}}
}

// Int returns a value that must be a whole number from least to most.
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

// Duration returns a value that must be a duration from least to most, such as 90s or
// 1h30m.
func Duration(to *time.Duration, def, least, most time.Duration) pflag.Value {
	*to = def
	ranges := fmt.Sprintf("%s to %s", short(least), short(most))
	return value[time.Duration]{to: to, kind: "duration", ranges: ranges, show: short, parse: func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil || d < least || d > most {
			return 0, fmt.Errorf("choose a duration from %s, such as 90s or 1h30m", ranges)
		}
		return d, nil
	}}
}

// short formats a duration without trailing zero units: 1h, not 1h0m0s.
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
