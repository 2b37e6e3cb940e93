package narrate

import (
	"strings"

	"broadside/internal/i18n"
)

// botNames are the built-in bots whose names are words.
var botNames = map[string]i18n.Key{"easy": "easy", "medium": "medium", "hard": "hard"}

// BotName returns a built-in bot's name as people see it.
func BotName(l i18n.Language, name string) string {
	if key, ok := botNames[name]; ok {
		return l.Text(key)
	}
	return name
}

// FindBot returns the bot whose [BotName] is name, or else name in lower case.
func FindBot(l i18n.Language, name string) string {
	for bot, key := range botNames {
		if strings.EqualFold(l.Text(key), name) {
			return bot
		}
	}
	return strings.ToLower(name)
}
