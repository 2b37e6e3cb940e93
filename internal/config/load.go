package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/spf13/pflag"

	"broadside/internal/owner"
	"broadside/internal/sanitize"
	"broadside/internal/spelling"
)

// Setting is an option with its current value.
type Setting struct {
	Option
	Source string // source of the value: "default", "--ssh", "BROADSIDE_SSH" or "FILE:12"
}

// Environment sets each flag that was not given from its environment variable. It is for
// commands without a table. Errors are meant for the operator.
func Environment(flags *pflag.FlagSet, lookup func(string) (string, bool)) error {
	var failed error
	flags.VisitAll(func(f *pflag.Flag) {
		name := Variable(f.Name)
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
	var lines []line
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("cannot read the configuration: %w", err)
		}
		// The configuration names the operators' keys.
		if err := owner.Safe(file); err != nil {
			return nil, fmt.Errorf("the configuration is not safe: %w", err)
		}
		if lines, err = t.read(file, text); err != nil {
			return nil, err
		}
	}
	var all []Setting
	for _, o := range t.all() {
		s := Setting{Option: o, Source: "default"}
		if l, ok := findLine(lines, o.Name); ok {
			if err := o.Value.Set(l.value); err != nil {
				return nil, fmt.Errorf("%s:%d: %s = %q: %w", file, l.number, o.Name, l.value, err)
			}
			s.Source = fmt.Sprintf("%s:%d", file, l.number)
		}
		if text, ok := lookup(Variable(o.Name)); ok {
			if err := o.Value.Set(text); err != nil {
				return nil, fmt.Errorf("environment variable %s=%q: %w", Variable(o.Name), text, err)
			}
			s.Source = Variable(o.Name)
		}
		if text, ok := given[o.Name]; ok {
			if err := o.Value.Set(text); err != nil {
				return nil, fmt.Errorf("--%s %q: %w", o.Name, text, err)
			}
			s.Source = "--" + o.Name
		}
		if advice, ok := o.Value.(removed); !ok {
			all = append(all, s)
		} else if s.Source != "default" && advice != "" {
			return nil, fmt.Errorf("%s: the option %s no longer exists: %s", s.Source, o.Name, string(advice))
		}
	}
	return all, nil
}

// Given returns the flags that were given, with their values as text.
func Given(flags *pflag.FlagSet) map[string]string {
	given := map[string]string{}
	flags.Visit(func(f *pflag.Flag) {
		given[f.Name] = f.Value.String()
	})
	return given
}

// line is a key and its value in the file.
type line struct {
	key, value string
	number     int // of the line, from 1
}

func findLine(lines []line, key string) (line, bool) {
	for _, l := range lines {
		if l.key == key {
			return l, true
		}
	}
	return line{}, false
}

// keyOf returns the key of an expression and its offset in the text.
func keyOf(e *unstable.Node) (key string, offset int) {
	for it := e.Key(); it.Next(); {
		if key != "" {
			key += "."
		} else {
			offset = int(it.Node().Raw.Offset)
		}
		key += string(it.Node().Data)
	}
	return key, offset
}

// read parses a file. Every key must be an option.
func (t Table) read(file string, text []byte) ([]line, error) {
	text = []byte(sanitize.Decode(text))
	var syntax map[string]any
	fault := toml.Unmarshal(text, &syntax)
	// Other parsers do not report the position of a value.
	var lines []line
	p := unstable.Parser{}
	p.Reset(text)
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind == unstable.Comment {
			continue
		}
		key, offset := keyOf(e)
		number := 1 + bytes.Count(text[:offset], []byte("\n"))
		if e.Kind != unstable.KeyValue {
			return nil, fmt.Errorf("%s:%d: [%s]: the file must not have sections", file, number, key)
		}
		if !t.Has(key) {
			return nil, fmt.Errorf("%s:%d: unknown option %q%s", file, number, key, t.suggest(key))
		}
		if first, twice := findLine(lines, key); twice {
			return nil, fmt.Errorf("%s:%d: %s is already set in line %d", file, number, key, first.number)
		}
		switch v := e.Value(); v.Kind {
		case unstable.String, unstable.Bool, unstable.Integer:
			lines = append(lines, line{key, string(v.Data), number})
		default:
			return nil, fmt.Errorf("%s:%d: %s: the value must be a string, a whole number, true or false", file, number, key)
		}
	}
	var at *toml.DecodeError
	if errors.As(fault, &at) {
		row, _ := at.Position()
		return nil, fmt.Errorf("%s:%d: %s", file, row, strings.TrimPrefix(at.Error(), "toml: "))
	}
	if fault != nil {
		return nil, fmt.Errorf("%s: %w", file, fault)
	}
	return lines, nil
}

// suggest proposes the option with the most similar name, if there is one.
func (t Table) suggest(key string) string {
	if best := t.nearest(key); best != "" {
		return fmt.Sprintf(": did you mean %s?", best)
	}
	return ""
}

// SuggestVariable returns the end of a sentence that proposes the variable with the most similar name,
// or "" if none is similar.
func (t Table) SuggestVariable(name string) string {
	key := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, prefix), "_", "-"))
	if best := t.nearest(key); best != "" {
		return fmt.Sprintf(": did you mean %s?", Variable(best))
	}
	return ""
}

// nearest returns the option with the most similar name, or "".
func (t Table) nearest(key string) string {
	var names []string
	for _, o := range t.all() {
		if _, ok := o.Value.(removed); !ok {
			names = append(names, o.Name)
		}
	}
	return spelling.Nearest(key, names)
}

// Listed is a setting as JSON shows it.
type Listed struct {
	Name   string `json:"name"`
	Value  string `json:"value"`  // as text, including numbers
	Source string `json:"source"` // flag, variable, file and line, or "default"
	Live   bool   `json:"live"`   // a reload applies a new value
}

// List returns the settings for JSON.
func List(all []Setting) []Listed {
	list := make([]Listed, len(all))
	for i, s := range all {
		list[i] = Listed{s.Name, s.Value.String(), s.Source, s.Live}
	}
	return list
}

// Show returns a configuration file with all settings and their sources.
func Show(all []Setting) string {
	var b strings.Builder
	widest := 0
	for _, s := range all {
		widest = max(widest, len(s.Name)+3+len(s.literal()))
	}
	for _, s := range all {
		text := s.Name + " = " + s.literal()
		fmt.Fprintf(&b, "%-*s  # %s\n", widest, text, s.Source)
	}
	return b.String()
}
