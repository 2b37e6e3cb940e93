package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Option is a configuration option.
type Option struct {
	Name  string      // flag and key in the file: lower-case words with hyphens
	Value pflag.Value // destination of the value; initially holds the default
	About string      // description in one sentence without a full stop
	Live  bool        // a new value applies when the configuration is reloaded
}

// Group is a titled group of options. A group without a title holds [Removed] options and is
// not documented.
type Group struct {
	Title   string
	Options []Option
}

// Table defines all options. Only one goroutine may use their values.
type Table []Group

// Flags adds a flag for each option.
func (t Table) Flags(flags *pflag.FlagSet) {
	for _, g := range t {
		for _, o := range g.Options {
			f := flags.VarPF(o.Value, o.Name, "", o.About)
			if o.Value.Type() == "bool" {
				f.NoOptDefVal = "true" // --name alone means true
			}
			f.Hidden = g.Title == ""
		}
	}
}

// all returns the options in the order of the table.
func (t Table) all() []Option {
	var all []Option
	for _, g := range t {
		all = append(all, g.Options...)
	}
	return all
}

// Has reports whether an option exists.
func (t Table) Has(name string) bool {
	return slices.ContainsFunc(t, func(g Group) bool {
		return slices.ContainsFunc(g.Options, func(o Option) bool { return o.Name == name })
	})
}

// Variable returns the name of an option's environment variable.
func Variable(option string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(option, "-", "_"))
}

// prefix is the prefix of all environment variables.
const prefix = "BROADSIDE_"

// linkVariable matches the variables with which Kubernetes and Docker tell a container about a service
// called broadside.
var linkVariable = regexp.MustCompile(`^BROADSIDE(_[A-Z0-9_]+)?_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_\d+_[A-Z]+(_(PROTO|PORT|ADDR))?)?)$`)

// Unknown returns the variables of an environment, such as [os.Environ], that have the prefix
// of options but belong to none.
func (t Table) Unknown(environ []string) []string {
	known := map[string]bool{}
	for _, o := range t.all() {
		known[Variable(o.Name)] = true
	}
	var all []string
	for _, v := range environ {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, prefix) && !known[name] && !linkVariable.MatchString(name) {
			all = append(all, name)
		}
	}
	return all
}

// Example returns a commented configuration file: every option with its default, commented
// out.
func (t Table) Example() string {
	var b strings.Builder
	b.WriteString("# Configuration of Broadside, in TOML. Commented-out values are the defaults.\n" +
		"# A flag, or a variable such as BROADSIDE_LOG_LEVEL, overrides this file.\n" +
		"# Options marked (live) take effect on SIGHUP, the others after a restart.\n")
	for _, g := range t {
		if g.Title == "" {
			continue
		}
		fmt.Fprintf(&b, "\n# --- %s ---\n", g.Title)
		for _, o := range g.Options {
			live := ""
			if o.Live {
				live = " (live)"
			}
			fmt.Fprintf(&b, "\n# %s%s\n#%s = %s\n", o.describe(), live, o.Name, o.literal())
		}
	}
	return b.String()
}

// Markdown returns the tables of options for the documentation.
func (t Table) Markdown() string {
	var b strings.Builder
	for _, g := range t {
		if g.Title == "" {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n| option | default | | live |\n|---|---|---|---|\n", g.Title)
		for _, o := range g.Options {
			live := ""
			if o.Live {
				live = "yes"
			}
			fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", o.Name, o.literal(), strings.ReplaceAll(o.describe(), "|", "\\|"), live)
		}
	}
	return b.String()
}

// Choices returns the only values of an option; nil if it has a range or any value.
func (o Option) Choices() []string {
	if v, ok := o.Value.(interface{ Choices() []string }); ok {
		return v.Choices()
	}
	return nil
}

// describe returns an option's description and range of values.
func (o Option) describe() string {
	if v, ok := o.Value.(interface{ Range() string }); ok && v.Range() != "" {
		return o.About + ": " + v.Range()
	}
	return o.About
}

// literal returns an option's value as TOML.
func (o Option) literal() string {
	switch o.Value.Type() {
	case "int", "bool":
		return o.Value.String()
	}
	return quote(o.Value.String())
}

// quote returns a TOML string.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
