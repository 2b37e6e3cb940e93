// Package config reads options from flags, environment variables and a file. One [Table]
// defines the options and generates their documentation; the options themselves belong to
// the packages that use them.
//
// A flag overrides a variable, a variable overrides the file, and the file overrides the
// default. All sources share one validation, and errors name the source.
package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"

	"broadside/internal/owner"
	"broadside/internal/sanitize"
	"broadside/internal/spelling"
)

// Setting is an option with its current value.
type Setting struct {
	Name string `json:"name"`
	// Value is text, also for numbers.
	Value string `json:"value"`
	// Source is a flag, a variable, a file, or "default".
	Source string `json:"source"`
	// Live is set if a reload applies a new value.
	Live bool `json:"live"`
	// Secret settings must not be logged.
	Secret bool `json:"-"`

	// literal is the value as TOML.
	literal string
}

// SetFromEnvironment sets each flag that was not given from its environment variable. It is for
// commands without a table. Errors are meant for the operator.
func SetFromEnvironment(flags *pflag.FlagSet, lookup func(string) (string, bool)) error {
	var failed error
	flags.VisitAll(func(f *pflag.Flag) {
		name := VariableName(f.Name)
		text, ok := lookup(name)
		if !ok || f.Changed || failed != nil || f.Name == "help" || f.Name == "version" {
			return
		}
		if err := f.Value.Set(text); err != nil {
			failed = fmt.Errorf("environment variable %s=%q: %w", name, text, err)
		}
	})
	return failed
}

// Load sets all options from the given flags, the environment and the file, in this order of
// precedence. The options must still have their defaults. An empty file name means no file.
// Invalid values are errors even if they are overridden. Errors are meant for the operator.
func (t Table) Load(given map[string]string, lookup func(string) (string, bool), file string) ([]Setting, error) {
	values, err := t.readFile(file)
	if err != nil {
		return nil, err
	}
	var all []Setting
	for _, o := range t.options() {
		source := "default"
		if text, ok := values[o.Name]; ok {
			source = file
			if err := o.Value.Set(text); err != nil {
				return nil, fmt.Errorf("%s: %s = %q: %w", file, o.Name, o.hideSecret(text), err)
			}
		}
		if text, ok := lookup(VariableName(o.Name)); ok {
			source = VariableName(o.Name)
			if err := o.Value.Set(text); err != nil {
				return nil, fmt.Errorf("environment variable %s=%q: %w", source, o.hideSecret(text), err)
			}
		}
		if text, ok := given[o.Name]; ok {
			source = "--" + o.Name
			if err := o.Value.Set(text); err != nil {
				return nil, fmt.Errorf("%s %q: %w", source, o.hideSecret(text), err)
			}
		}
		all = append(all, Setting{Name: o.Name, Value: o.Value.String(), Source: source, Live: o.Live, Secret: o.Secret, literal: o.literal()})
	}
	return all, nil
}

// hideSecret returns a value for an error.
func (o Option) hideSecret(text string) string {
	if o.Secret {
		return "…"
	}
	return text
}

// GivenFlags returns the flags that were given, with their values as text.
func GivenFlags(flags *pflag.FlagSet) map[string]string {
	given := map[string]string{}
	flags.Visit(func(f *pflag.Flag) {
		given[f.Name] = f.Value.String()
	})
	return given
}

// readFile returns the values in a file, if there is one, by the names of options.
func (t Table) readFile(file string) (map[string]string, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration: %w", err)
	}
	// The configuration names the operators' keys.
	if err := owner.Check(file); err != nil {
		return nil, fmt.Errorf("the configuration is not safe: %w", err)
	}
	var parsed map[string]any
	if err := toml.Unmarshal([]byte(sanitize.Decode(text)), &parsed); err != nil {
		at := new(toml.DecodeError)
		if errors.As(err, &at) {
			line, _ := at.Position()
			file = fmt.Sprintf("%s:%d", file, line)
		}
		return nil, fmt.Errorf("%s: %s", file, strings.TrimPrefix(err.Error(), "toml: "))
	}
	values := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(parsed)) {
		switch v := parsed[name].(type) {
		case map[string]any:
			return nil, fmt.Errorf("%s: [%s]: the file must not have sections", file, name)
		case string, bool, int64:
			values[name] = fmt.Sprint(v)
		default:
			text, ok := t.joinList(name, v)
			if !ok {
				return nil, fmt.Errorf("%s: %s: the value must be a string, a whole number, true or false, or "+
					"for some options an array of strings", file, name)
			}
			values[name] = text
		}
		if t.Has(name) {
			continue
		}
		err := fmt.Errorf("%s: unknown option %q", file, name)
		near := spelling.Nearest(name, t.names())
		if near != "" {
			err = fmt.Errorf("%w: did you mean %s?", err, near)
		}
		return nil, err
	}
	return values, nil
}

// joinList returns a list's items as text, or false if the value or the option is no list.
func (t Table) joinList(name string, value any) (string, bool) {
	items, ok := value.([]any)
	if !ok {
		return "", false
	}
	var all []string
	for _, item := range items {
		text, ok := item.(string)
		if !ok {
			return "", false
		}
		all = append(all, text)
	}
	isList := slices.ContainsFunc(t.options(), func(o Option) bool { return o.Name == name && o.Value.Type() == listType })
	return strings.Join(all, listSeparator), isList
}

// FormatSettings returns a configuration file with all settings and their sources.
func FormatSettings(all []Setting) string {
	var b strings.Builder
	widest := 0
	for _, s := range all {
		widest = max(widest, len(s.Name)+3+len(s.literal))
	}
	for _, s := range all {
		fmt.Fprintf(&b, "%-*s  # %s\n", widest, s.Name+" = "+s.literal, s.Source)
	}
	return b.String()
}
