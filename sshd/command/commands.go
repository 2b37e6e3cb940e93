package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/internal/spelling"
	"broadside/match"
	"broadside/relay"
	"broadside/sshd"
)

// Config is what the commands need to know.
type Config struct {
	Host  session.Host  // opens the sessions of those who run commands
	Relay *relay.Server // nil: no command that needs it
	Log   *slog.Logger  // nil: no log
	// Check is asked about a command that opens a screen where there
	// is a terminal, see [sshd.Command]; nil: there is no such command.
	Check func(ctx context.Context, who sshd.Visitor) error
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
		if c.name == relayStream.name && cfg.Relay == nil {
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
	name, args string
	about      i18n.Text // a sentence without full stop
	most       int       // arguments besides flags
	lasts      bool      // it goes on until the client leaves, or until it is done
	opens      bool      // with a terminal it opens a screen
	operator   bool      // it is for operators
	// set defines the command's flags and returns what does it.
	set func(flags) func(*call) error
}

// flags are those of a command, with the language in which they are explained.
type flags struct {
	*pflag.FlagSet
	lang i18n.Language
}

// call is one call of a command.
type call struct {
	ctx  context.Context
	cfg  Config
	who  sshd.Visitor
	lang i18n.Language // of who asks
	args []string      // besides flags
	in   io.ReadCloser
	out  io.Writer
	errs io.Writer // for what is no part of what was asked for

	operator bool            // the command is for operators
	own      session.Session // see call.session; nil: not open
}

// session returns the session of the client, which is opened at the first call.
func (c *call) session() (session.Session, error) {
	if c.own != nil {
		return c.own, nil
	}
	client := session.Client{
		Name: c.who.Name, Fingerprint: c.who.Fingerprint, Addr: c.who.Addr, Conn: strconv.Itoa(c.who.Conn), Unlisted: true,
	}
	if c.operator {
		client.Operator = c.cfg.Operator.actor(c.who.Fingerprint)
	}
	own, err := c.cfg.Host.Open(c.ctx, client)
	if err == nil {
		c.own = own
	}
	return own, err
}

// close closes the session, if it is open.
func (c *call) close() {
	if c.own != nil {
		c.own.Close()
		c.own = nil
	}
}

// ask asks the client's session.
func ask[R any](c *call, q session.Query[R]) (R, error) {
	own, err := c.session()
	if err != nil {
		var none R
		return none, err
	}
	return session.Ask(c.ctx, own, q)
}

// do carries out an action of the client's session.
func (c *call) do(a session.Action) error {
	own, err := c.session()
	if err != nil {
		return err
	}
	return own.Do(c.ctx, a)
}

// usageError is that something was asked for wrongly, as a sentence without
// capital and full stop.
type usageError struct{ error }

// wrong is a usageError.
func wrong(text i18n.Text, args ...any) error { return usageError{i18n.Errorf(text, args...)} }

// failure is that what was asked for cannot be had, in the same form.
type failure struct{ error }

// failed is a failure.
func failed(text i18n.Text, args ...any) error { return failure{i18n.Errorf(text, args...)} }

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
	client := &clientWriter{Writer: out}
	out = client
	l := who.Language
	flags := flags{pflag.NewFlagSet(c.name, pflag.ContinueOnError), l}
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	do := c.set(flags)
	err := flags.Parse(who.Command[1:])
	switch {
	case errors.Is(err, pflag.ErrHelp):
		_, err = fmt.Fprintf(out, "ssh HOST %s %s\n\n%s.\n\n%s", c.name, c.args, l.Say(c.about), flags.usages())
	case err != nil:
		err = c.mistake(flags.FlagSet, err)
	case flags.NArg() > c.most:
		err = wrong("%s takes no %q", c.name, flags.Arg(c.most))
	default:
		call := &call{ctx: ctx, cfg: cfg, who: who, lang: l, args: flags.Args(), in: in, out: out, errs: errs, operator: c.operator}
		defer call.close()
		err = do(call)
	}
	var mistake usageError
	var hopeless failure
	var said i18n.Speaker // of the session
	switch {
	case err == nil:
		return 0
	case errors.As(err, &mistake):
		fmt.Fprintf(errs, "%s %s\n", sentence(l, mistake.error), l.Say("Write: ssh HOST %s", c.name+" "+c.args))
		return 2
	case errors.As(err, &hopeless):
		fmt.Fprintln(errs, sentence(l, hopeless.error))
		return 1
	case errors.As(phrase.Localize(err), &said):
		fmt.Fprintln(errs, sentence(l, said))
		return 1
	}
	left := client.err != nil || errors.Is(ctx.Err(), context.Canceled)
	if !left {
		cfg.Log.Error("command failed", "command", c.name, "error", err)
		fmt.Fprintln(errs, l.Say("That cannot be read just now: try again in a minute."))
	}
	return 1
}

