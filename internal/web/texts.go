package web

import (
	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/svg"
)

// stateTexts describe the states of cells.
var stateTexts = map[svg.State]i18n.Key{
	svg.Sea: "not fired at", svg.Miss: "miss", svg.Clear: "must be water",
	svg.Ship: "ship", svg.Hit: "hit", svg.Sunk: "sunk",
}

// moduleTexts are the texts that the module shows. Words in braces are replaced; see blanks.
var moduleTexts = map[string]i18n.Key{
	"sea": "not fired at", "miss": "miss", "clear": "must be water", "ship": "ship", "hit": "hit", "sunk": "sunk",
	"fired": narrate.FiredText, "begins": narrate.BeginsText, "turn": narrate.AimingText,
	"placing": narrate.PlacingText, "won": narrate.WonText, "nobody-won": narrate.NobodyWonText,
	"copied": "Copied", "copy": "Copy", "play": "Play##replay", "pause": "Pause",
	"shot-of": "Shot %v of %v", "lost": "Connection lost. Reconnecting …", "percent": "%s%%",
}

// blanks are placeholders for the arguments of texts, which the module replaces.
var blanks = map[string][]any{
	"fired": {"{0}", "{1}", "{2}"}, "begins": {"{0}"}, "turn": {"{0}"}, "won": {"{0}"},
	"shot-of": {"{0}", "{1}"}, "percent": {"{0}"},
}
