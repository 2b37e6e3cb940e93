package sshd

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"unicode"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/i18n"
	"broadside/tui/term"
)

// hostile has seeds for targets that take any text.
var hostile = []string{
	"", " ", "ann", "help", "--help", "help 000", "rm -rf /", "\x1b[31m", "\x1b]0;x\a", "\x9b", "\u202e\u200b\ufeff", "\xff\xfe", "\x00",
	"e\u0301", "👩‍🚀", "\u2800\u3164\u115f\uffa0", "\U000e0041", "COLORTERM=truecolor", "NO_COLOR=\x1b", "xterm-kitty", strings.Repeat("x", 5000),
}

// isVisible reports whether a text is one line without invisible characters.
func isVisible(text string) bool {
	if !utf8.ValidString(text) {
		return false
	}
	for _, r := range text {
		if !unicode.IsPrint(r) || unicode.In(r, unicode.Mn, unicode.Me, unicode.Other_Default_Ignorable_Code_Point) {
			return false
		}
	}
	return true
}

func FuzzTexts(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if name := cleanName(s); !isVisible(name) || name == "" || utf8.RuneCountInString(name) > maxName || strings.ContainsAny(name, " \ufffd") || cleanName(name) != name {
			t.Errorf("cleanName = %q for %q", name, s)
		}
		if term := cleanTerm(s); !isVisible(term) || len(term) > maxValue || strings.ContainsAny(term, " \"'`$;&|<>(){}[]\\/") {
			t.Errorf("cleanTerm = %q for %q", term, s)
		}
		for _, kv := range relevantEnvironment([]string{s, "LANG=" + s, "NO_COLOR=" + s, s + "=x"}) {
			if name, value, ok := strings.Cut(kv, "="); !ok || !isVisible(kv) || len(value) > maxValue || strings.ContainsAny(value, " \"'`$;&|<>(){}[]\\/") || strings.ToUpper(name) != name {
				t.Errorf("relevantEnvironment has %q for %q", kv, s)
			}
		}
		// DetectTerminal must not panic.
		_ = term.DetectTerminal(cleanTerm(s), relevantEnvironment([]string{s}))
		if args := splitWords(s); len(args) > 0 {
			for _, word := range args {
				if !isVisible(word) || word == "" || utf8.RuneCountInString(word) > maxWord {
					t.Errorf("splitWords has %q for %q", word, s)
				}
			}
		}
	})
}

// FuzzFilter sends session requests, one for each line of the input: the first byte
// selects the type, the rest is the payload.
func FuzzFilter(f *testing.F) {
	type pty struct {
		Term                                   string
		Width, Height, PixelWidth, PixelHeight uint32
		Modes                                  string
	}
	kinds := []string{"pty-req", "window-change", "env", "shell", "exec", "subsystem", "signal", "x11-req", ""}
	f.Add([]byte("\x00" + string(gossh.Marshal(pty{"xterm", 1 << 31, 0, 0, 0, ""}))))
	f.Add([]byte("\x00" + string(gossh.Marshal(pty{"\x1b", 60000, 60000, 0, 0, "x"}))))
	f.Add([]byte("\x01" + strings.Repeat("\xff", 16)))
	f.Add([]byte("\x01" + strings.Repeat("\x00", 16)))
	f.Add([]byte("\x02" + string(gossh.Marshal(struct{ K, V string }{"LANG", "x"}))))
	f.Add([]byte("\x00\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		in, out := make(chan *gossh.Request), make(chan *gossh.Request)
		w := newWindow()
		go func() {
			defer close(in)
			for _, piece := range bytes.SplitAfter(data, []byte{'\n'}) {
				if len(piece) > 0 {
					in <- &gossh.Request{Type: kinds[int(piece[0])%len(kinds)], Payload: piece[1:]}
				}
			}
		}()
		go func() {
			defer close(out)
			f := requestFilter{window: w}
			for req := range in {
				if f.allows(req) {
					out <- req
				}
			}
		}()
		envs, envBytes := 0, 0
		for req := range out {
			switch req.Type {
			case "pty-req":
				var p pty
				if err := gossh.Unmarshal(req.Payload, &p); err != nil {
					t.Fatalf("the library received a broken request: %v", err)
				}
				if p.Width < 1 || p.Width > maxWidth || p.Height < 1 || p.Height > maxHeight {
					t.Errorf("the library received the size %d×%d", p.Width, p.Height)
				}
			case "env":
				envs, envBytes = envs+1, envBytes+len(req.Payload)
			case "shell", "exec":
			default:
				t.Errorf("the library received a request %q", req.Type)
			}
			if term, ok := w.terminal(); ok && !isVisible(term) {
				t.Errorf("got terminal %q", term)
			}
		}
		if width, height := w.size(); width < 1 || width > maxWidth || height < 1 || height > maxHeight {
			t.Errorf("got size %d×%d", width, height)
		}
		if envs > maxEnv || envBytes > maxEnvBytes {
			t.Errorf("the library received %d variables with %d bytes", envs, envBytes)
		}
	})
}

// readKeys reads and decodes an input to the end.
func readKeys(r io.Reader, typed func(), send func(uv.Event)) {
	input := newInputBuffer(new(unread))
	input.markStarted()
	var filler sync.WaitGroup
	filler.Go(func() { input.fill(r) })
	defer filler.Wait()
	defer input.Close()
	readEvents(newEventReader(input, testPaste, typed, func(i18n.Key) {}), send)
}

// FuzzInput types arbitrary input, piece by piece.
func FuzzInput(f *testing.F) {
	for _, s := range hostile {
		f.Add([]byte(s), uint8(7))
	}
	for _, s := range []string{
		"\x1b[A\x1bOA\x1b[1;2A", "\x1b[200~paste\x1b[201~", "\x1b[200~no end", "\x1b]52;c;!\a", "\x1bP1+r524742\x1b\\", "\x1b[8;60000;60000t",
		"\x1b[<0;1;1M", "\x1b[<35;1;1M\x1b[<35;2;2M\x1b[<64;999999999999;1m\x1b[<-1;;M", "\x1b[M   ", "\x1b[0;0;0;1;0;1_", "\x1b[?2026;2$y", "\x1b_Ga=1\x1b\\", "\x1b[?1;2c", "\x1b[27;5;65~", "\x1b[97;5u", "\x1b\x1b\x1b[",
	} {
		f.Add([]byte(s), uint8(1))
		f.Add([]byte(s), uint8(255))
	}
	f.Fuzz(func(t *testing.T, typed []byte, piece uint8) {
		synctest.Test(t, func(t *testing.T) {
			r, w := io.Pipe()
			go func() {
				defer w.Close()
				for rest := typed; len(rest) > 0; {
					n := min(len(rest), int(piece)+1)
					if _, err := w.Write(rest[:n]); err != nil {
						return
					}
					rest = rest[n:]
				}
			}()
			inputs, events := 0, 0
			readKeys(r, func() { inputs++ }, func(uv.Event) { events++ })
			if (len(typed) > 0) != (inputs > 0) || events > len(typed)+1 {
				t.Errorf("%q: got %d inputs and %d events", typed, inputs, events)
			}
		})
	})
}