// clientWriter notes that its client takes nothing any more.
type clientWriter struct {
	io.Writer
	err error
}

// Write implements [io.Writer].
func (w *clientWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		w.err = err
	}
	return n, err
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
		name := unknown.GetSpecifiedName()
		if near := spelling.Nearest(name, names); near != "" {
			return wrong("%s knows no flag %q, but --%s", c.name, name, near)
		}
		return wrong("%s knows no flag %q", c.name, name)
	case errors.As(err, &empty):
		return wrong("there is nothing after --%s", empty.GetSpecifiedName())
	case errors.As(err, &invalid):
		return wrong("--%s cannot be %q", invalid.GetFlag().Name, invalid.GetValue())
	}
	return wrong("that cannot be understood: %q", err.Error())
}

// sentence returns an error as a sentence with a capital letter and a full stop.
func sentence(l i18n.Language, err error) string {
	s := strings.TrimSuffix(phrase.Error(l, err), ".")
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:] + "."
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

// print writes a line.
func (c *call) print(text i18n.Text, args ...any) error {
	_, err := fmt.Fprintln(c.out, c.lang.Say(text, args...))
	return err
}

// heads are the headings of a table.
func (c *call) heads(texts ...i18n.Text) []string {
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = c.lang.Say(t)
	}
	return all
}

// number is a number in a table.
func (c *call) number(n int) string { return c.lang.Say("%d", n) }

// table writes rows in columns. The last cell of a row is not padded.
func (c *call) table(rows [][]string) error { return writeTable(c.out, rows) }

func writeTable(out io.Writer, rows [][]string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// usages explains the flags, a line each.
func (f flags) usages() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	f.VisitAll(func(flag *pflag.Flag) {
		name := "--" + flag.Name
		if flag.NoOptDefVal == "" {
			name += " " + strings.ToUpper(flag.Name)
		}
		fmt.Fprintf(w, "  %s\t%s\n", name, flag.Usage)
	})
	_ = w.Flush() // into memory
	return b.String()
}

// or says that something is one of several.
func (f flags) or(all []string) string {
	last := len(all) - 1
	return f.lang.Say("%s or %s", strings.Join(all[:last], ", "), all[last])
}

// jsonFlag defines --json.
func jsonFlag(f flags) *bool { return f.Bool("json", false, f.lang.Say("write JSON")) }

// limitFlag defines --limit.
func limitFlag(f flags, usual int) *int {
	return f.Int("limit", usual, f.lang.Say("how many to list, at most %d; without it, %d", mostListed, usual))
}

// mostListed is how many lines a list has at most.
const mostListed = 100

func checkLimit(n int) error {
	if n < 1 || n > mostListed {
		return wrong("--limit is a number from 1 to %d", mostListed)
	}
	return nil
}

// rulesFlag defines --rules.
func rulesFlag(f flags) *string {
	sets := match.Presets()
	return f.String("rules", sets[0], f.lang.Say("rule set: %s; without it, %s", f.or(sets), sets[0]))
}

// stamp is a time as text.
func (c *call) stamp(t time.Time) string { return c.lang.Day(t) + t.UTC().Format(" 15:04") }
