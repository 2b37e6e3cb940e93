package web

import (
	"broadside/internal/i18n"
	"broadside/internal/svg"
	"broadside/match"
)

// stateTexts describe the states of cells.
var stateTexts = map[svg.State]i18n.Key{
	svg.Sea: "web-state-sea", svg.Miss: "web-state-miss", svg.Clear: "web-state-clear", svg.Ship: "web-state-ship", svg.Hit: "web-state-hit", svg.Sunk: "web-state-sunk",
}

// moduleTexts are the texts that the module shows. Words in braces are replaced; see blanks.
var moduleTexts = map[string]i18n.Key{
	"sea": "web-state-sea", "miss": "web-state-miss", "clear": "web-state-clear", "ship": "web-state-ship", "hit": "web-state-hit", "sunk": "web-state-sunk",
	"fired": "web-fired", "begins": "web-begins", "turn": "web-turn", "placing": "web-placing", "won": "web-won", "nobody-won": "web-nobody-won",
	"copied": "web-copied", "copy": "web-copy", "play": "web-play", "pause": "web-pause", "shot-of": "web-shot-of", "lost": "web-connection-lost", "percent": "percent",
}

// blanks are placeholders for the arguments of texts, which the module replaces.
var blanks = map[string][]any{
	"fired": {"{0}", "{1}", "{2}"}, "begins": {"{0}"}, "turn": {"{0}"}, "won": {"{0}"}, "shot-of": {"{0}", "{1}"}, "percent": {"{0}"},
}

// resultTexts are the results of shots.
var resultTexts = map[match.Result]i18n.Key{
	match.Water: "web-state-miss", match.Hit: "web-state-hit", match.Sunk: "web-state-sunk", match.LastSunk: "web-state-sunk",
}
