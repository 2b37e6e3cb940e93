package words

// germanBattle is placing ships and the battle.
var germanBattle = map[Text]string{
	// Ships.
	"carrier": "Flugzeugträger", "battleship": "Schlachtschiff", "cruiser": "Kreuzer", "submarine": "U-Boot",
	"destroyer": "Zerstörer", "corvette": "Korvette", "minesweeper": "Minensucher", "frigate": "Fregatte",
	"gunboat": "Kanonenboot", "cutter": "Kutter",
	"the carrier": "den Flugzeugträger", "the battleship": "das Schlachtschiff", "the cruiser": "den Kreuzer",
	"the submarine": "das U-Boot", "the destroyer": "den Zerstörer", "the corvette": "die Korvette",
	"the minesweeper": "den Minensucher", "the frigate": "die Fregatte", "the gunboat": "das Kanonenboot",
	"the cutter": "den Kutter",

	// Placing. What is said of ships has 36 cells, where they lie 13.
	"Press enter.": "Drücke Enter.", "%s, %d cells": "%s, %d Felder",
	"save the fleet": "Flotte sichern", "Save as: %s": "Sichern als: %s", "save": "sichern", "own": "eigene", "do not save": "nicht sichern",
	"You have no saved fleet for these rules: place one and save it with s.": "Für diese Regeln hast du keine Flotte: Stell eine auf, s sichert sie.",
	"Place all ships first, then save the fleet.":                            "Setze erst alle Schiffe, dann sichere die Flotte.",
	"Your fleet %s, %d of %d.":                                               "Deine Flotte %s, %d von %d.",
	"Your fleet %s is saved: o brings it back.":                              "Deine Flotte %s ist gesichert: o holt sie zurück.",
	"Saved fleets are for matches at a terminal of your own.":                "Gesicherte Flotten gibt es nur am eigenen Terminal.",
	"Place your fleet": "Stell deine Flotte auf", "against %s": "gegen %s", "%s left": "noch %s",
	"Ships": "Schiffe", "not placed": "nicht gesetzt", "in your hand": "in der Hand",
	"All ships are placed.": "Alle Schiffe liegen.", "Press enter to begin.": "Mit Enter geht es los.",
	"Not here:": "Nicht hier:", "Press enter to put %s here.": "Enter setzt %s hierher.",
	"Cell: %s": "Feld: %s",
	"There is no cell %s: cells go from A1 to %s.": "Es gibt kein Feld %s: Die Felder gehen von A1 bis %s.",
	"That is no fleet: %s":                         "Das ist keine Flotte: %s",
	"Your fleet was pasted.":                       "Deine Flotte ist eingefügt.",

	// The battle.
	"Your turn.": "Du bist dran.", "Fire at %s with enter.": "Enter feuert auf %s.", "Choose a target.": "Wähle ein Ziel.",
	"Your fleet is ready.": "Deine Flotte ist bereit.", "Waiting for %s to place ships.": "Warten, bis %s aufgestellt hat.",
	"Waiting for the answer of %s.": "Warten auf die Antwort von %s.",
	"Press tab to hand over to %s.": "Mit Tab gibst du an %s weiter.",
	"%s is away for too long.":      "%s ist zu lange weg.", "Press %s to claim the win, or wait.": "%s holt den Sieg, oder warte.",
	"%s is away.": "%s ist weg.", "You can claim the win in %s.": "Den Sieg kannst du in %s holen.",
	"A win in %s.":  "Sieg in %s.",
	"%s is aiming.": "%s zielt.", "Your boards wait.": "Deine Bretter warten.",
	"%s is away: ! claims the win.":                        "%s ist weg: ! holt den Sieg.",
	"The battle has not begun: %s is still placing ships.": "Die Schlacht hat noch nicht begonnen: %s stellt noch auf.",
	"Your turn is over: press tab to hand over to %s.":     "Dein Zug ist vorbei: Mit Tab gibst du an %s weiter.",
	"It is not your turn: %s is aiming.":                   "Du bist nicht dran: %s zielt.",
	"Time is up.":                                          "Deine Zeit ist um.", "Press enter to fire a random shot.": "Enter feuert einen Zufallsschuss.",
	"Your shot is on its way.":                                   "Dein Schuss ist unterwegs.",
	"You have shot at %s already: choose another cell.":          "Auf %s hast du schon geschossen: Wähle ein anderes Feld.",
	"%s must be water, beside a sunk ship: choose another cell.": "%s muss Wasser sein, neben einem Wrack: Wähle ein anderes Feld.",
	"YOUR FLEET": "DEINE FLOTTE", "ENEMY WATERS": "FEINDLICHES MEER", "THE FLEET OF %s": "FLOTTE VON %s",
	"THE WATERS OF %s": "MEER VON %s", "%d of %s afloat": "noch %d von %s",
	"Resign this match?":                           "Diese Partie aufgeben?",
	"Press y to resign, any other key to play on.": "Mit y gibst du auf, jede andere Taste: weiterspielen.",

	// Shots and what is told of them.
	"water": "Wasser", "hit": "Treffer", "sunk": "versenkt", "last ship sunk": "letztes Schiff versenkt",
	"hit!": "Treffer!", "hit and sunk!": "Treffer, versenkt!", "the last ship is sunk!": "letztes Schiff versenkt!",
	"You %s: %s":          "Du %s: %s",
	"You fired at %s: %s": "Dein Schuss auf %s: %s", "%s fired at %s: %s": "%s schießt auf %s: %s",
	"Time ran out for you: a random shot at %s: %s":                "Deine Zeit war um: Zufallsschuss auf %s: %s",
	"Time ran out for %s: a random shot at %s: %s":                 "Die Zeit von %s war um: Zufallsschuss auf %s: %s",
	"The battle begins.":                                           "Die Schlacht beginnt.",
	"%s has lost the connection.":                                  "%s hat die Verbindung verloren.",
	"%s is back.":                                                  "%s ist zurück.",
	"Your answers cannot all be true: the match is disputed.":      "Deine Antworten können nicht alle stimmen: Die Partie ist strittig.",
	"The answers of %s cannot all be true: the match is disputed.": "Die Antworten von %s können nicht alle stimmen: Die Partie ist strittig.",

	// Placing by the ends of a ship.
	"the stern": "das Heck", "name it": "nennen", "another bow": "anderer Bug", "bow here": "Bug hier",
	"by turning": "durch Drehen", "by its ends": "nach Enden",
	"With its bow at %v, it can lie nowhere: name another cell.":  "Mit dem Bug auf %v passt es nirgends hin: Nenne ein anderes Feld.",
	"The stern cannot be at %s. It can be at %s.":                 "Auf %s kann das Heck nicht liegen, nur auf %s.",
	"Where is the bow of this ship: %s? Press enter at its cell.": "Wo ist der Bug: %s? Drück auf seinem Feld Enter.",
	"The bow is at %v. Where is the stern?":                       "Der Bug ist auf %v. Wo ist das Heck?",
}
