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

// TestSecondSession checks that a second session of a player does not interrupt the match
// in the first one until the player asks for it.
func TestSecondSession(t *testing.T) {
	inLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		before := come(t, l, "bob", match.Classic())
		_, bob := two(t, l, match.Classic())
		const offer = "You have a match in another session. To continue it here, type resume."
		before.hear(offer) // it existed when the match began
		again := come(t, l, "bob", match.Classic())
		again.hear("Welcome to Broadside", offer)
		again.silent(offer) // the match was offered already
		bob.say("b7")
		bob.hear("You fired at B7: miss.") // bob still plays in the first session
		again.say("resume")
		bob.hear(offer)
		again.hear("ann is aiming.")
		again.say("log")
		again.hear("You fired at B7: miss.")
		eve := come(t, l, "eve", match.Classic())
		eve.say("watch bob", "log")
		eve.hear("bob fired at B7: miss.")
		bob.say("back") // and back to the first session
		again.hear(offer)
		bob.hear("ann is aiming.")
		bob.say("resign", "status", "resign") // the answer must follow the question
		bob.hear("Resign this match? Type resign again to confirm.", "ann is aiming.", "Resign this match?")
		bob.say("resign")
		bob.hear("You resigned.")
		again.say("resume")
		again.hear("You have no match to continue.")
		time.Sleep(time.Second)
		bob.say("bot easy")
		bob.hear("Place your fleet")
		again.hear(offer) // another match
	})
}

// TestTakeoverByCode checks that a player who enters the resume code of a seat in use gets
// it after ten seconds, unless its player refuses.
func TestTakeoverByCode(t *testing.T) {
	inLobby(t, lobby.Config{Seed: 1, BotPace: -1}, func(t *testing.T, l *lobby.Lobby) {
		guest := begin(t, Config{Session: session.New(session.Config{Lobby: l, Player: account.Player{Name: "pat"}}), Settings: account.DefaultSettings()})
		guest.say("bot easy")
		code := guest.find(`resume ([0-9A-Z-]{14})`)
		eve := come(t, l, "eve", match.Classic())
		eve.say("resume " + strings.ToLower(code))
		eve.hear("Another session uses this seat. You take it over in 10 seconds")
		guest.hear("eve has entered your resume code and takes over your seat in 10 seconds. To keep it, type refuse.")
		guest.say("refuse")
		guest.hear("You keep your seat.")
		next := guest.find(`Your new resume code: ([0-9A-Z-]{14})`)
		eve.hear("The player in this seat refused to hand it over")
		eve.say("resume " + code)
		eve.hear("No running match has this resume code")
		eve.say("resume " + next)
		guest.hear("Your seat was taken over with its resume code.")
		eve.hear("place")
	})
}

// TestRemove checks that the host of a private match can remove the opponent.
func TestRemove(t *testing.T) {
	inLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		ann, bob := come(t, l, "ann", match.Classic()), come(t, l, "bob", match.Classic())
		ann.say("private")
		code := ann.find(`Its code is (\S+):`)
		bob.say("join " + code)
		ann.hear("Type remove to remove bob before the battle begins.")
		bob.hear("Place your fleet")
		bob.say("remove")
		bob.hear("You can remove opponents only from your own private match.")
		ann.say("remove")
		ann.hear("Remove bob from your match? It ends without a result.")
		ann.say("remove")
		ann.hear("You removed bob: your private match is open again.", "Your private match is open. Its code is ")
		bob.hear("Nobody won.", "The owner of the match removed you.", "Type rematch, or lobby.")
		bob.silent("ships were") // without a result, they are not shown
		bob.say("lobby", "join "+code)
		bob.hear("No private match has this code")
	})
}

// TestEndedByOperator checks that a session ended by an operator shows the reason.
func TestEndedByOperator(t *testing.T) {
	inLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		host := &session.Host{Lobby: l}
		own, err := host.Open(t.Context(), session.Client{Name: "ann"})
		if err != nil {
			t.Fatal(err)
		}
		ann := begin(t, Config{Session: own, Settings: account.DefaultSettings()})
		ann.say("private")
		ann.hear("Your private match is open.")
		host.EndSessions(func(session.SessionInfo) bool { return true }, i18n.NewMessage("An operator has ended your session."))
		ann.hear("An operator has ended your session.")
		ann.running.Wait()
		if open := host.List(); len(open) > 0 {
			t.Errorf("open are %+v", open)
		}
	})
}
