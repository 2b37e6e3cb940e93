package web

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"broadside/internal/i18n"
)

// text returns a text in the language of the page.
func (p *page) text(key i18n.Key, args ...any) g.Node { return g.Text(p.T(key, args...)) }

// title returns the title of a section.
func title(text string) g.Node { return h.H2(h.Class("title"), g.Text(text)) }

// note returns a paragraph of minor importance.
func note(text string) g.Node { return h.P(h.Class("note"), g.Text(text)) }

// card returns a section on a ground of its own.
func card(name string, content ...g.Node) g.Node {
	return h.Section(h.Class("card"), title(name), g.Group(content))
}

// link returns a link, or only its text if there is no address.
func link(address, text string) g.Node {
	if address == "" {
		return g.Text(text)
	}
	return h.A(h.Href(address), g.Text(text))
}

// remark returns a text of minor importance within a line.
func remark(text string) g.Node { return h.Span(h.Class("note"), g.Text(text)) }

// spaced returns the parts of a line that are not nil, with spaces between them.
func spaced(parts ...g.Node) g.Node {
	var line g.Group
	for _, part := range parts {
		if part != nil {
			line = append(line, part, g.Text(" "))
		}
	}
	return line[:max(0, len(line)-1)]
}

// current marks the selected item of a list.
func current(is bool) g.Node { return g.If(is, h.Aria("current", "true")) }

// hidden hides an element that needs JavaScript, which shows it.
func hidden() g.Node { return g.Attr("hidden") }

// tabs returns a choice among lists.
func tabs(label string, all []tab) g.Node {
	return h.Nav(h.Class("tabs"), h.Aria("label", label), g.Map(all, func(t tab) g.Node {
		return h.A(h.Href(t.Link), current(t.Current), g.Text(t.Text))
	}))
}

// connect returns a command that can be copied.
func (p *page) connect(label, command string, about ...g.Node) g.Node {
	return h.Div(h.Class("connect"), g.Attr("data-copy"),
		h.Label(h.For("command"), g.Text(label)),
		h.Div(h.Code(h.ID("command"), g.Text(command)), h.Button(h.Type("button"), hidden(), p.text("Copy"))),
		g.Group(about),
	)
}

// columnKind is the kind of content of a column.
type columnKind int

const (
	plain   columnKind = iota
	heading            // it names the row
	numbers            // aligned to the right
	details            // left out on narrow screens
)

// class returns the class of the cells of a column.
func (k columnKind) class() g.Node {
	switch k {
	case numbers:
		return h.Class("n")
	case details:
		return h.Class("more")
	}
	return nil
}

// cell returns a cell of a column.
func (k columnKind) cell(content g.Node) g.Node {
	if k == heading {
		return h.Th(h.Scope("row"), content)
	}
	return h.Td(k.class(), content)
}

// column is a column of a table.
type column struct {
	title i18n.Key
	kind  columnKind
}

// table returns a table with a row for each value, or a note if there are none. Function row
// returns the content of the cells.
func table[T any](p *page, none i18n.Key, columns []column, all []T, row func(T) []g.Node) g.Node {
	var rows [][]g.Node
	for _, v := range all {
		rows = append(rows, row(v))
	}
	if len(rows) == 0 {
		return note(p.T(none))
	}
	return p.tableOf(columns, rows)
}

// tableOf returns a table of rows.
func (p *page) tableOf(columns []column, rows [][]g.Node) g.Node {
	heads := g.Map(columns, func(c column) g.Node { return h.Th(h.Scope("col"), c.kind.class(), p.text(c.title)) })
	body := g.Map(rows, func(contents []g.Node) g.Node {
		var cells g.Group
		for i, content := range contents {
			cells = append(cells, columns[i].kind.cell(content))
		}
		return h.Tr(cells)
	})
	return h.Div(h.Class("scroll"), h.Table(h.THead(h.Tr(heads)), h.TBody(body)))
}
