package command_test

import (
	"bytes"
	"testing"

	"broadside/internal/i18n"
	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/sshd"
	"broadside/sshd/command"
)

// runOpeningCommand runs a command line at a terminal.
func runOpeningCommand(t *testing.T, l i18n.Language, line string) (opening any, status int, errs string) {
	t.Helper()
	host := lobbytest.Open(lobby.Config{Seed: 1})
	defer host.Close()
	var o, e bytes.Buffer
	c := newLine(command.Config{Host: &session.Host{Lobby: host}}, sshd.User{Name: "ann", Language: l, Terminal: true}, line)
	c.Out, c.Err = &o, &e
	status = c.Run(t.Context())
	opening, _, ok := c.StartScreen()
	if ok != (status == 0) || o.Len() > 0 || !c.IsLongRunning() {
		t.Errorf("%s: got status %d, start screen %+v, output %q", line, status, opening, o.String())
	}
	return opening, status, e.String()
}

// TestCommandsThatOpenScreens checks which screens commands open.
func TestCommandsThatOpenScreens(t *testing.T) {
	classic, hasbro := match.Classic(), match.Hasbro()
	for line, want := range map[string]session.StartScreen{
		"play":                          {Play: true, Rules: classic},
		"play --plain --vs hard":        {Play: true, Rules: classic, Bot: "hard"},
		"play --rules=hasbro --vs hard": {Play: true, Rules: hasbro, Bot: "hard"},
		"play --casual --rules hasbro":  {Play: true, Rules: hasbro, RatingMode: lobby.Casual},
		"resume":                        {Rejoin: true},
		"resume k3f9":                   {ResumeCode: "k3f9"},
		"watch":                         {Watch: lobby.FeaturedMatch},
		"watch bob":                     {Watch: "bob"},
		"watch --plain":                 {Watch: lobby.FeaturedMatch},
		"daily":                         {Daily: true},
		"plain":                         {},
	} {
		opening, status, errs := runOpeningCommand(t, i18n.English, line)
		if got, ok := opening.(session.StartScreen); status != 0 || !ok || got.Rules.Name != want.Rules.Name {
			t.Errorf("%s: got status %d, start screen %+v, errors %s", line, status, opening, errs)
		} else if got.Rules, want.Rules = classic, classic; !isEqual(got, want) {
			t.Errorf("%s: got start screen %+v, want %+v", line, got, want)
		}
	}
}

// isEqual compares start screens without their rules, which cannot be compared.
func isEqual(a, b session.StartScreen) bool {
	return a.PrivateCode == b.PrivateCode && a.ResumeCode == b.ResumeCode && a.Rejoin == b.Rejoin && a.Play == b.Play && a.Bot == b.Bot && a.RatingMode == b.RatingMode &&
		a.Daily == b.Daily && a.Watch == b.Watch
}
