package lines

import (
	"slices"
	"strings"
	"testing"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/match"
)

// TestLocalWordsNameCommands checks that the words of all languages stand for existing commands, and that none
// is itself a command.
func TestLocalWordsNameCommands(t *testing.T) {
	var names []string
	for _, c := range allCommands() {
		names = append(append(names, c.Name), strings.Fields(c.Aliases)...)
	}
	for _, l := range i18n.Languages() {
		var seen []string
		for _, pair := range strings.Fields(l.Text(commandWords)) {
			word, command, ok := strings.Cut(pair, "=")
			if !ok || !slices.Contains(names, command) || slices.Contains(names, word) || slices.Contains(seen, word) || word != strings.ToLower(word) {
				t.Errorf("%v: %q does not name a command", l, pair)
			}
			seen = append(seen, word)
		}
	}
}

// TestGermanLineMode checks that a match can be played with German words, against a bot with a German name.
func TestGermanLineMode(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		p := connectPlayer(t, l, "ann", match.Classic())
		p.enterLines("sprache de")
		p.waitFor("Deutsch")
		p.enterLines("bot")
		for _, b := range []string{"Einfach", "Mittel", "Schwer"} {
			p.waitFor(b + ",")
		}
		p.enterLines("bot Einfach")
		p.waitFor("Einfach")
		p.enterLines("setze zufall")
		p.waitFor("Deine Flotte")
		p.enterLines("schieße A1")
		p.waitFor("Dein Schuss auf A1: ")
		p.enterLines("karte zeile A", "brett spalte 7", "lage")
		p.waitFor("Zeile A", "Spalte 7", "Einfach")
		w := connectPlayer(t, l, "wim", match.Classic())
		w.enterLines("language de", "zusehen ann")
		w.waitFor("Einfach zielt.")
		p.enterLines("aufgeben", "aufgeben")
		p.waitFor("verloren")
	})
}
