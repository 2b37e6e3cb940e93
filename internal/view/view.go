// Package view describes lists as rows of texts in the reader's language, such as the leaderboard or the
// running matches. Commands and line mode write the rows as tables. Screens draw them and may leave out
// cells. Names are safe to display on one line.
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

// Row is a row of a list.
type Row interface {
	// Cells returns the texts of the row's columns.
	Cells(l i18n.Language) []string
}

// Table returns the headings of a list and its rows.
func Table[R Row](l i18n.Language, heads []i18n.Key, rows []R) [][]string {
	table := [][]string{Heads(l, heads...)}
	for _, r := range rows {
		table = append(table, r.Cells(l))
	}
	return table
}

// Heads returns the headings of a list in capitals.
func Heads(l i18n.Language, heads ...i18n.Key) []string {
	upper := cases.Upper(language.Und) // unlike strings, it knows ß
	all := make([]string, len(heads))
	for i, head := range heads {
		all[i] = upper.String(l.Text(head))
	}
	return all
}

// number formats a number with the language's separators.
func number(l i18n.Language, n int) string { return l.Text("%d", n) }

// Dash returns a text, or a dash if it is empty.
func Dash(text string) string { return cmp.Or(text, "–") }

// Stamp formats a time as a day and a time of the day, in UTC.
func Stamp(l i18n.Language, t time.Time) string { return l.Day(t) + t.UTC().Format(" 15:04") }

// name returns the name of a player, who may be a bot.
func name(l i18n.Language, name string, bot bool) string {
	if bot {
		return narrate.BotName(l, name)
	}
	return sanitize.Text(name)
}

// Name returns a player's name.
func Name(l i18n.Language, p account.Player) string { return name(l, p.Name, p.Kind == account.Bot) }

// RatedName returns a player's name with the rating under rules, if any.
func RatedName(l i18n.Language, p account.Player, r match.Rules) string {
	rating := sayRating(l, p.Rating(r))
	if rating == "" {
		return Name(l, p)
	}
	return fmt.Sprintf("%s (%s)", Name(l, p), rating)
}

// sayRating returns a rating in words if it is provisional, because screen readers skip its question mark.
func sayRating(l i18n.Language, rating string) string {
	if value, provisional := strings.CutSuffix(rating, "?"); provisional {
		return l.Text("about %s", value)
	}
	return rating
}
