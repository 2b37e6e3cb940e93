package sshtest_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/leaks"
	"broadside/internal/test/sshtest"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// serve starts an SSH server with a handler for its sessions.
func serve(t *testing.T, handler ssh.Handler) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &ssh.Server{
		Handler: handler, HostSigners: []ssh.Signer{sshtest.NewSigner(t)},
		PublicKeyHandler:           func(ssh.Context, ssh.PublicKey) bool { return true },
		KeyboardInteractiveHandler: func(ssh.Context, gossh.KeyboardInteractiveChallenge) bool { return true },
		PtyCallback:                func(ssh.Context, ssh.Pty) bool { return true },
		SessionRequestCallback: func(s ssh.Session, kind string) bool {
			_, changes, terminal := s.Pty()
			if terminal && s.RawCommand() != "winch" {
				go func() { // as every handler must
					for range changes {
					}
				}()
			}
			return true
		},
	}
	if err := server.SetOption(ssh.EmulatePty()); err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() { server.Serve(listener) })
	t.Cleanup(func() {
		server.Close()
		serving.Wait()
	})
	return listener.Addr().String()
}

// says returns a handler that writes a text and ends when a key is pressed.
func says(text string) ssh.Handler {
	return func(s ssh.Session) {
		io.WriteString(s, text)
		s.Read(make([]byte, 1))
	}
}

func TestScreen(t *testing.T) {
	addr := serve(t, says("\x1b[2;3Hplain \x1b[38;5;208;48;2;1;2;3mrust\x1b[m 漢字 end\x1b[5;1H"))
	p := sshtest.Dial(t, addr, sshtest.Options{Width: 40, Height: 5})
	if screen := p.WaitText("end"); screen != "\n  plain rust 漢字 end\n\n\n" {
		t.Errorf("screen is %q", screen)
	}
	x, y, _ := p.Find("rust")
	if got, want := p.Cell(x, y), (sshtest.Cell{Text: "r", Fg: "208", Bg: "#010203"}); got != want {
		t.Errorf("cell at %d,%d is %+v, want %+v", x, y, got, want)
	}
	if x, y, ok := p.Find("end"); x != 18 || y != 1 || !ok {
		t.Errorf("found at %d,%d %t: wide characters take two columns", x, y, ok)
	}
	p.WaitFor("the cursor's last place", func(string) bool { x, y, visible := p.Cursor(); return x == 0 && y == 4 && visible })
}

func TestKeysReachTheServer(t *testing.T) {
	const typed = "B7 é\r\x1b[A\x03\x7f\t"
	got := make(chan string, 1)
	addr := serve(t, func(s ssh.Session) {
		b, _ := io.ReadAll(s)
		got <- string(b)
		s.Exit(3)
	})
	p := sshtest.Dial(t, addr, sshtest.Options{})
	p.Type("B7")
	p.Press("space", "é", "enter", "up", "ctrl+c", "backspace", "tab")
	p.CloseInput()
	if code := p.Wait(); code != 3 {
		t.Errorf("status %d, want 3", code)
	}
	if b := <-got; b != typed {
		t.Errorf("server read %q, want %q", b, typed)
	}
}

func TestAnswersQueries(t *testing.T) {
	answers := []string{"\x1b[1;5R", "\x1b[?2026;2$y"}
	addr := serve(t, func(s ssh.Session) {
		io.WriteString(s, "1234\x1b[6n\x1b[?2026$p")
		b := make([]byte, len(strings.Join(answers, "")))
		io.ReadFull(s, b)
		fmt.Fprintf(s, "\r\n%q", b)
	})
	p := sshtest.Dial(t, addr, sshtest.Options{})
	p.Wait()
	if got, want := p.Screen(), fmt.Sprintf("%q", strings.Join(answers, "")); !strings.Contains(got, want) {
		t.Errorf("server was answered %s, want %s", got, want)
	}
}

// TestFloodOfQueries checks that a server that sends queries and never reads does not block
// the terminal.
func TestFloodOfQueries(t *testing.T) {
	addr := serve(t, func(s ssh.Session) {
		const answer = len("\x1b]10;rgb:ffff/ffff/ffff\a")
		for range 5 << 19 / answer / 100 { // more than an SSH window of 2 MiB takes
			io.WriteString(s, strings.Repeat("\x1b]10;?\a", 100))
		}
		io.WriteString(s, "asked enough")
		<-s.Context().Done()
	})
	p := sshtest.Dial(t, addr, sshtest.Options{})
	p.WaitText("asked enough")
}

func TestResize(t *testing.T) {
	addr := serve(t, func(s ssh.Session) {
		_, changes, _ := s.Pty()
		for size := range changes {
			fmt.Fprintf(s, "%dx%d\r\n", size.Width, size.Height)
		}
	})
	p := sshtest.Dial(t, addr, sshtest.Options{Command: "winch", Width: 90, Height: 30})
	p.WaitText("90x30")
	p.Resize(60, 20)
	p.WaitText("60x20")
	if s := p.Snapshot(); s.Width() != 60 || s.Height() != 20 {
		t.Errorf("the screen is %d×%d", s.Width(), s.Height())
	}
}

