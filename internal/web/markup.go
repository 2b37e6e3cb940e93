package web

import (
	"fmt"
	"html"
	"strings"
)

// markup is HTML. Package html/template is not used because it calls methods by name, so the
// linker would keep every exported method of the whole program: 3 MB.
type markup string

// fill returns HTML with values in place of the verbs %v of a layout. It escapes all values
// except markup, for text and for attributes in quotation marks.
func fill(layout string, values ...any) markup {
	for i, v := range values {
		if _, ok := v.(markup); !ok {
			values[i] = html.EscapeString(fmt.Sprint(v))
		}
	}
	return markup(fmt.Sprintf(layout, values...))
}

// when returns markup if a condition holds, and otherwise none.
func when(condition bool, m markup) markup {
	if condition {
		return m
	}
	return ""
}

// each returns the markup of all values.
func each[T any](all []T, f func(T) markup) markup {
	var b strings.Builder
	for _, v := range all {
		b.WriteString(string(f(v)))
	}
	return markup(b.String())
}

// column is the head of a column of a table.
type column struct {
	title string
	class string // n: numbers; more: hidden on narrow screens
}

// table returns a table with rows.
func table(columns []column, rows markup) markup {
	head := each(columns, func(c column) markup {
		return fill(`<th scope="col"%v>%v</th>`, when(c.class != "", fill(` class="%v"`, c.class)), c.title)
	})
	return fill(`<div class="scroll"><table>
<thead><tr>%v</tr></thead>
<tbody>%v</tbody></table></div>`, head, rows)
}

// tabs returns a choice among lists.
func tabs(label string, all []tab) markup {
	return fill(`<nav class="tabs" aria-label="%v">%v</nav>`, label, each(all, func(t tab) markup {
		return fill(`<a href="%v"%v>%v</a>`, t.Link, when(t.Current, ` aria-current="true"`), t.Text)
	}))
}

// note returns a paragraph of minor importance.
func note(text string) markup { return fill(`<p class="note">%v</p>`, text) }

// title returns the title of a section.
func title(text string) markup { return fill(`<h2 class="title">%v</h2>`, text) }
