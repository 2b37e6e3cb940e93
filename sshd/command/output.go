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

// output writes a command's results in the user's language. Callers may ignore write errors: after one, [Line]
// considers the command failed.
type output struct {
	out  io.Writer
	lang i18n.Language
	// forLineMode separates the cells of lists by commas instead of columns.
	forLineMode bool
}

func (o output) printLine(text i18n.Key, args ...any) error {
	_, err := fmt.Fprintln(o.out, o.lang.Text(text, args...))
	return err
}

func (o output) writeJSON(v any) error { return o.writeJSONBytes(json.MarshalIndent(v, "", "  ")) }

func (o output) writeJSONLine(v any) error { return o.writeJSONBytes(json.Marshal(v)) }

// writeJSONBytes writes encoded JSON and a line feed. It takes the results of json.Marshal.
func (o output) writeJSONBytes(b []byte, err error) error {
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	_, err = o.out.Write(append(b, '\n'))
	return err
}

func (o output) headings(texts ...i18n.Key) []string { return view.UpperHeadings(o.lang, texts...) }

func (o output) formatNumber(n int) string { return o.lang.Text("%d", n) }

// writeColumns writes rows in columns. The last cell of a row is not padded.
func (o output) writeColumns(rows [][]string) error {
	if o.forLineMode {
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

// writeResult writes a list as JSON with the option --json, or else as a table.
func (c *Call) writeResult(v any, rows [][]string) error {
	if c.hasOption("json") {
		return c.writeJSON(v)
	}
	return c.writeColumns(rows)
}

// writeList writes a list as JSON with the option --json, or else as a table, or says that it is empty.
func writeList[T any](c *Call, v any, list view.List[T], rows []T, empty i18n.Key, args ...any) error {
	if len(rows) == 0 && !c.hasOption("json") {
		return c.printLine(empty, args...)
	}
	return c.writeResult(v, list.TableRows(c.lang, rows))
}

// printUnlessError writes what the command has done, unless it failed with err.
func (c *Call) printUnlessError(err error, text i18n.Key, args ...any) error {
	if err != nil {
		return err
	}
	return c.printLine(text, args...)
}

// expiryText returns until when something lasts. The zero time means forever.
func (o output) expiryText(t time.Time) string {
	if t.IsZero() {
		return o.lang.Text("permanent")
	}
	return o.lang.Text("until %s UTC", view.FormatDateTime(o.lang, t))
}

// formatUTC formats a time for JSON. The zero time is an empty string.
func formatUTC(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// cleanName returns a name in a form that is safe to display.
func cleanName(name string) string { return text.Clean(name, 40) }
