package command

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"broadside/internal/i18n"
	"broadside/internal/spelling"
	"broadside/match"
)

// Find returns the command with which words start, and the words after its name. It returns nil if there is
// none.
func Find(topics []Topic, words []string) (*Command, []string) {
	for _, t := range topics {
		for _, c := range t.Commands {
			if slices.Contains(strings.Fields(c.Aliases), words[0]) {
				words = append(strings.Fields(c.Name), words[1:]...)
			}
		}
	}
	for n := min(2, len(words)); n > 0; n-- {
		for _, t := range topics {
			for i, c := range t.Commands {
				if c.Name == strings.Join(words[:n], " ") {
					return &t.Commands[i], words[n:]
				}
			}
		}
	}
	return nil, nil
}

// ListByFirstWord returns all commands whose first word is name.
func ListByFirstWord(topics []Topic, name string) (all []Command) {
	for _, t := range topics {
		for _, c := range t.Commands {
			if firstWord(c.Name) == name {
				all = append(all, c)
			}
		}
	}
	return all
}

// NearestName returns the name that is most similar to a word, or "". It considers the names of commands and
// more.
func NearestName(topics []Topic, word string, otherNames ...string) string {
	names := append([]string{helpName}, otherNames...)
	for _, t := range topics {
		for _, c := range t.Commands {
			names = append(names, firstWord(c.Name))
			names = append(names, strings.Fields(c.Aliases)...)
		}
	}
	return spelling.Nearest(word, names)
}

// optionPattern matches an option in a form: its name, and its value unless it is a switch.
var optionPattern = regexp.MustCompile(`--([a-z]+)(?: ([A-Za-z][^\s\]]*))?`)

// option is an option of a command.
type option struct {
	// An option without a value is a switch.
	name, value string
	about       i18n.Message
}

// commonOptions explains the options that mean the same in all commands.
var commonOptions = map[string]i18n.Message{
	"json":   i18n.NewMessage("write JSON"),
	"csv":    i18n.NewMessage("write CSV"),
	"list":   i18n.NewMessage("list the running matches"),
	"limit":  i18n.NewMessage("how many to list, at most %d (default: %d)", maxRows, 20),
	"rules":  i18n.NewMessage("rule set: %s", presetNames()),
	"casual": i18n.NewMessage("play casual matches, which change no ratings"),
	"vs":     i18n.NewMessage("bot to play (default: next available player)"),
	"of":     i18n.NewMessage("which players to list (default: all)"),
	"day":    i18n.NewMessage("such as 2026-11-21 (default: today in UTC)"),
	"cast":   i18n.NewMessage("write an asciicast, for asciinema"),
	"short":  i18n.NewMessage("write one short line that Prolog can read"),
	"for":    i18n.NewMessage("how long, such as 30m, 24h or 7d (default: permanently)"),
	"reason": i18n.NewMessage("reason, shown to the player"),
	"plain":  i18n.NewMessage("play in line mode"),
}

// presetNames lists the names of the rule sets.
func presetNames() string { return strings.Join(match.PresetNames(), ", ") }

// options returns the options in a command's forms.
func (c *Command) options() (all []option) {
	for _, form := range c.Forms {
		for _, used := range optionPattern.FindAllStringSubmatch(form.Args, -1) {
			if slices.ContainsFunc(all, func(o option) bool { return o.name == used[1] }) {
				continue
			}
			about, ok := c.Options[used[1]]
			if !ok {
				about = commonOptions[used[1]]
			}
			all = append(all, option{used[1], used[2], about})
		}
	}
	if c.Opens == Screen || c.Opens == AtTerminal {
		all = append(all, option{"plain", "", commonOptions["plain"]})
	}
	return all
}

// optionalPart matches an optional part of a form, which ends in … if more words may follow.
var optionalPart = regexp.MustCompile(`\[[^][]*\]…?`)

// countArguments returns the names of the arguments that a form requires, and how many it takes at most. That
// is maxWords if any number of words may follow.
func (f Form) countArguments() (required []string, most int) {
	args, _, _ := strings.Cut(f.Args, " < ")
	required = strings.Fields(optionPattern.ReplaceAllString(optionalPart.ReplaceAllString(args, ""), ""))
	most = len(required)
	for _, optional := range optionalPart.FindAllString(args, -1) {
		if !strings.HasPrefix(optional, "[--") && !strings.HasPrefix(optional, "[/") {
			most++
		}
	}
	if strings.Contains(args, "…") {
		most = maxWords
	}
	return required, most
}

