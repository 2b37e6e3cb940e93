package web

import (
	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/components"
	h "maragu.dev/gomponents/html"

	"broadside/internal/i18n"
	"broadside/internal/view"
)

// textNode returns a text in the page's language.
func (p *page) textNode(key i18n.Key, args ...any) g.Node { return g.Text(p.translate(key, args...)) }

// heading returns a section's title.
func heading(text string) g.Node { return h.H2(h.Class("title"), g.Text(text)) }

// noteParagraph returns a paragraph in a muted colour.
func noteParagraph(text string) g.Node { return h.P(h.Class("note"), g.Text(text)) }

// cardSection returns a section with its own background.
func cardSection(name string, content ...g.Node) g.Node {
	return h.Section(h.Class("card"), heading(name), g.Group(content))
}

// linkOrText returns a link, or only its text if there is no address.
func linkOrText(address, text string) g.Node {
	if address == "" {
		return g.Text(text)
	}
	return h.A(h.Href(address), g.Text(text))
}

// noteSpan returns a text within a line, in a muted colour.
func noteSpan(text string) g.Node { return h.Span(h.Class("note"), g.Text(text)) }

// joinWithSpaces returns the parts of a line that are not nil, with spaces between them.
func joinWithSpaces(parts ...g.Node) g.Node {
	var line g.Group
	for _, part := range parts {
		if part != nil {
			line = append(line, part, g.Text(" "))
		}
	}
	return line[:max(0, len(line)-1)]
}

// currentAttr returns the attribute of a list's selected item.
func currentAttr(isCurrent bool) g.Node { return g.If(isCurrent, h.Aria("current", "true")) }

// hiddenAttr returns the attribute that hides an element until JavaScript shows it.
func hiddenAttr() g.Node { return g.Attr("hidden") }

// tab is a choice among lists on a page.
type tab struct {
	Text, Link string
	Current    bool
}

// tabList returns a choice among lists.
func tabList(label string, all []tab) g.Node {
	return h.Nav(h.Class("tabs"), h.Aria("label", label), g.Map(all, func(t tab) g.Node {
		return h.A(h.Href(t.Link), currentAttr(t.Current), g.Text(t.Text))
	}))
}

// commandBox returns a command line with a button that copies it.
func (p *page) commandBox(label, command string, about ...g.Node) g.Node {
	return h.Div(h.Class("connect"), g.Attr("data-copy"),
		h.Label(h.For("command"), g.Text(label)),
		h.Div(h.Code(h.ID("command"), g.Text(command)), h.Button(h.Type("button"), hiddenAttr(), p.textNode("Copy"))),
		g.Group(about),
	)
}

// listTable returns a list as a table, or a note if it is empty. The heading of each row is a link to its address,
// unless that is empty.
func listTable[T any](p *page, emptyText i18n.Key, list view.List[T], values []T, rowPath func(T) string) g.Node {
	if len(values) == 0 {
		return noteParagraph(p.translate(emptyText))
	}
	var heads g.Group
	for _, c := range list.Columns {
		if c.Kind != view.Reference {
			heads = append(heads, h.Th(h.Scope("col"), columnClass(c), p.textNode(c.Title)))
		}
	}
	body := g.Map(values, func(v T) g.Node {
		var cells g.Group
		for i, text := range list.Cells(p.Lang, v) {
			c := list.Columns[i]
			if c.Kind == view.Heading {
				cells = append(cells, h.Th(h.Scope("row"), linkOrText(rowPath(v), text)))
			} else if c.Kind != view.Reference {
				cells = append(cells, h.Td(columnClass(c), g.Text(text)))
			}
		}
		return h.Tr(cells)
	})
	return h.Div(h.Class("scroll"), h.Table(h.THead(h.Tr(heads)), h.TBody(body)))
}

// columnClass returns the classes of a column's cells.
func columnClass(c view.Column) g.Node {
	if c.Kind != view.Number && !c.Detail {
		return nil
	}
	return components.Classes{"n": c.Kind == view.Number, "more": c.Detail}
}
