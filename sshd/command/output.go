package command

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/view"
	"broadside/tui/text"
)

// output writes the results of a command in the user's language. Callers may ignore write
// errors: after one, [Line] considers the command failed.
type output struct {
	out  io.Writer
	lang i18n.Language
	// spoken selects lists whose cells are separated by commas instead of columns, for line mode.
	spoken bool
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
		return fmt.Errorf("write JSON: %w", err)
	}
	_, err = o.out.Write(append(b, '\n'))
	return err
}

// heads returns the headings of a table.
func (o output) heads(texts ...i18n.Key) []string { return view.UpperHeadings(o.lang, texts...) }

// number formats a number for a table.
func (o output) number(n int) string { return o.lang.Text("%d", n) }

// table writes rows in columns. The last cell of a row is not padded.
func (o output) table(rows [][]string) error {
	if o.spoken {
		for _, row := range rows {
			fmt.Fprintln(o.out, strings.Join(row, ", "))
		}
		return nil
	}
	w := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// write writes a list as JSON with the option --json, or else as a table.
func (c *Call) write(v any, rows [][]string) error {
	if c.has("json") {
		return c.json(v)
	}
	return c.table(rows)
}

// writeList writes a list as JSON with the option --json, or else as a table, or says that it is empty.
func writeList[T any](c *Call, v any, list view.List[T], rows []T, empty i18n.Key, args ...any) error {
	if len(rows) == 0 && !c.has("json") {
		return c.print(empty, args...)
	}
	return c.write(v, list.TableRows(c.lang, rows))
}

// done writes what the command has done, or returns the error of doing it.
func (c *Call) done(err error, text i18n.Key, args ...any) error {
	if err != nil {
		return err
	}
	return c.print(text, args...)
}

// until formats the time at which something ends; the zero time is never.
func (o output) until(t time.Time) string {
	if t.IsZero() {
		return o.lang.Text("permanent")
	}
	return o.lang.Text("until %s UTC", view.FormatTime(o.lang, t))
}

// utc formats a time for JSON. The zero time is an empty string.
func utc(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// clean returns a name in a form that is safe to display.
func clean(name string) string { return text.Clean(name, 40) }
