package lines

import (
	"testing"

	"broadside/lobby"
	"broadside/match"
)

// TestSalvoResults checks the messages for salvos and for every invalid list of targets.
func TestSalvoResults(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		const fleet = "carrier A1 A5\nbattleship C1 C4\ncruiser E1 E3\nsubmarine G1 G3\ndestroyer I1 I2\nready"
		ann := connectPlayer(t, l, "ann", match.Salvo())
		ann.enterLines("rules")
		ann.waitFor("The rules are salvo", "one shot for each of their ships afloat")
		ann.enterLines("play")
		ann.waitFor("Waiting for an opponent")
		bob := connectPlayer(t, l, "bob", match.Salvo())
		bob.enterLines("play", fleet)
		ann.enterLines(fleet)
		bob.waitFor("Your turn.", "Your salvo has 5 shots.")
		for _, invalid := range [][2]string{
			{"fire", "Type fire and 5 cells, such as fire B7 C3."},
			{"fire A1 A2", "You have 5 shots this turn, but named 2. No shots were fired."},
			{"fire A1 A2 A3 A4 A5 J1", "You have 5 shots this turn, but named 6. No shots were fired."},
			{"fire A1 A2 A3 A4 a1", "You named A1 twice. No shots were fired."},
			{"fire A1 A2 A3 A4 K1", "There is no cell K1"},
			{"fire A1 A2 A3 A4 here", `"here" is not a cell`},
		} {
			bob.enterLines(invalid[0])
			bob.waitFor(invalid[1])
		}
		ann.checkNotShown("fires")
		bob.enterLines("fire I1, I2 J10 A1 a2")
		bob.waitFor("You fired: I1 hit, I2 destroyer sunk, J10 miss, A1 hit, A2 hit.", "4 ships are left to sink.")
		ann.waitFor("bob fired: I1 destroyer hit, I2 destroyer sunk, J10 miss, A1 carrier hit, A2 carrier hit.",
			"You have 4 ships left.", "Your turn.", "Your salvo has 4 shots.")
		// Commands wait for their turn.
		bob.enterLines("fire A3 A4 A5 C1 C2")
		ann.enterLines("J1 J2 J3 J4")
		bob.waitFor("ann fired: J1 miss, J2 miss, J3 miss, J4 miss.", "You fired: A3 hit, A4 hit, A5 carrier sunk, C1 hit, C2 hit.")
		ann.waitFor("You have 3 ships left.")
		ann.enterLines("J1 J5 J6")
		ann.waitFor("You have already fired at J1: miss. Choose another cell.")
		ann.enterLines("J5 J6 J7")
		bob.waitFor("Your turn.")
		bob.enterLines("C3 C4 E1 E2 E3")
		ann.waitFor("Your salvo has 1 shot.")
		ann.enterLines("J8")
		bob.waitFor("ann fired at J8: miss.")
		bob.enterLines("G1 G2 G3 J8 J9")
		bob.waitFor("You fired: G1 hit, G2 hit, G3 last ship sunk.", "You won.", "4 rounds in ")
		ann.waitFor("G3 submarine sunk.", "You lost.")
	})
}
