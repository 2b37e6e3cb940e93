package web

import (
	"broadside/internal/i18n"
	"broadside/internal/svg"
	"broadside/match"
)

// stateTexts describe the states of cells.
var stateTexts = map[svg.State]i18n.Key{
	svg.Sea: "not fired at", svg.Miss: "miss", svg.Clear: "must be water", svg.Ship: "ship", svg.Hit: "hit", svg.Sunk: "sunk",
}

// moduleTexts are the texts that the module shows. Words in braces are replaced; see blanks.
var moduleTexts = map[string]i18n.Key{
	"sea": "not fired at", "miss": "miss", "clear": "must be water", "ship": "ship", "hit": "hit", "sunk": "sunk",
	"fired": "%s fires at %s: %s", "begins": "The battle begins. %s fires first.", "turn": "%s to fire", "placing": "The players are placing their fleets.", "won": "%s won.", "nobody-won": "The match ended without a winner.",
	"copied": "Copied", "copy": "Copy", "play": "Play##replay", "pause": "Pause", "shot-of": "Shot %v of %v", "lost": "Connection lost. Reconnecting …", "percent": "%s%%",
}

// blanks are placeholders for the arguments of texts, which the module replaces.
var blanks = map[string][]any{
	"fired": {"{0}", "{1}", "{2}"}, "begins": {"{0}"}, "turn": {"{0}"}, "won": {"{0}"}, "shot-of": {"{0}", "{1}"}, "percent": {"{0}"},
}

// resultTexts are the results of shots.
var resultTexts = map[match.Result]i18n.Key{
	match.Water: "miss", match.Hit: "hit", match.Sunk: "sunk", match.LastSunk: "sunk",
}
