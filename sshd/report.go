package sshd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/spelling"
)

// UsageError is returned by a command if its command line is wrong. Its text is a
// sentence without a capital letter and full stop. The usage is added to it, and the exit
// status is 2.
type UsageError struct{ Err error }

// Error implements error.
func (e UsageError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e UsageError) Unwrap() error { return e.Err }

// UsageErrorf returns a [UsageError] with a text.
func UsageErrorf(text i18n.Key, args ...any) error { return UsageError{i18n.Errorf(text, args...)} }

// report writes the reason if the command failed, and returns the exit status.
func (l *CommandLine) report(ctx context.Context, c *cobra.Command, err error) (status int) {
	var usage UsageError
	var said i18n.Localized
	err = flagError(c, err)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errUnknownCommand):
		return 2
	case errors.As(err, &usage):
		fmt.Fprintf(l.Err, "%s %s\n", sentence(l.Language, usage.Err), l.Language.Text("Usage: %s", usageOf(c)))
		return 2
	case errors.As(narrate.Localize(err), &said):
		fmt.Fprintln(l.Err, sentence(l.Language, said))
	case !errors.Is(err, errLeft) && !errors.Is(ctx.Err(), context.Canceled):
		l.Log.Error("command failed", "command", c.Name(), "error", err)
		fmt.Fprintln(l.Err, l.Language.Text("The data can't be read right now. Try again in a minute."))
	}
	return 1
}

// errUnknownCommand is returned by unknown.
var errUnknownCommand = errors.New("unknown")

// unknown reports that no command has the name, and suggests a similar one.
func (l *CommandLine) unknown(name string) error {
	names := []string{helpName}
	for _, c := range l.Commands {
		names = append(names, c.Name())
	}
	text := l.Language.Text("There is no command %s here.", clip(name)) + " "
	if near := spelling.Nearest(trimDashes(name), names); near != "" {
		text += l.Language.Text("Did you mean %s?", near) + " "
	}
	fmt.Fprintln(l.Err, text+l.Language.Text("Try: ssh HOST help"))
	return errUnknownCommand
}

// flagError returns a [UsageError] for an error of the library that parses the options
// of a command, and other errors unchanged.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		name := unknown.GetSpecifiedName()
		if near := spelling.Nearest(name, names); near != "" {
			return UsageErrorf("%s: unknown option %q; the nearest is --%s", topLevel(c).Name(), name, near)
		}
		return UsageErrorf("%s: unknown option %q", topLevel(c).Name(), name)
	case errors.As(err, &empty):
		return UsageErrorf("--%s needs a value", empty.GetSpecifiedName())
	case errors.As(err, &invalid):
		return UsageErrorf("--%s cannot be %q", invalid.GetFlag().Name, invalid.GetValue())
	case errors.As(err, &syntax):
		return UsageErrorf("cannot understand %q", err.Error())
	}
	return err
}

// sentence returns an error as a sentence with a capital letter and a full stop.
func sentence(l i18n.Language, err error) string {
	s := strings.TrimSuffix(narrate.Error(l, err), ".")
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:] + "."
}
