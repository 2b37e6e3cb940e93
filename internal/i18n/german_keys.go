package i18n

// germanKeys is keys and what they do.
var germanKeys = map[Text]string{
	// Keys, as they stand before what they do.
	"pgdn pgup": "Bild↓ Bild↑",
	"enter":     "Enter", "esc": "Esc", "tab": "Tab", "space": "Leer", "backspace": "Rücktaste", "ctrl+c": "Strg+C",
	"↑↓←→ hjkl": "↑↓←→ hjkl", "any key": "jede Taste", "any other key": "jede andere",

	// What keys do. All hints of a screen fit into 80 cells.
	"other board": "anderes Brett", "more": "mehr",
	"accept": "annehmen", "decline": "ablehnen", "admiral": "admiral", "aim": "zielen", "another one": "noch eins",
	"back": "zurück", "begin": "los", "bot": "Bot", "break off": "abbrechen", "call a bot in": "einen Bot holen",
	"choose": "wählen", "clear": "leeren", "clock": "Uhr", "close": "zu",
	"everybody's": "die aller", "fire": "feuern", "games": "Partien", "go on": "weiter", "hand over": "übergeben",
	"help": "Hilfe", "I have an account": "Konto vorhanden", "join the room": "in den Raum", "jump": "Nr.",
	"keep": "behalten", "leave": "gehen", "leave at once": "sofort gehen", "link": "verbinden",
	"link a key": "Schlüssel dazu", "lobby": "Lobby", "look": "ansehen", "matches": "Partien", "move": "Feld",
	"mute": "stumm", "name": "Name", "name a cell": "Feld nennen", "next": "weiter", "next match": "nächste Partie",
	"open a room": "Raum öffnen", "opponents": "Gegner", "play": "spielen", "play as a guest": "als Gast",
	"play on": "weiterspielen", "profile": "Profil", "put": "setzen", "random": "Zufall",
	"read again": "neu lesen", "rematch": "Revanche", "remove": "entfernen", "replay": "Film",
	"resign": "aufgeben", "room": "Raum", "rules": "Regeln", "run": "los", "say it": "senden", "shot": "Schuss",
	"speed": "Tempo", "stop": "halt", "take back": "zurück", "take it back": "zurücknehmen",
	"take this name": "Name nehmen", "talk": "reden", "ten": "zehn", "the other name": "der andere Name",
	"today's sea": "das Meer von heute", "turn": "drehen", "type a code": "Code tippen", "watch": "zusehen",
	"watch at once": "gleich zusehen", "who": "wer", "your own": "eigenes", "yours": "deine",
}
