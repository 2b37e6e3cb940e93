package web

import (
	"encoding/json"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/svg"
)

// stateTexts describe the states of cells.
var stateTexts = map[svg.State]i18n.Key{
	svg.Sea: "not fired at", svg.Miss: "miss", svg.Clear: "must be water",
	svg.Ship: "ship", svg.Hit: "hit", svg.Sunk: "sunk",
}

// moduleTexts are the texts that the module shows, besides those of cells. See blanks.
var moduleTexts = map[string]i18n.Key{
	"fired": narrate.FiredText, "begins": narrate.BeginsText, "turn": narrate.AimingText,
	"placing": narrate.PlacingText, "won": narrate.WonText, "nobody-won": narrate.NobodyWonText,
	"copied": "Copied", "copy": "Copy", "play": "Play##replay", "pause": "Pause",
	"shot-of": "Shot %v of %v", "lost": "Connection lost. Reconnecting …", "percent": "%s%%",
}

// placeholders are placeholders for the arguments of texts, which the module replaces.
var placeholders = map[string][]any{
	"fired": {"{0}", "{1}", "{2}"}, "begins": {"{0}"}, "turn": {"{0}"}, "won": {"{0}"},
	"shot-of": {"{0}", "{1}"}, "percent": {"{0}"},
}

// moduleTextsJSON returns the texts that the module shows, as JSON.
func (p *page) moduleTextsJSON() string {
	words := map[string]string{}
	for state, key := range stateTexts {
		words[string(state)] = p.translate(key)
	}
	for name, key := range moduleTexts {
		words[name] = p.translate(key, placeholders[name]...)
	}
	b, _ := json.Marshal(words)
	return string(b)
}
