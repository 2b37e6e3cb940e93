package web

import (
	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/components"
	h "maragu.dev/gomponents/html"

	"broadside/internal/i18n"
	"broadside/internal/view"
)

// text returns a text in the language of the page.
func (p *page) text(key i18n.Key, args ...any) g.Node { return g.Text(p.T(key, args...)) }

// title returns the title of a section.
func title(text string) g.Node { return h.H2(h.Class("title"), g.Text(text)) }

// note returns a paragraph of minor importance.
func note(text string) g.Node { return h.P(h.Class("note"), g.Text(text)) }

// card returns a section with its own background.
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

// tab is a choice among lists on a page.
type tab struct {
	Text, Link string
	Current    bool
}

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

// table returns a list as a table, or a note if it is empty. The heading of each row is a link to its address,
// unless that is empty.
func table[T any](p *page, none i18n.Key, list view.List[T], values []T, address func(T) string) g.Node {
	if len(values) == 0 {
		return note(p.T(none))
	}
	var heads g.Group
	for _, c := range list.Columns {
		if c.Kind != view.Reference {
			heads = append(heads, h.Th(h.Scope("col"), columnClass(c), p.text(c.Title)))
		}
	}
	body := g.Map(values, func(v T) g.Node {
		var cells g.Group
		for i, text := range list.Cells(p.Lang, v) {
			switch c := list.Columns[i]; c.Kind {
			case view.Reference:
			case view.Heading:
				cells = append(cells, h.Th(h.Scope("row"), link(address(v), text)))
			default:
				cells = append(cells, h.Td(columnClass(c), g.Text(text)))
			}
		}
		return h.Tr(cells)
	})
	return h.Div(h.Class("scroll"), h.Table(h.THead(h.Tr(heads)), h.TBody(body)))
}

// columnClass returns the classes of the cells of a column.
func columnClass(c view.Column) g.Node {
	if c.Kind != view.Number && !c.Detail {
		return nil
	}
	return components.Classes{"n": c.Kind == view.Number, "more": c.Detail}
}