func TestWhoAndWhat(t *testing.T) {
	addr := serve(t, func(s ssh.Session) {
		fmt.Fprintf(s, "%s|%s|%t|", s.User(), s.RawCommand(), s.PublicKey() != nil)
		fmt.Fprintf(s.Stderr(), "%s|", s.Environ())
	})
	var tee bytes.Buffer
	p := sshtest.Dial(t, addr, sshtest.Options{
		User: "ada", Signer: sshtest.NewSigner(t), Command: "a b", NoPTY: true, Env: map[string]string{"NO_COLOR": "1"}, Tee: &tee,
	})
	if code := p.Wait(); code != 0 {
		t.Errorf("status %d", code)
	}
	for _, want := range []string{"ada|a b|true|", "[NO_COLOR=1]|"} {
		if !strings.Contains(tee.String(), want) || !strings.Contains(p.Screen(), want) {
			t.Errorf("%q is missing in %q or on %q", want, tee.String(), p.Screen())
		}
	}
}

func TestLeftovers(t *testing.T) {
	for _, c := range []struct{ output, want string }{
		{"nothing", "[]"},
		{"\x1b[?1049h\x1b[?25l\x1b[?1003h\x1b[?1006h\x1b[?2004h\x1b[4 q\x1b[>1u\x1b[>4;2m\x1b[?7l\x1b[1;31m",
			"[SGR mouse alternate screen bracketed paste cursor shape hidden cursor kitty keyboard modifyOtherKeys mouse moves no line wrapping text style]"},
		{"\x1b[?1049h\x1b[?25l\x1b[?1003h\x1b[4 q\x1b[>1u\x1b[>4;2m\x1b[31m" + "\x1b[m\x1b[>4;0m\x1b[<u\x1b[0 q\x1b[?1003l\x1b[?25h\x1b[?1049l", "[]"},
		// A real terminal has one cursor for both screens.
		{"\x1b[?1049h\x1b[?25l\x1b[?1049l", "[hidden cursor]"},
	} {
		p := sshtest.Dial(t, serve(t, func(s ssh.Session) { io.WriteString(s, c.output) }), sshtest.Options{})
		p.Wait()
		before := p.Screen()
		if got := fmt.Sprint(p.Leftovers()); got != c.want {
			t.Errorf("after %q: %s, want %s", c.output, got, c.want)
		}
		if p.Screen() != before {
			t.Errorf("asking has changed the screen to %q", p.Screen())
		}
	}
}

// TestUpdatesAreSeenWhole checks that a waiting test never sees an unfinished frame.
func TestUpdatesAreSeenWhole(t *testing.T) {
	shown := &tap{text: "torn", seen: make(chan bool)}
	addr := serve(t, func(s ssh.Session) {
		io.WriteString(s, "first")
		s.Read(make([]byte, 1))
		io.WriteString(s, "\r\x1b[?2026htorn")
		<-shown.seen
		io.WriteString(s, "\rwhole\x1b[?2026l")
	})
	p := sshtest.Dial(t, addr, sshtest.Options{Tee: shown})
	p.WaitText("first")
	p.Press("enter")
	p.WaitFor("the whole picture", func(screen string) bool {
		if strings.Contains(screen, "torn") {
			t.Error("waiting saw an unfinished picture")
		}
		return strings.Contains(screen, "whole")
	})
	if code := p.Wait(); code != 0 {
		t.Errorf("status %d", code)
	}
}

// tap closes seen when the text is written to it.
type tap struct {
	text string
	seen chan bool
}

func (w *tap) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(w.text)) {
		close(w.seen)
	}
	return len(b), nil
}

func TestEnds(t *testing.T) {
	addr := serve(t, func(s ssh.Session) {
		io.WriteString(s, "ready")
		io.Copy(io.Discard, s)
		s.Exit(5)
	})
	t.Run("closed session", func(t *testing.T) {
		client, err := sshtest.Connect(addr, sshtest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		one, other := sshtest.Open(t, client, sshtest.Options{}), sshtest.Open(t, client, sshtest.Options{})
		one.WaitText("ready")
		one.CloseSession()
		one.Wait()
		other.WaitText("ready")
		other.CloseInput()
		if code := other.Wait(); code != 5 {
			t.Errorf("the other session on the connection ended with %d, want 5", code)
		}
		one.Close()
		other.Close()
	})
	t.Run("hang-up", func(t *testing.T) {
		p := sshtest.Dial(t, addr, sshtest.Options{})
		p.WaitText("ready")
		p.Hangup()
		if code := p.Wait(); code != -1 {
			t.Errorf("status %d, want -1", code)
		}
	})
}

func TestPause(t *testing.T) {
	const part, parts = 1 << 20, 3 // the first one fits into an SSH window of 2 MiB, all together do not
	first, all := make(chan bool), make(chan bool)
	addr := serve(t, func(s ssh.Session) {
		s.Read(make([]byte, 1))
		for n := range parts {
			s.Write(make([]byte, part)) // zeros cost an emulator nothing
			if n == 0 {
				close(first)
			}
		}
		close(all)
	})
	p := sshtest.Dial(t, addr, sshtest.Options{NoPTY: true})
	p.Pause()
	p.Press("enter")
	<-first
	if got := p.ReceivedBytes(); got > part/2 {
		t.Errorf("%d bytes read while paused", got)
	}
	select {
	case <-all:
		t.Error("the server got rid of all to a client that does not read")
	default:
	}
	p.Resume()
	<-all
	if code := p.Wait(); code != 0 || p.ReceivedBytes() != part*parts {
		t.Errorf("status %d after %d bytes of %d", code, p.ReceivedBytes(), part*parts)
	}
}
