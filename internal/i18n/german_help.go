package i18n

// germanHelp is the help.
var germanHelp = map[Text]string{
	"Keys ¦ of the keyboard": "Tasten",
	// Help. A line has 76 cells.
	"o                 one's own saved fleets   s   save the fleet that is placed": "o                 eigene Flotten           s   die aufgestellte sichern",
	"Seals": "Siegel", "Seals: %s": "Siegel: %s",
	"Who keeps them can prove at the end that no ship was moved in secret.": "Wer sie aufhebt, kann am Ende beweisen, dass kein Schiff heimlich versetzt wurde.",
	"The game": "Das Spiel", "Signs": "Zeichen",
	"Two fleets, hidden from each other. Shoot in turns; sink all ships to win.":   "Zwei verborgene Flotten. Schießt abwechselnd; wer alle versenkt, gewinnt.",
	"You learn of each shot: water, hit, or hit and sunk. i in the lobby: try it.": "Zu jedem Schuss: Wasser, Treffer oder versenkt. Probe: i in der Lobby.",
	"arrows, h j k l   move the cursor          t   talk, tab there mutes":         "Pfeile, h j k l   Cursor bewegen           t   reden, Tab dort: stumm",
	"B7 M7             name a cell; rows after L in capitals: m is a key, M a row": "B7 M7             Feld nennen; ab M groß: m ist eine Taste, M eine Zeile",
	"B7                name a cell: the cursor goes there":                         "B7                ein Feld nennen: Der Cursor springt hin",
	"enter, two clicks put the ship down · fire":                                   "Enter, zwei Klicks Schiff setzen · feuern",
	"r, space, wheel   turn the ship            x   place all ships at random":     "r, Leer, Mausrad  Schiff drehen            x   alle Schiffe zufällig setzen",
	"u, drag           take a ship back         z   clear the board":               "u, ziehen         Schiff zurücknehmen      z   das Brett leeren",
	"tab               next ship, hand over     q   resign, leave":                 "Tab               nächstes, weitergeben    q   aufgeben, gehen",
	"l  g              leaderboard · games      y n answer a challenge":            "l  g              Rangliste · Partien      y n Antwort auf Forderungen",
	"A fleet can be pasted, too: one ship a line, such as  carrier A1 A5":          "Eine Flotte lässt sich einfügen, ein Schiff je Zeile:  carrier A1 A5",
	"[ ] the cursor   ‹ › the last shot":                                           "[ ] der Cursor   ‹ › der letzte Schuss",
	"your sea":                                                                     "dein Meer", "enemy waters, unknown": "feindliches Meer, unbekannt",
	"your ship": "dein Schiff", "your shot, water": "dein Schuss, Wasser",
	"enemy shot, water": "feindlicher Schuss, Wasser", "must be water": "muss Wasser sein",
	"your ship, hit": "dein Schiff, getroffen", "enemy ship, hit": "feindliches Schiff, getroffen",
	"your ship, sunk": "dein Schiff, versenkt", "enemy ship, sunk": "feindliches Schiff, versenkt",
}
