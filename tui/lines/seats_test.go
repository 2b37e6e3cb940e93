package lines

import (
	"strings"
	"testing"
	"time"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
)

// TestSecondSessionResumesMatch checks that a player's second session does not interrupt the match in the first
// one until the player types resume.
func TestSecondSessionResumesMatch(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		before := connectPlayer(t, l, "bob", match.Classic())
		_, bob := startMatch(t, l, match.Classic())
		const offer = "You have a match in another session. To continue it here, type resume."
		before.waitFor(offer)
		again := connectPlayer(t, l, "bob", match.Classic())
		again.waitFor("Welcome to Broadside", offer)
		again.checkNotShown(offer)
		// bob still plays in the first session.
		bob.enterLines("b7")
		bob.waitFor("You fired at B7: miss.")
		again.enterLines("resume")
		bob.waitFor(offer)
		again.waitFor("ann is aiming.")
		again.enterLines("log")
		again.waitFor("You fired at B7: miss.")
		eve := connectPlayer(t, l, "eve", match.Classic())
		eve.enterLines("watch bob", "log")
		eve.waitFor("bob fired at B7: miss.")
		// bob goes back to the first session.
		bob.enterLines("back")
		again.waitFor(offer)
		bob.waitFor("ann is aiming.")
		// The confirmation must follow the question immediately.
		bob.enterLines("resign", "status", "resign")
		bob.waitFor("Resign this match? Type resign again to confirm.", "ann is aiming.", "Resign this match?")
		bob.enterLines("resign")
		bob.waitFor("You resigned.")
		again.enterLines("resume")
		again.waitFor("You have no match to continue.")
		time.Sleep(time.Second)
		bob.enterLines("bot easy")
		bob.waitFor("Place your fleet")
		again.waitFor(offer)
	})
}

// TestResumeCodeTakesOverSeat checks that a player who enters the resume code of a seat in use gets the seat
// after ten seconds, unless its player refuses.
func TestResumeCodeTakesOverSeat(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1, BotPace: -1}, func(t *testing.T, l *lobby.Lobby) {
		guest := startSession(t, Config{Session: session.New(session.Config{Lobby: l, Player: account.Player{Name: "pat"}}), Settings: account.DefaultSettings()})
		guest.enterLines("bot easy")
		code := guest.waitForMatch(`resume ([0-9A-Z-]{14})`)
		eve := connectPlayer(t, l, "eve", match.Classic())
		eve.enterLines("resume " + strings.ToLower(code))
		eve.waitFor("Another session uses this seat. You take it over in 10 seconds")
		guest.waitFor("eve has entered your resume code and takes over your seat in 10 seconds. To keep it, type refuse.")
		guest.enterLines("refuse")
		guest.waitFor("You keep your seat.")
		next := guest.waitForMatch(`Your new resume code: ([0-9A-Z-]{14})`)
		eve.waitFor("The player in this seat refused to hand it over")
		eve.enterLines("resume " + code)
		eve.waitFor("No running match has this resume code")
		eve.enterLines("resume " + next)
		guest.waitFor("Another session took over your seat with its resume code.")
		eve.waitFor("place")
	})
}

// TestOwnerRemovesOpponent checks that a private match's owner, and no one else, can remove the opponent.
func TestOwnerRemovesOpponent(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		ann, bob := connectPlayer(t, l, "ann", match.Classic()), connectPlayer(t, l, "bob", match.Classic())
		ann.enterLines("private")
		code := ann.waitForMatch(`Its code is (\S+):`)
		bob.enterLines("join " + code)
		ann.waitFor("Type remove to remove bob before the battle starts.")
		bob.waitFor("Place your fleet")
		bob.enterLines("remove")
		bob.waitFor("You can remove opponents only from your own private match.")
		ann.enterLines("remove")
		ann.waitFor("Remove bob from your match? It ends without a result.")
		ann.enterLines("remove")
		ann.waitFor("You removed bob: your private match is open again.", "Your private match is open. Its code is ")
		bob.waitFor("No one won.", "The owner of the match removed you.", "Type rematch, or lobby.")
		// Without a result, the ships are not shown.
		bob.checkNotShown("ships were")
		bob.enterLines("lobby", "join "+code)
		bob.waitFor("No private match has this code")
	})
}

// TestOperatorEndsSession checks that a session that an operator ends says so.
func TestOperatorEndsSession(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		host := &session.Host{Lobby: l}
		own, err := host.Open(t.Context(), session.Client{Name: "ann"})
		if err != nil {
			t.Fatal(err)
		}
		ann := startSession(t, Config{Session: own, Settings: account.DefaultSettings()})
		ann.enterLines("private")
		ann.waitFor("Your private match is open.")
		host.EndSessions(func(session.SessionInfo) bool { return true }, i18n.NewMessage("An operator has ended your session."))
		ann.waitFor("An operator has ended your session.")
		ann.running.Wait()
		if open := host.List(); len(open) > 0 {
			t.Errorf("open sessions %+v, want none", open)
		}
	})
}
