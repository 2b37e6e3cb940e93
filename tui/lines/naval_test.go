package lines

import (
	"testing"
	"testing/synctest"

	"broadside/lobby"
	"broadside/match"
)

// navalFleet is a fleet for naval, sterns first.
const navalFleet = "battleship B1 B5\ncruiser B7 B10\ncruiser D4 D1\ndestroyer D6 D8\ndestroyer F1 F3\ndestroyer F7 F5\n" +
	"submarine H1 H2\nsubmarine H5 H4\nsubmarine H8 H7\nsubmarine I10 J10\nready"

// TestNavalDocumentForm checks that cells can be written as in the naval documents: the column's number
// from 0, then the row's letter.
func TestNavalDocumentForm(t *testing.T) {
	inLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		ann := come(t, l, "ann", match.Naval())
		ann.say("play")
		ann.hear("Waiting for an opponent")
		bob := come(t, l, "bob", match.Naval())
		bob.say("play")
		for _, p := range []*person{ann, bob} {
			p.hear("Place your fleet")
			p.say("Schlachtschiff 0A Ost", "place Kreuzer 0C Ost", "Kreuzer 5C 8C", "place 0E 2E", "Zerstörer 4E O", "zerstörer 8e s")
			p.hear("battleship is at A1 to A5", "cruiser is at C1 to C4", "cruiser is at C6 to C9", "destroyer is at E1 to E3", "destroyer is at E5 to E7", "destroyer is at E9 to G9")
			p.say("U-Boot 0I Ost", "U-Boot 3I Ost", "U-Boot 0G Ost", "U-Boot 4G Ost", "ready")
		}
		bob.hear("Your turn.")
		bob.say("fire 0A")
		ann.hear("bob fired at A1", "Your turn.")
		ann.say("pass", "9J")
		bob.hear("ann fired at J10")
	})
}

// TestMovingShips moves ships, passes, and checks the displayed age of information.
func TestMovingShips(t *testing.T) {
	inLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		ann := come(t, l, "ann", match.Naval())
		ann.say("play")
		ann.hear("Waiting for an opponent")
		bob := come(t, l, "bob", match.Naval())
		bob.say("play", navalFleet)
		ann.say(navalFleet)
		bob.hear("Your turn.")
		bob.silent("you may move a ship") // no shot was fired at him yet
		bob.say("move I10 backward")
		bob.hear("Your fleet may move once, after each shot of your opponent and before your own.")
		bob.say("A1")
		ann.hear("bob fired at A1: miss.", "Your turn.", "You may move a ship before you fire.")
		ann.say("moves")
		ann.hear("Destroyer, D6 to D8: forward.", "Destroyer, F7 to F5: backward.", "Submarine, I10 to J10: backward.")
		ann.say("move battleship forward")
		ann.hear("The battleship would be too close to another of your ships, the cruiser.")
		ann.say("move I10 forward")
		ann.hear("The submarine would leave the board.")
		ann.say("move submarine forward")
		ann.hear("You have several of these.")
		ann.say("move I10 uz")
		ann.hear("The submarine would be too close to another of your ships, the submarine.")
		ann.say("move I10 GZ")
		ann.hear("The submarine would leave the board.")
		ann.say("move I10 backward")
		ann.hear("Your submarine is now at H10 to I10.")
		ann.say("pass")
		ann.hear("Your fleet may move once")
		synctest.Wait()
		ann.say("C3")
		bob.hear("ann fired at C3", "Your turn.")
		bob.silent("submarine")
		for range 3 {
			bob.say("pass", "C3")
			bob.hear("Your ships stay where they are.", "C3: miss.")
			ann.hear("Your turn.")
			ann.say("moves", "pass", "A1")
			ann.hear("Your ships stay where they are.")
			bob.hear("Your turn.")
		}
		ann.say("chart C3", "chart row C")
		ann.hear("C3: miss, 3 shots ago.", "3 miss some shots ago")
		for range 8 {
			bob.say("D9")
			ann.hear("Your turn.")
			ann.say("A1")
			bob.hear("Your turn.")
		}
		ann.say("chart C3", "chart row C")
		ann.hear("C3: miss, 11 shots ago.", "3 miss long ago")
		bob.say("resign", "resign")
		ann.hear("You won.", "12 rounds in ")
	})
}
