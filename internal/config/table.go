package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"broadside/internal/spelling"
)

// Option is a configuration option.
type Option struct {
	// Name is the name of the flag and of the key in the file: lower-case words with hyphens.
	Name string
	// Value is where the value is stored. It starts with the default.
	Value Value
	// About describes the option, without a capital at the start and a full stop at the end.
	About string
	// Live options change when a running server reloads its configuration.
	Live bool
	// Secret options do not appear in the log and in errors.
	Secret bool
}

// Group is a group of options.
type Group struct {
	Title   string
	Options []Option
}

// Table defines all options. Only one goroutine may use their values.
type Table []Group

// AddFlags adds a flag for each option.
func (t Table) AddFlags(flags *pflag.FlagSet) {
	for _, o := range t.options() {
		v := o.Value
		if v.Type() == listType {
			v = repeatedValue{v}
		}
		f := flags.VarPF(v, o.Name, "", o.About)
		if o.Value.Type() == "bool" {
			// --name alone means true.
			f.NoOptDefVal = "true"
		}
	}
}

func (t Table) options() []Option {
	var all []Option
	for _, g := range t {
		all = append(all, g.Options...)
	}
	return all
}

func (t Table) names() []string {
	var names []string
	for _, o := range t.options() {
		names = append(names, o.Name)
	}
	return names
}

// Has reports whether an option exists.
func (t Table) Has(name string) bool { return slices.Contains(t.names(), name) }

// VariableName returns the name of an option's environment variable.
func VariableName(option string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(option, "-", "_"))
}

// prefix is the prefix of all environment variables.
const prefix = "BROADSIDE_"

// linkVariable matches the variables with which Kubernetes and Docker tell a container about a service
// called broadside.
var linkVariable = regexp.MustCompile(`^BROADSIDE(_[A-Z0-9_]+)?_` +
	`(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_\d+_[A-Z]+(_(PROTO|PORT|ADDR))?)?)$`)

// DescribeUnknownVariables describes an environment's variables, such as [os.Environ], that have the prefix of
// options but belong to neither an option nor the others.
func (t Table) DescribeUnknownVariables(environ []string, others ...string) (all []string) {
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		option, ok := strings.CutPrefix(name, prefix)
		option = strings.ToLower(strings.ReplaceAll(option, "_", "-"))
		if !ok || t.Has(option) || slices.Contains(others, name) || linkVariable.MatchString(name) {
			continue
		}
		text := name + " is not an option of the server"
		near := spelling.Nearest(option, t.names())
		if near != "" {
			text += ": did you mean " + VariableName(near) + "?"
		}
		all = append(all, text)
	}
	return all
}

// exampleWidth is the width of the example file, in letters.
const exampleWidth = 100

// ExampleFile returns a configuration file with all options, explained and commented out.
func (t Table) ExampleFile() string {
	var b strings.Builder
	b.WriteString("# Configuration of Broadside, in TOML. Commented-out values are the defaults.\n" +
		"# A flag, or a variable such as BROADSIDE_LOG_LEVEL, overrides this file.\n" +
		"# Options marked (live) take effect on SIGHUP, the others after a restart.\n")
	for _, g := range t {
		fmt.Fprintf(&b, "\n# --- %s ---\n", g.Title)
		for _, o := range g.Options {
			about := strings.ToUpper(o.About[:1]) + o.About[1:] + "."
			r := o.Value.Range()
			if r != "" {
				about += " Values: " + r + "."
			}
			if o.Live {
				about += " (live)"
			}
			fmt.Fprintf(&b, "\n%s#%s = %s\n", formatComment(about), o.Name, o.literal())
		}
	}
	return b.String()
}

// formatComment wraps a text into lines that start with #.
func formatComment(text string) string {
	var b strings.Builder
	line := "#"
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > exampleWidth {
			b.WriteString(line + "\n")
			line = "#"
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}

// literal returns the option's value as TOML.
func (o Option) literal() string {
	switch o.Value.Type() {
	case "int", "bool":
		return o.Value.String()
	case listType:
		if o.Value.String() == "" {
			return "[]"
		}
		return `["` + strings.ReplaceAll(o.Value.String(), listSeparator, `", "`) + `"]`
	}
	// No value has characters that TOML would escape differently.
	return fmt.Sprintf("%q", o.Value)
}
