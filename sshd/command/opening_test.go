package command_test

import (
	"bytes"
	"strings"
	"testing"

	"broadside/internal/i18n"
	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/sshd"
	"broadside/sshd/command"
)

// open runs a command line at a terminal.
func open(t *testing.T, l i18n.Language, line string) (opening any, status int, errs string) {
	t.Helper()
	host := lobbytest.Open(lobby.Config{Seed: 1})
	defer host.Close()
	var o, e bytes.Buffer
	c := commandLine(command.Config{Host: &session.Host{Lobby: host}}, sshd.User{Name: "ann", Language: l, Terminal: true}, line)
	c.Out, c.Err = &o, &e
	status = c.Run(t.Context())
	opening, _, ok := c.Opening()
	if ok != (status == 0) || o.Len() > 0 {
		t.Errorf("%s: status %d, opening %+v, output %q", line, status, opening, o.String())
	}
	return opening, status, e.String()
}

// TestOpenings runs commands that open a screen.
func TestOpenings(t *testing.T) {
	classic, hasbro := match.Classic(), match.Hasbro()
	for line, want := range map[string]session.Opening{
		"play":                          {Play: true, Rules: classic},
		"play --plain --vs hard":        {Play: true, Rules: classic, Bot: "hard"},
		"play --rules=hasbro --vs hard": {Play: true, Rules: hasbro, Bot: "hard"},
		"play --casual --rules hasbro":  {Play: true, Rules: hasbro, Stakes: lobby.Casual},
		"resume":                        {Mine: true},
		"resume k3f9":                   {Seat: "k3f9"},
		"watch":                         {Watch: lobby.Featured},
		"watch bob":                     {Watch: "bob"},
		"watch --plain":                 {Watch: lobby.Featured},
		"daily":                         {Daily: true},
		"plain":                         {},
	} {
		opening, status, errs := open(t, i18n.English, line)
		if got, ok := opening.(session.Opening); status != 0 || !ok || got.Rules.Name != want.Rules.Name {
			t.Errorf("%s: status %d, %+v, %s", line, status, opening, errs)
		} else if got.Rules, want.Rules = classic, classic; !equal(got, want) {
			t.Errorf("%s opens %+v, want %+v", line, got, want)
		}
	}
}

// equal compares openings without their rules, which cannot be compared.
func equal(a, b session.Opening) bool {
	return a.PrivateCode == b.PrivateCode && a.Seat == b.Seat && a.Mine == b.Mine && a.Play == b.Play && a.Bot == b.Bot && a.Stakes == b.Stakes &&
		a.Daily == b.Daily && a.Watch == b.Watch
}

func TestWrongOpenings(t *testing.T) {
	for _, c := range []struct{ line, english, german string }{
		{"join", "Join: CODE is missing.\nUsage: ssh -t HOST join CODE\n", "Join: CODE fehlt.\nAufruf: ssh -t HOST join CODE\n"},
		{"join K3F-97W-QXM K3F-97W-QXM", `Join: unexpected argument "K3F-97W-QXM".`, `Join: unerwartetes Argument "K3F-97W-QXM".`},
		{"join [31m", "A match code has 9 letters and digits", ""},
		{"join K3F-97W-QXM", "No private match has this code", ""},
		{"resume a b", "Resume: unexpected argument \"b\".\nUsage: ssh -t HOST resume [CODE]", `Resume: unerwartetes Argument "b".`},
		{"play chess", `Play: unexpected argument "chess".`, ""},
		{"play --chess", "Play: unknown option \"chess\".\nUsage: ssh -t HOST play [--vs BOT]", `Play: unbekannte Option "chess".`},
		{"play --rules chess", `There are no rules called "chess": choose classic`, `Regeln namens "chess" gibt es nicht`},
		{"play --rules", "--rules needs a value.", ""},
		{"play --vs=", `Unknown bot ""`, ""},
		{"play --vs nobody", `Unknown bot "nobody": choose one of easy,`, ""},
		{"watch ann bob", `Watch: unexpected argument "bob".`, ""},
		{"watch --json", "--json needs a plain connection: run it without -t.\nUsage:", "--json braucht eine Verbindung ohne Vollbild"},
		{"daily --json", "--json needs a plain connection: run it without -t.\nUsage:", ""},
		{"plain please", "Plain: unexpected argument \"please\".\nUsage: ssh -t HOST plain", ""},
	} {
		if _, status, errs := open(t, i18n.English, c.line); status != 2 || !strings.HasPrefix(errs, c.english) || strings.Count(errs, "\nUsage: ") == 0 {
			t.Errorf("%s: status %d, %q, want %q", c.line, status, errs, c.english)
		}
		if _, _, errs := open(t, i18n.MustParse("de"), c.line); errs == "" || !strings.HasPrefix(errs, c.german) || strings.Contains(errs, "Usage:") {
			t.Errorf("%s in German: %q, want %q", c.line, errs, c.german)
		}
	}
}
