package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/view"
	"broadside/lobby/account"
)

// output writes the results of a command in the user's language. Callers may ignore write
// errors: after one, [sshd.CommandLine] considers the command failed.
type output struct {
	out  io.Writer
	lang i18n.Language
}

// print writes a line.
func (o output) print(text i18n.Key, args ...any) error {
	_, err := fmt.Fprintln(o.out, o.lang.Text(text, args...))
	return err
}

// json writes a value as JSON.
func (o output) json(v any) error { return o.line(json.MarshalIndent(v, "", "  ")) }

// jsonLine writes a value as JSON on one line.
func (o output) jsonLine(v any) error { return o.line(json.Marshal(v)) }

// line writes encoded JSON and a line feed.
func (o output) line(b []byte, err error) error {
	if err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	_, err = o.out.Write(append(b, '\n'))
	return err
}

// heads returns the headings of a table.
func (o output) heads(texts ...i18n.Key) []string { return view.Heads(o.lang, texts...) }

// number formats a number for a table.
func (o output) number(n int) string { return o.lang.Text("%d", n) }

// table writes rows in columns. The last cell of a row is not padded.
func (o output) table(rows [][]string) error {
	w := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// list writes a list as JSON or as a table.
func (o output) list(asJSON bool, v any, rows [][]string) error {
	if asJSON {
		return o.json(v)
	}
	return o.table(rows)
}

// stamp formats a time in UTC.
func (o output) stamp(t time.Time) string { return o.lang.Day(t) + t.UTC().Format(" 15:04") }

// until formats the time at which something ends; the zero time is never.
func (o output) until(t time.Time) string {
	if t.IsZero() {
		return o.lang.Text("permanent")
	}
	return o.lang.Text("until %s UTC", o.stamp(t))
}

// utc formats a time for JSON. The zero time is an empty string.
func utc(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// dash returns s, or a dash if s is empty.
func dash(s string) string { return cmp.Or(s, "–") }

// playerKinds are the texts of kinds of players.
var playerKinds = map[account.Kind]i18n.Key{account.Person: "person", account.Bot: "bot", account.Program: "program"}
