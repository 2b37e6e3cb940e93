package words

// germanMoves is about ships that move.
var germanMoves = map[Text]string{
	// What there is to choose stands in one line of 80 cells.
	"First you may move a ship.": "Erst darfst du ein Schiff ziehen.",
	"forward":                    "vor", "backward": "zurück", "clockwise": "rechtsherum", "anticlockwise": "linksherum",
	"pass": "passen", "ship": "Schiff", "choose a ship": "Schiff wählen", "move it": "ziehen", "next ship": "nächstes", "let go": "loslassen",
	"tab 1–0": "Tab 1–0", "↑↓←→ fbca": "↑↓←→ fbca",
	"cannot move now": "kann jetzt nicht ziehen",
	"There is no ship of yours at %s. Press p to pass.": "Auf %s liegt kein Schiff von dir. Mit p passt du.",
	"Choose where it moves, or press p to pass.":        "Wähle, wohin es zieht, oder passe mit p.",
	"Your ships are numbered from 1 to %d.":             "Deine Schiffe haben die Nummern 1 bis %d.",
	"None of your ships can move now. Press p to pass.": "Keins deiner Schiffe kann jetzt ziehen. Mit p passt du.",
	"%s moved: %s %s, from %s to %s now.":               "%s hat gezogen: %s %s, jetzt von %s bis %s.",
	"admiral does not play where ships move.":           "admiral spielt nicht, wo Schiffe fahren.",
	"Ships that move": "Schiffe, die fahren",
	"After each enemy shot, and before yours, one ship may move; or all stay.": "Nach jedem Schuss des Gegners, vor deinem, darf ein Schiff ziehen.",
	"Not into the last three shots ‹ ›, nor beside a ship, nor with two left.": "Nicht auf die letzten drei Schüsse ‹ ›, an kein Schiff, nicht zu zweit.",
	"tab, 1–0, a click   choose a ship        p, enter   pass":                 "Tab, 1–0, Klick   Schiff wählen        p, Enter   passen",
	"arrows, f b c a     move it: ahead, back, or turn about its stern":        "Pfeile, f b c a   vor, zurück oder um das Heck drehen",
	"the bow of a ship. Sunk ships stay where they are.":                       "der Bug eines Schiffs. Versenkte bleiben liegen.",
	"water: in the last three shots, the last ten, long ago":                   "Wasser: in den letzten drei, den letzten zehn Schüssen, früher",
	"a hit, of the same age: the ship may have gone":                           "ein Treffer, ebenso alt: Das Schiff kann fort sein",
	"Enter fires at %s.":                                          "Enter feuert auf %s.",
	"Your time to move is over.":                                  "Deine Zeit zum Ziehen ist um.",
	"a side with two ships or fewer afloat may not move":          "wer nur noch zwei Schiffe oder weniger hat, darf nicht ziehen",
	"the %s is sunk":                                              "%s ist versenkt",
	"the %s would leave the board":                                "%s käme über den Rand hinaus",
	"the %s would lie at %s, where one of the last %d shots fell": "%s käme auf %s zu liegen, wo einer der letzten %d Schüsse fiel",
	"the %s would lie too close to a ship of yours, the %s":       "%s käme einem Schiff von dir zu nahe: %s",
}
