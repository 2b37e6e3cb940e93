package lines

import (
	"strings"

	"broadside/internal/i18n"
)

// The lists of words that players may use instead of the English ones, such as
// "feuer=fire sag=say". Every player may use the words of all languages.
const (
	commandWords  i18n.Key = "?=help who=opponents room=private back=resume repeat=again exit=quit bye=quit shoot=fire"
	argumentWords i18n.Key = "all=random"
)

// englishWord returns the English word for a word in a list. The player's language comes first. It
// returns other words unchanged.
func (o *output) englishWord(list i18n.Key, word string) string {
	for _, l := range append([]i18n.Language{o.lang}, i18n.Languages()...) {
		for _, pair := range strings.Fields(l.Text(list)) {
			own, english, _ := strings.Cut(pair, "=")
			if own == word {
				return english
			}
		}
	}
	return word
}

// localCommandWords returns the words in the player's language for commands.
func (o *output) localCommandWords() (words []string) {
	for _, pair := range strings.Fields(o.lang.Text(commandWords)) {
		word, _, _ := strings.Cut(pair, "=")
		words = append(words, word)
	}
	return words
}
