package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/spelling"
	"broadside/match"
)

// unknownCommand returns the error for a name that is no subcommand of c. choices says what to write
// instead if no subcommand has a similar name.
func unknownCommand(c *cobra.Command, name, choices string) error {
	// This is cobra's default, which it sets only for its own error.
	c.SuggestionsMinimumDistance = 2
	if near := c.SuggestionsFor(name); len(near) > 0 {
		choices = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return fmt.Errorf("unknown command %q for %q: %s", name, c.CommandPath(), choices)
}

// onlyValidArgs is [cobra.OnlyValidArgs] with an error that says what to write.
func onlyValidArgs(c *cobra.Command, args []string) error {
	for _, arg := range args {
		if slices.Contains(c.ValidArgs, arg) {
			continue
		}
		choices := "choose one of " + strings.Join(c.ValidArgs, ", ")
		if near := spelling.Nearest(arg, c.ValidArgs); near != "" {
			choices = "did you mean " + near + "?"
		}
		return fmt.Errorf("unknown argument %q for %q: %s", arg, c.CommandPath(), choices)
	}
	return nil
}

// suggested is an error with a different text.
type suggested struct {
	error
	text string
}

// Error implements error.
func (s suggested) Error() string { return s.text }

// Unwrap returns the original error.
func (s suggested) Unwrap() error { return s.error }

// suggest returns an error that names the bot or rules that the user probably meant, or err if nothing
// is similar.
func suggest(err error) error {
	var near, what string
	var cause error
	var unknown *match.Problem
	var message *i18n.Error
	switch {
	case errors.As(err, &unknown) && unknown.Sentence == match.UnknownRules:
		name := fmt.Sprint(unknown.Args[0])
		near, cause = spelling.Nearest(name, match.Presets()), unknown
		what = fmt.Sprintf("there are no rules called %q", name)
	case errors.As(err, &message) && message.Key == "unknown bot %q: choose one of %s":
		name := fmt.Sprint(message.Args[0])
		var names []string
		for _, b := range bots.All() {
			names = append(names, b.Name)
		}
		near, cause = spelling.Nearest(name, names), message
		what = fmt.Sprintf("unknown bot %q", name)
	}
	if near == "" {
		return err
	}
	return suggested{err, strings.Replace(err.Error(), cause.Error(), what+": did you mean "+near+"?", 1)}
}

// suggestNames adds suggestions to the errors of a command and of its subcommands.
func suggestNames(c *cobra.Command) {
	if run := c.RunE; run != nil {
		c.RunE = func(c *cobra.Command, args []string) error { return suggest(run(c, args)) }
	}
	for _, sub := range c.Commands() {
		suggestNames(sub)
	}
}
