// Package view describes lists, such as the leaderboard or the running matches, as rows of texts in the
// reader's language. See [List]. Commands and line mode write them as tables, and the website as HTML. Screens
// draw the rows and may leave out cells. Names are safe to display on one line.
package view

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/sanitize"
	"broadside/lobby/account"
	"broadside/match"
)

// Kind is the kind of content of a column.
type Kind int

// The kinds of columns. The zero value is a column of texts.
const (
	// Heading names the row.
	Heading Kind = iota + 1
	// Number can be aligned to the right.
	Number
	// Reference is an argument of commands, such as an ID. Pages have links instead.
	Reference
)

// Column is a column of a list.
type Column struct {
	Title i18n.Key
	Kind  Kind
	// Detail can be left out on narrow pages.
	Detail bool
}

// List describes values as rows of texts, with a cell for each column.
type List[T any] struct {
	Columns []Column
	Cells   func(l i18n.Language, value T) []string
}

// TableRows returns the list's headings and then a row for each value.
func (list List[T]) TableRows(l i18n.Language, values []T) [][]string {
	heads := make([]i18n.Key, len(list.Columns))
	for i, c := range list.Columns {
		heads[i] = c.Title
	}
	table := [][]string{UpperHeadings(l, heads...)}
	for _, v := range values {
		table = append(table, list.Cells(l, v))
	}
	return table
}

// UpperHeadings returns headings in capital letters.
func UpperHeadings(l i18n.Language, heads ...i18n.Key) []string {
	// Unlike package strings, package cases knows ß.
	upper := cases.Upper(language.Und)
	all := make([]string, len(heads))
	for i, head := range heads {
		all[i] = upper.String(l.Text(head))
	}
	return all
}

func formatNumber(l i18n.Language, n int) string { return l.Text("%d", n) }

// DashIfEmpty returns text, or a dash if it is empty.
func DashIfEmpty(text string) string { return cmp.Or(text, "–") }

// FormatDateTime returns a day and a time of the day, in UTC.
func FormatDateTime(l i18n.Language, t time.Time) string {
	return l.ShortDate(t) + t.UTC().Format(" 15:04")
}

// displayName returns a player's name, in words for bots and safe to display.
func displayName(l i18n.Language, name string, bot bool) string {
	if bot {
		return narrate.BotName(l, name)
	}
	return sanitize.Text(name)
}

// NameWithKind returns the player's name, safe to display.
func NameWithKind(l i18n.Language, p account.Player) string {
	return displayName(l, p.Name, p.Kind == account.Bot)
}

// NameWithRating returns a player's name, with the rating under rules if there is one.
func NameWithRating(l i18n.Language, p account.Player, r match.Rules) string {
	rating := ratingInWords(l, p.Rating(r))
	if rating == "" {
		return NameWithKind(l, p)
	}
	return fmt.Sprintf("%s (%s)", NameWithKind(l, p), rating)
}

// ratingInWords replaces the question mark of a provisional rating by a word, because screen readers skip it.
func ratingInWords(l i18n.Language, rating string) string {
	value, provisional := strings.CutSuffix(rating, "?")
	if provisional {
		return l.Text("about %s", value)
	}
	return rating
}
