package config

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// Value is the value of an option.
type Value interface {
	pflag.Value
	// Range returns the allowed values, for people; it may be empty.
	Range() string
	// Choices returns the only allowed values; nil: others as well.
	Choices() []string
}

// value implements [Value] for any type.
type value[T any] struct {
	target *T
	kind   string
	parse  func(string) (T, error)
	// format is nil for values that fmt formats.
	format    func(T) string
	rangeText string
	choices   []string
}

// Set implements [pflag.Value]. An invalid text changes nothing.
func (v value[T]) Set(s string) error {
	x, err := v.parse(s)
	if err != nil {
		return err
	}
	*v.target = x
	return nil
}

// String implements [pflag.Value].
func (v value[T]) String() string {
	// pflag calls String on a zero value.
	if v.target == nil {
		return ""
	}
	if v.format != nil {
		return v.format(*v.target)
	}
	return fmt.Sprint(*v.target)
}

// Type implements [pflag.Value].
func (v value[T]) Type() string { return v.kind }

// Range implements [Value].
func (v value[T]) Range() string { return v.rangeText }

// Choices implements [Value].
func (v value[T]) Choices() []string { return v.choices }

// TextValue returns a value for any single-line text, such as an address or a file name.
func TextValue(to *string, def string) Value {
	*to = def
	return value[string]{target: to, kind: "string", parse: parseText}
}

func parseText(s string) (string, error) {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return "", errors.New("it must be one line without control characters")
	}
	return s, nil
}

// ListenValue returns a value for an address to listen at; see [ExpandPort].
func ListenValue(to *string, def string) Value {
	*to = def
	parse := func(s string) (string, error) { return parseText(ExpandPort(s)) }
	return value[string]{target: to, kind: "string", parse: parse}
}

// ExpandPort returns an address to listen at. A number is a port at all addresses of this computer.
func ExpandPort(text string) string {
	if text != "" && strings.Trim(text, "0123456789") == "" {
		return ":" + text
	}
	return text
}

// URLValue returns a value for a URL with one of the schemes, or an empty text. It rejects
// passwords, because anyone who can see the configuration or the process list would see them.
func URLValue(to *string, schemes ...string) Value {
	parse := func(s string) (string, error) {
		if s == "" {
			return "", nil
		}
		u, err := url.Parse(s)
		if err != nil || !slices.Contains(schemes, u.Scheme) {
			return "", fmt.Errorf("the URL must start with %s://", schemes[0])
		}
		if _, ok := u.User.Password(); ok || u.Query().Has("password") {
			return "", errors.New("it must not contain a password: put it in PGPASSWORD or in the file named by PGPASSFILE")
		}
		return parseText(s)
	}
	return value[string]{target: to, kind: "url", parse: parse}
}

// WebURLValue returns a value for a URL with https or http, or an empty text.
func WebURLValue(to *string) Value {
	parse := func(s string) (string, error) {
		u, err := url.Parse(s)
		if s != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "") {
			return "", errors.New("the URL must start with https://")
		}
		return parseText(s)
	}
	return value[string]{target: to, kind: "url", parse: parse}
}

// listType is the type of lists.
const listType = "list"

// listSeparator separates the items of a list, except in the file, where it is an array.
const listSeparator = "; "

// ListValue returns a value for a list of texts that parse accepts. In the file, it is an array. Elsewhere, semicolons
// separate the items, and a flag can be repeated.
func ListValue[T fmt.Stringer](to *[]T, parse func(string) (T, error)) Value {
	parseAll := func(s string) (all []T, err error) {
		for item := range strings.SplitSeq(s, strings.TrimSpace(listSeparator)) {
			item = strings.TrimSpace(item)
			if item == "" {
				continue
			}
			x, err := parse(item)
			if err != nil {
				return nil, err
			}
			all = append(all, x)
		}
		return all, nil
	}
	joinAll := func(all []T) string {
		var texts []string
		for _, x := range all {
			texts = append(texts, x.String())
		}
		return strings.Join(texts, listSeparator)
	}
	return value[[]T]{target: to, kind: listType, parse: parseAll, format: joinAll}
}

// repeatedValue is the value of a flag that adds an item to a list each time it is given.
type repeatedValue struct{ Value }

// Set implements [pflag.Value].
func (v repeatedValue) Set(s string) error { return v.Value.Set(v.String() + listSeparator + s) }

// ChoiceValue returns a value that must be one of the choices, at least two.
func ChoiceValue(to *string, def string, choices ...string) Value {
	*to = def
	last := len(choices) - 1
	list := strings.Join(choices[:last], ", ") + " or " + choices[last]
	parse := func(s string) (string, error) {
		if !slices.Contains(choices, s) {
			return "", fmt.Errorf("choose %s", list)
		}
		return s, nil
	}
	return value[string]{target: to, kind: "string", parse: parse, rangeText: list, choices: choices}
}

// BoolValue returns a value that must be true or false, or on or off.
func BoolValue(to *bool, def bool) Value {
	*to = def
	parse := func(s string) (bool, error) {
		if s == "on" || s == "off" {
			return s == "on", nil
		}
		b, err := strconv.ParseBool(s)
		if err != nil {
			return false, errors.New("choose true or false")
		}
		return b, nil
	}
	return value[bool]{target: to, kind: "bool", parse: parse, rangeText: "true or false", choices: []string{"true", "false"}}
}

// IntValue returns a value that must be a whole number from least to most.
func IntValue(to *int, def, least, most int) Value {
	*to = def
	ranges := fmt.Sprintf("%d to %d", least, most)
	parse := func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("choose a number from %s", ranges)
		}
		return n, nil
	}
	return value[int]{target: to, kind: "int", parse: parse, rangeText: ranges}
}

// DurationValue returns a value that must be a duration from least to most, such as 90s or
// 1h30m.
func DurationValue(to *time.Duration, def, least, most time.Duration) Value {
	*to = def
	ranges := fmt.Sprintf("%s to %s", formatDuration(least), formatDuration(most))
	parse := func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil || d < least || d > most {
			return 0, fmt.Errorf("choose a duration from %s, such as 90s or 1h30m", ranges)
		}
		return d, nil
	}
	return value[time.Duration]{target: to, kind: "duration", parse: parse, format: formatDuration, rangeText: ranges}
}

// formatDuration formats a duration without trailing zero units: 1h, not 1h0m0s.
func formatDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
