package e2e

import (
	"bytes"
	"strings"
	"testing"

	"broadside/internal/test/sshtest"
)

// german is the environment that a German client sends.
var german = map[string]string{"LANG": "de_DE.UTF-8"}

// TestGermanSession plays a match in German, then chooses English.
func TestGermanSession(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	p := sshtest.Dial(t, h.ssh, sshtest.Options{User: "guest", Env: german})
	p.WaitText("Willkommen an Bord")
	p.Press("l")
	if s := p.WaitText("Jetzt spielen"); strings.Contains(s, "Play now") || strings.Contains(s, "leave") {
		t.Errorf("the lobby is not German:\n%s", s)
	}
	p.Press("?")
	p.WaitText("Zwei verborgene Flotten")
	p.Press("x", "b", "1")
	p.WaitText("Stell deine Flotte auf")
	p.Press("x", "enter")
	if s := p.WaitText("DU BIST DRAN"); strings.Contains(s, "Your") || strings.Contains(s, "help") {
		t.Errorf("the battle is not German:\n%s", s)
	}
	p.Press("q", "y")
	p.WaitText("DU HAST VERLOREN. Du hast aufgegeben.")
}

// TestGermanCommands runs commands that need no terminal.
func TestGermanCommands(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	var tee bytes.Buffer
	p := sshtest.Dial(t, h.ssh, sshtest.Options{
		User: "ann", Signer: sshtest.NewSigner(t), Command: "play --vs nemo", Env: map[string]string{"LC_ALL": "de"}, NoPTY: true, Tee: &tee,
	})
	if code := p.Wait(); code != 2 || !strings.Contains(tee.String(), `Unbekannter Bot "nemo"`) {
		t.Errorf("status %d, %s", code, &tee)
	}
}

// TestGermanHelp requests the help and an unknown command, and follows a match of bots.
func TestGermanHelp(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	for _, c := range []struct {
		command string
		status  int
		says    string
	}{
		{"help", 0, "gegen den nächsten freien Spieler oder einen Bot spielen"},
		{"rangliste", 2, "Einen Befehl rangliste gibt es hier nicht. Hilfe gibt: ssh HOST help"},
		{"leaderbord", 2, "Meintest du leaderboard?"},
		{"resume a b", 2, `Resume: unerwartetes Argument "b"`},
		{"watch nemo", 1, `Es läuft keine Partie "nemo"`},
		{"leaderboard", 0, "1      admiral    Bot  1906 ±45"},
		{"leaderboard --of people", 0, "In classic hat noch niemand einen Rang."},
	} {
		var tee bytes.Buffer
		p := sshtest.Dial(t, h.ssh, sshtest.Options{User: "guest", Command: c.command, Env: german, NoPTY: true, Tee: &tee})
		if code := p.Wait(); code != c.status || !strings.Contains(tee.String(), c.says) {
			t.Errorf("%s: status %d, %s", c.command, code, &tee)
		}
	}
	p := sshtest.Dial(t, h.ssh, sshtest.Options{User: "guest", Command: "watch", Env: german, NoPTY: true})
	p.WaitText(" schießt auf ")
}

// TestChosenLanguage changes the language in the settings of an account: later sessions and
// commands use it, whatever their environment.
func TestChosenLanguage(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	key := sshtest.NewSigner(t)
	p := sshtest.Dial(t, h.ssh, sshtest.Options{User: "ann", Signer: key})
	introduce(p)
	p.WaitText("ann (you)")
	p.Press("s")
	p.WaitText("► Language")
	p.Press("right") // from auto to the first language
	p.WaitText("► Language", "‹ English ›")
	p.Press("right")
	p.WaitText("► Sprache", "‹ Deutsch ›")
	p.Press("esc")
	p.WaitText("Jetzt spielen")
	p.Press("q")
	p.Wait()

	english := map[string]string{"LANG": "en_GB.UTF-8"}
	p = sshtest.Dial(t, h.ssh, sshtest.Options{User: "somebody", Signer: key, Env: english})
	p.WaitText("Jetzt spielen", "ann (du)")
	p.Press("q")
	p.Wait()
	for _, c := range []struct {
		command, says string
	}{
		{"profile", "ann, Mensch, seit dem "},
		{"no-such-command", "Einen Befehl no-such-command gibt es hier nicht."},
	} {
		var tee bytes.Buffer
		p := sshtest.Dial(t, h.ssh, sshtest.Options{User: "somebody", Signer: key, Command: c.command, Env: english, NoPTY: true, Tee: &tee})
		if p.Wait(); !strings.Contains(tee.String(), c.says) {
			t.Errorf("%s says %s", c.command, &tee)
		}
	}
}
