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

// TestNavalCellNotation checks that cells can be written as in the naval documents: the column's number from
// 0, then the row's letter.
func TestNavalCellNotation(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		ann := connectPlayer(t, l, "ann", match.Naval())
		ann.enterLines("play")
		ann.waitFor("Waiting for an opponent")
		bob := connectPlayer(t, l, "bob", match.Naval())
		bob.enterLines("play")
		for _, p := range []*testPlayer{ann, bob} {
			p.waitFor("Place your fleet")
			p.enterLines("Schlachtschiff 0A Ost", "place Kreuzer 0C Ost", "Kreuzer 5C 8C", "place 0E 2E", "Zerstörer 4E O", "zerstörer 8e s")
			p.waitFor("battleship is at A1 to A5", "cruiser is at C1 to C4", "cruiser is at C6 to C9", "destroyer is at E1 to E3", "destroyer is at E5 to E7", "destroyer is at E9 to G9")
			p.enterLines("U-Boot 0I Ost", "U-Boot 3I Ost", "U-Boot 0G Ost", "U-Boot 4G Ost", "ready")
		}
		bob.waitFor("Your turn.")
		bob.enterLines("fire 0A")
		ann.waitFor("bob fired at A1", "Your turn.")
		ann.enterLines("pass", "9J")
		bob.waitFor("ann fired at J10")
	})
}

// TestMovingShips checks the messages for moves and passes, and the age that a chart shows for old shots.
func TestMovingShips(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		ann := connectPlayer(t, l, "ann", match.Naval())
		ann.enterLines("play")
		ann.waitFor("Waiting for an opponent")
		bob := connectPlayer(t, l, "bob", match.Naval())
		bob.enterLines("play", navalFleet)
		ann.enterLines(navalFleet)
		bob.waitFor("Your turn.")
		// No one has fired at bob yet.
		bob.checkNotShown("you may move a ship")
		bob.enterLines("move I10 backward")
		bob.waitFor("Your fleet may move once after each of your opponent's shots, before your own.")
		bob.enterLines("A1")
		ann.waitFor("bob fired at A1: miss.", "Your turn.", "You may move a ship before you fire.")
		ann.enterLines("moves")
		ann.waitFor("Destroyer, D6 to D8: forward.", "Destroyer, F7 to F5: backward.", "Submarine, I10 to J10: backward.")
		ann.enterLines("move battleship forward")
		ann.waitFor("The battleship would be too close to another of your ships, the cruiser.")
		ann.enterLines("move I10 forward")
		ann.waitFor("The submarine would leave the board.")
		ann.enterLines("move submarine forward")
		ann.waitFor("You have several of these.")
		ann.enterLines("move I10 uz")
		ann.waitFor("The submarine would be too close to another of your ships, the submarine.")
		ann.enterLines("move I10 GZ")
		ann.waitFor("The submarine would leave the board.")
		ann.enterLines("move I10 backward")
		ann.waitFor("Your submarine is now at H10 to I10.")
		ann.enterLines("pass")
		ann.waitFor("Your fleet may move once")
		synctest.Wait()
		ann.enterLines("C3")
		bob.waitFor("ann fired at C3", "Your turn.")
		bob.checkNotShown("submarine")
		for range 3 {
			bob.enterLines("pass", "C3")
			bob.waitFor("Your ships stay where they are.", "C3: miss.")
			ann.waitFor("Your turn.")
			ann.enterLines("moves", "pass", "A1")
			ann.waitFor("Your ships stay where they are.")
			bob.waitFor("Your turn.")
		}
		ann.enterLines("chart C3", "chart row C")
		ann.waitFor("C3: miss, 3 shots ago.", "3 miss some shots ago")
		for range 8 {
			bob.enterLines("D9")
			ann.waitFor("Your turn.")
			ann.enterLines("A1")
			bob.waitFor("Your turn.")
		}
		ann.enterLines("chart C3", "chart row C")
		ann.waitFor("C3: miss, 11 shots ago.", "3 miss long ago")
		bob.enterLines("resign", "resign")
		ann.waitFor("You won.", "12 rounds in ")
	})
}
