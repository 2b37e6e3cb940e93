package config

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// Option is one thing that can be set.
type Option struct {
	Name  string      // of the flag and of the key in the file: lower case words with hyphens
	Value pflag.Value // where the value goes; at first it has the default
	About string      // what it is, in one sentence without a full stop
	Live  bool        // a new value holds as soon as the configuration is read anew
}

// Group is options that belong together. A group without a title has [Removed]
// options, which are not documented.
type Group struct {
	Title   string
	Options []Option
}

// Table is all that can be set. Its options' values belong to one goroutine.
type Table []Group

// Flags adds a flag for each option.
func (t Table) Flags(flags *pflag.FlagSet) {
	for _, g := range t {
		for _, o := range g.Options {
			f := flags.VarPF(o.Value, o.Name, "", o.About)
			if o.Value.Type() == "bool" {
				f.NoOptDefVal = "true" // so that --name alone means yes
			}
			f.Hidden = g.Title == ""
		}
	}
}

// all are the options, as the table has them.
func (t Table) all() []Option {
	var all []Option
	for _, g := range t {
		all = append(all, g.Options...)
	}
	return all
}

// find is the option of a name.
func (t Table) find(name string) (o Option, ok bool) {
	for _, o := range t.all() {
		if o.Name == name {
			return o, true
		}
	}
	return Option{}, false
}

// Variable is the name of an option's variable in the environment.
func Variable(option string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(option, "-", "_"))
}

// prefix begins the names of all variables.
const prefix = "BROADSIDE_"

// Strangers are the variables in an environment, such as [os.Environ], that
// look like one of an option and are none.
func (t Table) Strangers(environ []string) []string {
	known := map[string]bool{}
	for _, o := range t.all() {
		known[Variable(o.Name)] = true
	}
	var all []string
	for _, v := range environ {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, prefix) && !known[name] {
			all = append(all, name)
		}
	}
	return all
}

// Example is a file that explains itself: every option with its default,
// commented out.
func (t Table) Example() string {
	var b strings.Builder
	b.WriteString("# Configuration of Broadside, in TOML. What is commented out is the default.\n" +
		"# A flag, or a variable such as BROADSIDE_LOG_LEVEL, wins over this file.\n" +
		"# What is marked (live) holds after a SIGHUP, the rest after a restart.\n")
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

// Markdown is the table for a page of documentation.
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

// describe is what an option is, with the values that it takes.
func (o Option) describe() string {
	if v, ok := o.Value.(interface{ Range() string }); ok && v.Range() != "" {
		return o.About + ": " + v.Range()
	}
	return o.About
}

// literal is an option's value as the file has it.
func (o Option) literal() string {
	switch o.Value.Type() {
	case "int", "bool":
		return o.Value.String()
	}
	return quote(o.Value.String())
}

// quote is a text as TOML has it.
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
