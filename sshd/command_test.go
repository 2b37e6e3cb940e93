package sshd_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/internal/test/sshtest"
	"broadside/sshd"
)

// dances is a command that opens a screen and takes one argument.
func dances(sshd.User) *cobra.Command {
	return &cobra.Command{
		Use: "dance STEP", Short: "a step of one's own", Annotations: map[string]string{sshd.OpensScreen: ""},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return sshd.UsageError{Err: errors.New("dance takes one step")}
			}
			sshd.Open(c, args[0])
			return nil
		},
	}
}

// sings is a command without a screen. It panics on request.
func sings(user sshd.User) *cobra.Command {
	c := &cobra.Command{
		Use: "sing [SONG]", Short: "a song",
		RunE: func(c *cobra.Command, args []string) error {
			switch strings.Join(args, " ") {
			case "":
				return i18n.Errorf("no song")
			case "out of tune":
				panic("out of tune")
			case "in private":
				return errors.New("not for users")
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "%s sings %q\n", user.Name, args)
			return err
		},
	}
	c.Flags().Bool("loud", false, "sing loudly")
	c.Flags().Int("verses", 1, "verses to sing")
	return c
}

// parrots opens a screen at a terminal. Without one it repeats its input to the end
// if it has an argument, and otherwise waits.
func parrots(sshd.User) *cobra.Command {
	return &cobra.Command{
		Use: "parrot", Short: "says it again", Annotations: map[string]string{sshd.Lasts: "", sshd.OpensAtTerminal: ""},
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case sshd.Opens(c) && len(args) > 0:
				return sshd.UsageError{Err: errors.New("on a screen, the parrot is alone")}
			case sshd.Opens(c):
				sshd.Open(c, "parrot")
				return nil
			case len(args) == 0:
				<-c.Context().Done()
				return nil
			}
			_, err := io.Copy(c.OutOrStdout(), c.InOrStdin())
			return err
		},
	}
}

// listCommands returns a server's commands, for [sshd.Config].
func listCommands(all ...func(sshd.User) *cobra.Command) func(sshd.User, string) []*cobra.Command {
	return func(user sshd.User, _ string) (made []*cobra.Command) {
		for _, create := range all {
			made = append(made, create(user))
		}
		return made
	}
}

// TestCommandThatLastsTooLong checks that a command ends like any session, whether it
// reads its input or not.
func TestCommandThatLastsTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, func(c *sshd.Config) { c.Commands, c.SessionTime = listCommands(parrots), 2*time.Hour })
		c := h.connect(t, "guest")
		for _, command := range []string{"parrot", "parrot now"} {
			say := sshtest.Open(t, c.Client, sshtest.Options{NoPTY: true, Command: command})
			time.Sleep(2*time.Hour - time.Second)
			if text := say.Screen(); strings.TrimSpace(text) != "" {
				t.Errorf("%s: too early it says %q", command, text)
			}
			say.WaitText("reached its time limit")
			if status := say.Wait(); status != 1 {
				t.Errorf("%s: exit status %d", command, status)
			}
		}
	})
}

// TestCommandThatLasts checks that a command that lasts counts as a session, with and
// without a screen.
func TestCommandThatLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, func(c *sshd.Config) { c.Commands, c.MaxSessions = listCommands(parrots), 1 })
		c := h.connect(t, "guest")
		say := sshtest.Open(t, c.Client, sshtest.Options{NoPTY: true, Command: "parrot now"})
		say.Type("pretty polly")
		say.WaitText("pretty polly")
		full := sshtest.Open(t, c.Client, sshtest.Options{NoPTY: true, Command: "parrot"})
		full.WaitText("The server is full right now")
		if status := full.Wait(); status != 1 {
			t.Errorf("one too many: exit status %d", status)
		}
		say.CloseInput()
		if status := say.Wait(); status != 0 {
			t.Errorf("after the end of its input: exit status %d", status)
		}
		synctest.Wait()
		sshtest.Open(t, c.Client, sshtest.Options{NoPTY: true, Command: "parrot"}).Close() // which ends it
		synctest.Wait()

		wrong := sshtest.Open(t, c.Client, sshtest.Options{Command: "parrot now"})
		wrong.WaitText("On a screen, the parrot is alone.")
		if status := wrong.Wait(); status != 2 {
			t.Errorf("asked for wrongly: exit status %d", status)
		}
		p := h.come(t, sshtest.Options{Command: "parrot"})
		if got := h.last().Opening; got != "parrot" {
			t.Errorf("the app is told %v", got)
		}
		p.Press("q")
		p.Wait()
		help := sshtest.Open(t, c.Client, sshtest.Options{Command: "help"})
		help.WaitText("ssh [-t] HOST parrot")
		help.Wait()
	})
}

func TestCommandsOfTheApp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, func(c *sshd.Config) { c.Commands = listCommands(dances, sings, parrots) })
		c := h.connect(t, "guest")
		for _, q := range []struct {
			command  string
			terminal bool
			status   int
			says     string
		}{
			{"dance", false, 2, "Dance takes one step. Usage: ssh -t HOST dance STEP"},
			{"dance --tango", true, 2, `Dance: unknown option "tango". Usage: ssh -t HOST dance STEP`},
			{"dance a b", true, 2, "Dance takes one step"},
			{"dnace tango", true, 2, "Did you mean dance?"},
			{"DANCE", true, 2, "Did you mean dance?"},
			{"sing a \x1b[31mb", false, 0, `guest sings ["a" "[31mb"]`},
			{"sing a b", true, 0, `guest sings ["a" "b"]`},
			{"sing", false, 1, "No song."},
			{"sing --lout", false, 2, `Sing: unknown option "lout"; the nearest is --loud. Usage: ssh HOST sing [SONG]`},
			{"sing --verses", false, 2, "--verses needs a value."},
			{"sing --verses many", false, 2, `--verses cannot be "many".`},
			{"sing --=", false, 2, "Cannot understand"},
			{"sing in private", false, 1, "The data can't be read right now"},
			{"sing out of tune", false, 1, "Internal error."},
			{"sing --help", true, 0, "ssh HOST sing [SONG]\n\na song\n\n  --loud            sing loudly\n  --verses VERSES   verses to sing\n"},
			{"sing -h", true, 0, "--verses VERSES   verses to sing"},
			{"dance -h", true, 0, "ssh -t HOST dance STEP"},
			{"__complete sing", false, 2, "There is no command __complete here."},
			{"__completeNoDesc sing", true, 2, "There is no command __completeNoDesc here."},
			{"completion bash", false, 2, "There is no command completion here."},
			{"sing __complete", false, 0, `guest sings ["__complete"]`},
			{"--loud sing", false, 2, "There is no command --loud here."},
			{"help", false, 0, "ssh HOST sing [SONG]"},
			{"hlep", false, 2, "Did you mean help?"},
			{"quickstep", false, 2, "There is no command quickstep here. Try: ssh HOST help"},
			{"help", true, 0, "ssh -t HOST dance STEP"},
			{"help", true, 0, "        a step of one's own"},
			{"help", false, 0, "ssh HOST help [COMMAND]"},
			{"help dance", false, 0, "ssh -t HOST dance STEP"},
			{"help sing", true, 0, "--verses VERSES"},
			{"help --sing", false, 0, "--verses VERSES"},
			{"help parrot", true, 0, "ssh HOST parrot"},
			{"help __complete", false, 2, "There is no command __complete here."},
			{"help help", false, 0, "ssh HOST sing [SONG]"},
			{"help dnace", false, 2, "There is no command dnace here. Did you mean dance?"},
		} {
			p := sshtest.Open(t, c.Client, sshtest.Options{NoPTY: !q.terminal, Command: q.command})
			if status := p.Wait(); status != q.status {
				t.Errorf("%s: exit status %d, want %d", q.command, status, q.status)
			}
			synctest.Wait() // the connection has a limited number of sessions
			if s := p.Screen(); !strings.Contains(s, q.says) {
				t.Errorf("%s: it says\n%s\nwithout %q", q.command, s, q.says)
			}
		}
		if h.who != nil {
			t.Fatal("there was a screen")
		}
		p := h.come(t, sshtest.Options{Command: "dance  \x1b[31mtan\u202ego\x07 "})
		if got := h.last().Opening; got != "[31mtango" {
			t.Errorf("the app is told %q", got)
		}
		p.Press("q")
		p.Wait()
		h.come(t, sshtest.Options{})
		if got := h.last().Opening; got != nil {
			t.Errorf("without a command, the app is told %q", got)
		}
	})
}
