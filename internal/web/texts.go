package web

import (
	"broadside/internal/i18n"
	"broadside/internal/svg"
)

// texts are the texts of templates and pages, by their names there.
var texts = map[string]i18n.Key{
	"tagline": "web-tagline", "about": "web-about", "connect": "web-connect", "copy": "web-copy", "host-key": "web-host-key",
	"live": "web-live", "leaderboard": "web-leaderboard", "ladder": "web-ladder", "ladder-about": "web-ladder-about", "daily": "web-daily", "programs": "web-programs", "home": "web-home",
	"skip": "web-skip", "language": "web-language", "source": "web-api", "navigation": "web-navigation",
	"online": "web-online", "nobody-online": "web-nobody-online", "featured": "web-featured", "no-match": "web-no-match",
	"watching": "n-watching", "recent": "web-recent", "none-yet": "web-none-yet", "guest": "guest", "bot": "bot", "person": "person", "program": "program",
	"board-of": "web-board-of", "turn": "web-turn", "placing": "web-placing", "revealing": "web-revealing",
	"won": "web-won", "nobody-won": "web-nobody-won", "shots": "web-shots", "hits": "web-hits", "afloat": "web-afloat", "log": "web-log",
	"begins": "web-begins", "fired": "web-fired", "follow-ssh": "web-follow-ssh", "updates": "web-updates", "live-of": "web-live-of",
	"replay-of": "web-replay-of", "shot-of": "web-shot-of", "first": "web-first", "back": "web-back", "next": "web-next", "last": "web-last",
	"play": "web-play", "speed": "web-speed", "heat": "web-heat", "keys": "web-keys", "position": "web-position", "odds-note": "web-odds-note",
	"record": "web-record", "accuracy": "accuracy-title", "costly": "costliest-shots", "costly-shot": "web-costly-shot",
	"rank": "web-rank", "name": "web-name", "kind": "web-kind", "rating": "web-rating", "games": "web-games", "everybody": "web-everybody", "people": "web-people",
	"machines": "web-machines", "ranking-note": "web-ranking-note", "daily-of": "web-daily-of", "daily-about": "web-daily-about", "daily-none": "web-daily-none",
	"daily-newcomers": "web-daily-newcomers", "daily-before": "web-daily-before", "earlier": "web-earlier", "later": "web-later", "finished": "web-finished",
	"since": "web-since", "rules": "web-rules", "won-games": "web-won-games", "hit-rate": "web-hit-rate", "matches": "web-matches", "form": "web-form",
	"victory": "web-victory", "defeat": "web-defeat", "draw": "web-draw", "profile-of": "web-profile-of", "profile": "profile-title", "opponents": "opponents-title", "opponent": "web-opponent", "result": "web-result", "players": "web-players", "ended": "web-ended", "winner": "web-winner",
	"programs-about": "web-programs-about", "programs-line": "web-programs-line", "programs-meaning": "web-programs-meaning", "programs-sender": "web-programs-sender",
	"server": "web-server", "attacker": "web-attacker", "defender": "web-defender", "p-defend": "web-p-defend", "p-attack": "web-p-attack", "p-begin": "web-p-begin",
	"p-fire": "web-p-fire", "p-result": "web-p-result", "programs-after": "web-programs-after", "programs-ssh": "web-programs-ssh", "api-about": "web-api-about",
	"not-found": "web-not-found", "not-found-about": "web-not-found-about", "unavailable": "web-unavailable", "unavailable-about": "web-unavailable-about",
}

// stateTexts describe the states of cells.
var stateTexts = map[svg.State]i18n.Key{
	svg.Sea: "web-state-sea", svg.Miss: "web-state-miss", svg.Clear: "web-state-clear", svg.Ship: "web-state-ship", svg.Hit: "web-state-hit", svg.Sunk: "web-state-sunk",
}

// moduleTexts are the texts that the module shows. Words in braces are replaced; see blanks.
var moduleTexts = map[string]i18n.Key{
	"sea": "web-state-sea", "miss": "web-state-miss", "clear": "web-state-clear", "ship": "web-state-ship", "hit": "web-state-hit", "sunk": "web-state-sunk",
	"fired": "web-fired", "begins": "web-begins", "turn": "web-turn", "placing": "web-placing", "revealing": "web-revealing", "won": "web-won", "nobody-won": "web-nobody-won",
	"copied": "web-copied", "copy": "web-copy", "play": "web-play", "pause": "web-pause", "shot-of": "web-shot-of", "lost": "web-connection-lost", "percent": "percent",
}

// blanks are placeholders for the arguments of texts, which the module replaces.
var blanks = map[string][]any{
	"fired": {"{0}", "{1}", "{2}"}, "begins": {"{0}"}, "turn": {"{0}"}, "won": {"{0}"}, "shot-of": {"{0}", "{1}"}, "percent": {"{0}"},
}

// resultTexts are the results of shots in records and events.
var resultTexts = map[string]i18n.Key{
	"water": "web-state-miss", "hit": "web-state-hit", "sunk": "web-state-sunk", "last": "web-state-sunk",
}
