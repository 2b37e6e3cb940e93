package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/pflag"

	"broadside/internal/spelling"
	"broadside/lobby"
	"broadside/lobby/store"
	"broadside/match"
	"broadside/relay"
	"broadside/sshd"
	"broadside/words"
)

// Config is what the commands need to know.
type Config struct {
	Store *store.Store
	Lobby *lobby.Lobby  // nil: no command that needs one
	Relay *relay.Server // nil: no command that needs it
	Log   *slog.Logger  // nil: no log
	// Check is asked with the words of a command that opens a screen where there
	// is a terminal, see [sshd.Command]; nil: there is no such command.
	Check func(words []string) error
	// Operator is for the commands of operators; nil: there are none.
	Operator *Operator
}

// All are the commands, in the order of the help.
func All(cfg Config) []sshd.Command {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	var all []sshd.Command
	for _, c := range []command{watch, leaderboard, daily, games, profile, replay, record, fleet, token, relayStream} {
		if c.lasts && cfg.Lobby == nil || c.name == relayStream.name && cfg.Relay == nil {
			continue
		}
		all = append(all, c.over(cfg))
	}
	return append(all, forOperators(cfg)...)
}

// over is the command as package sshd knows it.
func (c command) over(cfg Config) sshd.Command {
	s := sshd.Command{
		Name: c.name, Args: c.args, About: c.about, Lasts: c.lasts,
		Run: func(ctx context.Context, who sshd.Visitor, in io.ReadCloser, out, errs io.Writer) int {
			return c.run(ctx, cfg, who, in, out, errs)
		},
	}
	if c.opens {
		s.Check = cfg.Check
	}
	return s
}

// command is one of the commands.
type command struct {
	name, args, about string
	most              int  // arguments besides flags
	lasts             bool // it goes on until the client leaves, or until it is done
	opens             bool // with a terminal it opens a screen
	// set defines the command's flags and returns what does it.
	set func(*pflag.FlagSet) func(*call) error
}

// call is one call of a command.
type call struct {
	ctx  context.Context
	cfg  Config
	who  sshd.Visitor
	lang words.Language // of who asks
	args []string       // besides flags
	in   io.ReadCloser
	out  io.Writer
	errs io.Writer // for what is no part of what was asked for
}

// usageError is that something was asked for wrongly, as a sentence without
// capital and full stop.
type usageError string

func (e usageError) Error() string { return string(e) }

// failure is that what was asked for cannot be had, in the same form.
type failure string

func (e failure) Error() string { return string(e) }

// limit is how long a command may take.
const limit = 15 * time.Second

// run runs a command and returns its exit status.
func (c command) run(ctx context.Context, cfg Config, who sshd.Visitor, in io.ReadCloser, out, errs io.Writer) int {
	if !c.lasts {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	defer context.AfterFunc(ctx, func() { _ = in.Close() })() // what waits to read ends by that
	flags := pflag.NewFlagSet(c.name, pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	do := c.set(flags)
	err := flags.Parse(who.Command[1:])
	switch {
	case errors.Is(err, pflag.ErrHelp):
		_, err = fmt.Fprintf(out, "ssh HOST %s %s\n\n%s.\n\n%s", c.name, c.args, c.about, flags.FlagUsages())
	case err != nil:
		err = c.mistake(flags, err)
	case flags.NArg() > c.most:
		err = usageError(fmt.Sprintf("%s takes no %q", c.name, flags.Arg(c.most)))
	default:
		err = do(&call{ctx: ctx, cfg: cfg, who: who, lang: words.OfSession(who.Env), args: flags.Args(), in: in, out: out, errs: errs})
	}
	var wrong usageError
	var failed failure
	switch {
	case err == nil:
		return 0
	case errors.As(err, &wrong):
		fmt.Fprintf(errs, "%s. Write: ssh HOST %s %s\n", capital(wrong.Error()), c.name, c.args)
		return 2
	case errors.As(err, &failed):
		fmt.Fprintf(errs, "%s.\n", capital(failed.Error()))
		return 1
	}
	if ctx.Err() == nil || errors.Is(ctx.Err(), context.DeadlineExceeded) { // else the client has left
		cfg.Log.Error("command failed", "command", c.name, "error", err)
		fmt.Fprintln(errs, "That cannot be read just now: try again in a minute.")
	}
	return 1
}

// mistake is what is wrong with flags, for who wrote them.
func (c command) mistake(flags *pflag.FlagSet, err error) error {
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		var names []string
		flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		text := fmt.Sprintf("%s knows no flag %q", c.name, unknown.GetSpecifiedName())
		if near := spelling.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			text += ", but --" + near
		}
		return usageError(text)
	case errors.As(err, &empty):
		return usageError("there is nothing after --" + empty.GetSpecifiedName())
	case errors.As(err, &invalid):
		return usageError(fmt.Sprintf("--%s cannot be %q", invalid.GetFlag().Name, invalid.GetValue()))
	}
	return usageError(fmt.Sprintf("that cannot be understood: %q", err.Error()))
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// json writes a value as JSON.
func (c *call) json(v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	_, err = c.out.Write(append(b, '\n'))
	return err
}

// table writes rows in columns. The last cell of a row is not padded.
func (c *call) table(rows [][]string) error {
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// jsonFlag defines --json.
func jsonFlag(f *pflag.FlagSet) *bool { return f.Bool("json", false, "write JSON") }

// limitFlag defines --limit.
func limitFlag(f *pflag.FlagSet, usual int) *int {
	return f.Int("limit", usual, fmt.Sprintf("how many to list, at most %d", mostListed))
}

// mostListed is how many lines a list has at most.
const mostListed = 100

func checkLimit(n int) error {
	if n < 1 || n > mostListed {
		return usageError(fmt.Sprintf("--limit is a number from 1 to %d", mostListed))
	}
	return nil
}

// rulesFlag defines --rules.
func rulesFlag(f *pflag.FlagSet) *string {
	return f.String("rules", match.Presets()[0], "rule set, one of "+strings.Join(match.Presets(), ", "))
}

// stamp is a time as text.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }
