package sshd_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/sshtest"
	"broadside/sshd"
)

// dance is a command that is written well with one argument.
var dance = sshd.Command{
	Name: "dance", Args: "STEP", About: "a step of one's own",
	Check: func(_ context.Context, who sshd.Visitor) error {
		if len(who.Command) != 2 {
			return errors.New("dance takes one step: ssh -t HOST dance tango")
		}
		return nil
	},
}

// sing is a command that needs no terminal. It panics on request.
var sing = sshd.Command{
	Name: "sing", Args: "[SONG]", About: "a song",
	Run: func(_ context.Context, who sshd.Visitor, _ io.ReadCloser, out, errs io.Writer) int {
		switch strings.Join(who.Command[1:], " ") {
		case "":
			fmt.Fprintln(errs, "There is no song.")
			return 2
		case "out of tune":
			panic("out of tune")
		}
		fmt.Fprintf(out, "%s sings %q\n", who.Name, who.Command[1:])
		return 0
	},
}

// parrot is a screen or, without a terminal, says again what is sent to it
// until that ends. It lasts.
var parrot = sshd.Command{
	Name: "parrot", About: "says it again", Lasts: true,
	Check: func(_ context.Context, who sshd.Visitor) error {
		if len(who.Command) > 1 {
			return errors.New("on a screen, the parrot is alone")
		}
		return nil
	},
	Run: func(ctx context.Context, who sshd.Visitor, in io.ReadCloser, out, errs io.Writer) int {
		if len(who.Command) == 1 {
			<-ctx.Done()
			return 0
		}
		stop := context.AfterFunc(ctx, func() { in.Close() })
		defer stop()
		if _, err := io.Copy(out, in); err != nil {
			return 1
		}
		return 0
	},
}

// TestCommandThatLastsTooLong: a command ends like any session, whether it reads or
// not.
func TestCommandThatLastsTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, func(c *sshd.Config) { c.Commands, c.SessionTime = []sshd.Command{parrot}, 2*time.Hour })
		c := h.connect(t, "guest")
		for _, command := range []string{"parrot", "parrot now"} {
			say := sshtest.Open(t, c.Client, sshtest.Options{NoPTY: true, Command: command})
			time.Sleep(2*time.Hour - time.Second)
			if text := say.Screen(); strings.TrimSpace(text) != "" {
				t.Errorf("%s: too early it says %q", command, text)
			}
			say.WaitText("lasted as long as one may")
			if status := say.Wait(); status != 1 {
				t.Errorf("%s: exit status %d", command, status)
			}
		}
	})
}

// A command may have both a screen and a form without a terminal; what lasts
// counts as a session.
func TestCommandThatLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, func(c *sshd.Config) { c.Commands, c.MaxSessions = []sshd.Command{parrot}, 1 })
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
		if got := h.last().Command; !slices.Equal(got, []string{"parrot"}) {
			t.Errorf("the app is told %q", got)
		}
		p.Press("q")
		p.Wait()
		help := sshtest.Open(t, c.Client, sshtest.Options{Command: "help"})
		help.WaitText("ssh [-t] HOST parrot")
		help.Wait()
	})
}

// both has a screen, and a form that lasts, and sings.
var both = sshd.Command{Name: "parrot", Run: sing.Run, Check: parrot.Check, Lasts: true}

func TestCommandsOfTheApp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, func(c *sshd.Config) { c.Commands = []sshd.Command{dance, sing, both} })
		c := h.connect(t, "guest")
		for _, q := range []struct {
			command  string
			terminal bool
			status   int
			says     string
		}{
			{"dance tango", false, 1, "ance STEP"},
			{"dance", false, 2, "Dance takes one step: ssh -t HOST dance tango."},
			{"dance a b", true, 2, "Dance takes one step"},
			{"dnace tango", true, 2, "Did you mean dance?"},
			{"DANCE", true, 2, "Did you mean dance?"},
			{"sing a \x1b[31mb", false, 0, `guest sings ["a" "[31mb"]`},
			{"sing a b", true, 0, `guest sings ["a" "b"]`},
			{"sing", false, 2, "There is no song."},
			{"sing out of tune", false, 1, "Internal error."},
			{"help", false, 0, "ssh HOST sing [SONG]"},
			{"hlep", false, 2, "Did you mean help?"},
			{"quickstep", false, 2, "There is no command quickstep here. Try: ssh HOST help"},
			{"help", true, 0, "ssh -t HOST dance STEP"},
			{"help", true, 0, "        a step of one's own"},
			{"help", false, 0, "ssh HOST help [COMMAND]"},
			{"help dance", false, 0, "ssh -t HOST dance STEP"},
			{"help sing", true, 0, `guest sings ["--help"]`},
			{"help --sing", false, 0, `guest sings ["--help"]`},
			{"help parrot", true, 0, `guest sings ["--help"]`},
			{"help help", false, 0, "ssh HOST sing [SONG]"},
			{"help dnace", false, 2, "There is no command dnace here. Did you mean dance?"},
		} {
			p := sshtest.Open(t, c.Client, sshtest.Options{NoPTY: !q.terminal, Command: q.command})
			if status := p.Wait(); status != q.status {
				t.Errorf("%s: exit status %d, want %d", q.command, status, q.status)
			}
			if s := p.Screen(); !strings.Contains(s, q.says) {
				t.Errorf("%s: it says\n%s\nwithout %q", q.command, s, q.says)
			}
		}
		if h.who != nil {
			t.Fatal("there was a screen")
		}
		p := h.come(t, sshtest.Options{Command: "dance  \x1b[31mtan\u202ego\x07 "})
		if got := h.last().Command; !slices.Equal(got, []string{"dance", "[31mtango"}) {
			t.Errorf("the app is told %q", got)
		}
		p.Press("q")
		p.Wait()
		h.come(t, sshtest.Options{})
		if got := h.last().Command; got != nil {
			t.Errorf("without a command, the app is told %q", got)
		}
	})
}
