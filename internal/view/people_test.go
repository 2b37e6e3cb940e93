package view_test

import (
	"slices"
	"strings"
	"testing"

	"broadside/internal/i18n"
	"broadside/internal/view"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/ladder"
	"broadside/lobby/session"
	"broadside/match"
)

func newPerson(name string) account.Player {
	return account.Player{ID: name, Name: name, Account: name}
}

// TestOpponentAndFriendRows checks the rows of opponents, friends and the ladder in each state, and that each
// opponent is listed once.
func TestOpponentAndFriendRows(t *testing.T) {
	s := &lobby.Snapshot{
		Waiting: []lobby.WaitingPlayer{{Offer: 7, Player: newPerson("ann"), Rules: match.Salvo()}},
		People: []lobby.Presence{
			{Player: newPerson("me")}, {Player: newPerson("ann")}, {Player: newPerson("bob"), Playing: true},
			{Player: newPerson("cyd\x1b"), DoNotDisturb: true}, {Player: newPerson("dan")},
		},
	}
	friends := []session.Friend{
		{Player: newPerson("eve"), Online: true, Playing: true}, {Player: newPerson("fay"), Online: true}, {Player: newPerson("gus")},
	}
	opponents := view.OpponentRows(i18n.English, s, "me", match.Classic())
	rows := append(
		view.OpponentsList.TableRows(i18n.English, opponents),
		view.FriendsList.TableRows(i18n.English, view.FriendRows(i18n.English, friends, match.Classic()))...)
	rows = append(rows, view.LadderList.TableRows(i18n.English, []ladder.Standing{
		{Place: 1, Name: "kraken", Kind: "program", Online: true, Rating: ladder.Estimate{Value: 1712, Low: 1612, High: 1812}, Games: 12, Won: 9},
		{Place: 2, Name: "medium", Kind: "bot", Settled: true, Rating: ladder.Estimate{Value: 1500, Low: 1455, High: 1545}},
	})...)
	want := []string{
		"NO.|NAME|KIND|RATING|STATE", "1|ann|person|–|waiting: salvo, no clock, rated", "2|bob|person|–|playing",
		"3|cyd|person|–|do not disturb", "4|dan|person|–|–",
		"NAME|STATE", "eve|playing", "fay|online", "gus|offline",
		"PLACE|NAME|KIND|RATING|MATCHES|WON|ONLINE", "1|kraken|program|1712? ±100|12|9|•", "2|medium|bot|1500 ±45|0|0|",
	}
	var got []string
	for _, r := range rows {
		got = append(got, strings.Join(r, "|"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if opponents[0].Busy || !opponents[1].Busy || opponents[0].Offer != 7 {
		t.Errorf("got opponents %+v", opponents[:2])
	}
}
