package lines

import (
	"slices"
	"strings"
	"testing"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/match"
)

// TestWordsNameCommands checks that the words of all languages stand for commands that exist, and hide
// none.
func TestWordsNameCommands(t *testing.T) {
	var names []string
	for _, c := range all() {
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
	inLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		p := come(t, l, "ann", match.Classic())
		p.say("sprache de")
		p.hear("Deutsch")
		p.say("bot")
		for _, b := range []string{"Einfach", "Mittel", "Schwer"} {
			p.hear(b + ",")
		}
		p.say("bot Einfach")
		p.hear("Einfach")
		p.say("setze zufall")
		p.hear("Deine Flotte")
		p.say("schieße A1")
		p.hear("Dein Schuss auf A1: ")
		p.say("karte zeile A", "brett spalte 7", "lage")
		p.hear("Zeile A", "Spalte 7", "Einfach")
		w := come(t, l, "wim", match.Classic())
		w.say("language de", "zusehen ann")
		w.hear("Einfach zielt.")
		p.say("aufgeben", "aufgeben")
		p.hear("verloren")
	})
}