// maxWords is the maximum number of arguments. A text has many, because ssh does not keep quotation marks.
const maxWords = 64

// parse reads a call's options and arguments from the words after the command's name.
func (c *Call) parse(words []string) error {
	c.options = pflag.NewFlagSet("", pflag.ContinueOnError)
	c.options.Usage = func() {}
	for _, o := range c.command.options() {
		if o.value == "" {
			c.options.Bool(o.name, false, "")
		} else {
			c.options.String(o.name, "", "")
		}
	}
	c.options.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		// Earlier versions had --cup.
		if name == "cup" {
			name = "tournament"
		}
		return pflag.NormalizedName(name)
	})
	if err := c.options.Parse(words); err != nil {
		return c.explainOptionError(err)
	}
	c.args = c.options.Args()
	var missing string
	most := 0
	for i, form := range c.command.Forms {
		required, n := form.countArguments()
		most = max(most, n)
		lacks := ""
		if len(required) > len(c.args) {
			lacks = strings.TrimSuffix(required[len(c.args)], "…")
		}
		if i == 0 || lacks == "" {
			missing = lacks
		}
	}
	if missing != "" {
		return usageErrorf("%s: %s is missing", c.command.Name, missing)
	}
	if len(c.args) > most {
		return usageErrorf("%s: unexpected argument %q", c.command.Name, c.args[most])
	}
	return nil
}

// explainOptionError turns an error of the options' parser into an error for the user.
func (c *Call) explainOptionError(err error) error {
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return err
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		var names []string
		c.options.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		near := spelling.Nearest(name, names)
		if near != "" {
			return usageErrorf("%s: unknown option %q: did you mean --%s?", c.command.Name, name, near)
		}
		return usageErrorf("%s: unknown option %q", c.command.Name, name)
	case errors.As(err, &empty):
		return usageErrorf("--%s needs a value", empty.GetSpecifiedName())
	case errors.As(err, &invalid):
		return usageErrorf("--%s cannot be %q", invalid.GetFlag().Name, invalid.GetValue())
	}
	return usageErrorf("cannot understand %q", err.Error())
}

// usageError is the error of a wrong command line. The usage follows it, and the exit status is 2.
type usageError struct{ error }

// Unwrap returns the error without the usage.
func (e usageError) Unwrap() error { return e.error }

func usageErrorf(text i18n.Key, args ...any) error { return usageError{i18n.Errorf(text, args...)} }

// hasOption reports whether an option was given.
func (c *Call) hasOption(name string) bool {
	return c.options.Changed(name) && c.options.Lookup(name).Value.String() != "false"
}

// optionText returns an option's value, or fallback if the user did not give the option.
func (c *Call) optionText(name, fallback string) string {
	if c.hasOption(name) {
		return c.options.Lookup(name).Value.String()
	}
	return fallback
}

// parseOption returns an option's parsed value, or fallback if the user did not give the option.
func parseOption[V any](c *Call, name string, fallback V, parse func(string) (V, error)) (V, error) {
	if !c.hasOption(name) {
		return fallback, nil
	}
	v, err := parse(c.optionText(name, ""))
	if err != nil {
		return fallback, usageErrorf("--%s cannot be %q", name, c.optionText(name, ""))
	}
	return v, nil
}

// maxRows is the maximum number of rows in a list.
const maxRows = 100

// parseLimit returns the number of rows to list.
func (c *Call) parseLimit(fallback int) (int, error) {
	n, err := parseOption(c, "limit", fallback, strconv.Atoi)
	if err == nil && (n < 1 || n > maxRows) {
		err = usageErrorf("--limit must be a number from 1 to %d", maxRows)
	}
	return n, err
}

// parseRules returns the rules of --rules with the user's clock, or the user's rules without the option.
func (c *Call) parseRules() (match.Rules, error) {
	usual := c.defaults.Rules
	if !c.hasOption("rules") {
		return usual, nil
	}
	r, err := match.Preset(c.optionText("rules", ""))
	if err != nil {
		return r, usageError{err}
	}
	return r.WithClock(usual.Clock), nil
}
