package relay_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"broadside/lobby"
	"broadside/match"
	"broadside/match/audit"
	"broadside/relay"
	"broadside/relay/client"
	"broadside/relay/program"
)

// dialogue is a model of a match between two clients, with or without directives: which
// lines each of them receives for the lines they send. First and second are 0 and 1, in the
// order of connecting.
type dialogue struct {
	board   match.Rules
	attacks int         // whose turn it is to attack
	target  *match.Cell // the cell shot at and not yet answered for
	over    bool
	lost    int     // the client that has lost, once the match is over
	fault   bool    // it has lost because of a line it sent
	shots   [2]int  // answered
	talks   [2]bool // has sent a directive
	sent    [2]strings.Builder
}

func newDialogue() *dialogue {
	s := &dialogue{board: match.Classic(), attacks: 1}
	s.sent[0].WriteString("(3,[]).\n(5,[]).\n")
	s.sent[1].WriteString("(4,[]).\n(5,[]).\n")
	return s
}

// turn returns which client may send.
func (s *dialogue) turn() int {
	if s.target != nil {
		return 1 - s.attacks
	}
	return s.attacks
}

// say processes a client's line, without its line ending.
func (s *dialogue) say(who int, line string) {
	tooLong := len(line) > 256
	if s.over || !tooLong && strings.Trim(line, " \t") == "" {
		return
	}
	if !tooLong && line[0] == '%' {
		s.direct(who, line)
		return
	}
	m, err := client.Parse([]byte(line))
	legal := err == nil && !tooLong && who == s.turn() && s.board.Contains(m.Cell)
	switch {
	case legal && m.Op == client.Attack && s.target == nil:
		s.target = &m.Cell
	case legal && m.Op == client.Result && s.target != nil && *s.target == m.Cell && m.Result.IsValid():
		s.target, s.attacks = nil, who
		s.over, s.lost = m.Result == match.LastSunk, who
		s.shots[1-who]++
	default:
		s.over, s.lost, s.fault = true, who, true
		return
	}
	s.sent[1-who].WriteString(m.String() + "\n")
}

// direct processes a directive; for all but one it is too late.
func (s *dialogue) direct(who int, line string) {
	s.talks[who] = true
	verb := ""
	if words := strings.Fields(line[1:]); len(words) > 0 {
		verb = strings.ToLower(words[0])
	}
	answer := "% " + program.UnknownDirective
	switch verb {
	case "ready":
		answer = "% ok ready"
	case "hello", "token", "rules", "vs", "layout", "games":
		answer = "% error late " + verb + " has to come before your first role: reconnect"
	}
	s.sent[who].WriteString(answer + "\n")
}

// end returns a regular expression for a client's last line.
func (s *dialogue) end(who int) string {
	if !s.talks[who] {
		return "^$"
	}
	outcome, fault := "won", ""
	if who == s.lost {
		outcome = "lost"
		if s.fault {
			fault = `% error [a-z-]+ [ -~]+\n`
		}
	}
	return fmt.Sprintf(`^%s%% result %s [a-z-]+ shots=%d\n%% end\n$`, fault, outcome, s.shots[who])
}

// utterance is a text that a client sends at once.
type utterance struct {
	who  int
	text string
}

// talk sends utterances to a relay and returns the text that each client received. It sends
// the next one only when the effects that the model predicts have arrived; otherwise the
// order of two clients' lines would be undefined. The caller compares the relay with the
// model.
func talk(address string, all []utterance, s *dialogue) (heard [2]string, err error) {
	var ends [2]net.Conn
	for i := range ends {
		nc, err := net.Dial("tcp", address)
		if err != nil {
			return heard, err
		}
		defer nc.Close()
		nc.SetDeadline(time.Now().Add(patience))
		ends[i] = nc
		if heard[i], err = hearUpTo(nc, len("(3,[]).\n")); err != nil {
			return heard, err
		}
	}
	// follow reads the output that the model predicts.
	follow := func() error {
		for i, nc := range ends {
			more, err := hearUpTo(nc, s.sent[i].Len()-len(heard[i]))
			heard[i] += more
			if err != nil {
				return fmt.Errorf("client %d, after %q: %w", i, heard[i], err)
			}
		}
		return nil
	}
	if err := follow(); err != nil {
		return heard, err
	}
	var pending [2]string // text without a line ending so far
	for _, u := range all {
		text := pending[u.who] + u.text
		for !s.over {
			i := strings.IndexAny(text, "\r\n")
			if i < 0 {
				if len(text) > 256 {
					s.over, s.lost, s.fault = true, u.who, true
				}
				break
			}
			s.say(u.who, text[:i])
			text = text[i+1:]
			if s.over && (s.talks[u.who] || strings.Contains(text, "%")) { // the relay may or may not read and answer the rest
				u.text = strings.TrimSuffix(u.text, text)
			}
		}
		pending[u.who] = text
		if _, err := io.WriteString(ends[u.who], u.text); err != nil && !s.over {
			return heard, err
		}
		if err := follow(); err != nil || s.over {
			break
		}
	}
	if err == nil && !s.over {
		ends[1].(*net.TCPConn).CloseWrite() // a side that disconnects ends the match
		s.lost = 1
	}
	for i, nc := range ends {
		rest, readErr := io.ReadAll(nc)
		heard[i] += string(rest)
		var timeout net.Error
		if errors.As(readErr, &timeout) && timeout.Timeout() {
			return heard, fmt.Errorf("client %d was not disconnected, after %q", i, heard[i])
		}
	}
	return heard, err
}

// hearUpTo reads n bytes.
func hearUpTo(r io.Reader, n int) (string, error) {
	b := make([]byte, max(0, n))
	n, err := io.ReadFull(r, b)
	return string(b[:n]), err
}

// checkTalk checks that the relay sends exactly what the model predicts.
func checkTalk(t interface{ Fatalf(string, ...any) }, address string, all []utterance) {
	s := newDialogue()
	heard, err := talk(address, all, s)
	for i := range heard {
		want, end := s.sent[i].String(), s.end(i)
		last, ok := strings.CutPrefix(heard[i], want)
		if err != nil || !ok || !regexp.MustCompile(end).MatchString(last) {
			t.Fatalf("client %d heard %q (%v), want %q and then %s; all was said: %+q", i, heard[i], err, want, end, fmt.Sprint(all))
		}
	}
}

// line returns a random line, usually a legal one, in one of its spellings.
func (s *dialogue) line(t *rapid.T) string {
	cell := match.NewCell(rapid.IntRange(0, 9).Draw(t, "x"), rapid.IntRange(0, 9).Draw(t, "y"))
	op, open, comma, stop := 1, "(%d,", ",", "])."
	if s.target != nil {
		op, cell = 2, *s.target
	}
	if rapid.IntRange(0, 3).Draw(t, "spaces") == 0 {
		open, comma, stop = " ( %d\t, ", " , ", " ] ) . "
	}
	text := fmt.Sprintf(open+"[%d"+comma+"%d", op, cell.X, cell.Y)
	if op == 2 {
		text += fmt.Sprintf("%s%d", comma, rapid.SampledFrom([]int{1, 1, 1, 1, 2, 2, 3, 4}).Draw(t, "result"))
	}
	text += stop
	switch rapid.IntRange(0, 60).Draw(t, "wrong") {
	case 41: // rapid draws small numbers more often
		return rapid.SampledFrom([]string{"x", "(1,[1]).", "(5,[]).", "(9,[]).", "(1,[10,0]).", "(2,[0,0,5]).", "(1,[-1,0]).", "(1,[1,2])", "\x00\xff"}).Draw(t, "what")
	case 42:
		return fmt.Sprintf("(%d,[%d,%d,1]).", rapid.IntRange(1, 2).Draw(t, "op"), cell.Y, cell.X)
	case 44, 45, 46:
		return "%" + rapid.SampledFrom([]string{"", " ready", "READY", " rules naval", "\tvs bot nobody", " games 0", " dance"}).Draw(t, "directive")
	case 43:
		return strings.Repeat(" ", rapid.IntRange(200, 300).Draw(t, "long")) + text
	}
	return text
}

// TestSessions compares sessions of two clients, whose lines arrive in arbitrary pieces,
// with the model.
func TestSessions(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: -1}, lobby.Config{Audit: audit.Off})
	rapid.Check(t, func(t *rapid.T) {
		var all []utterance
		s := newDialogue()
		for range rapid.IntRange(10, 80).Draw(t, "lines") {
			who := s.turn()
			if rapid.IntRange(0, 80).Draw(t, "other") == 77 {
				who = 1 - who
			}
			line := s.line(t)
			end := rapid.SampledFrom([]string{"\n", "\r\n", "\r", "\n\n \r\n"}).Draw(t, "end")
			s.say(who, line)
			for text := line + end; text != ""; {
				n := rapid.IntRange(1, len(text)).Draw(t, "piece")
				all = append(all, utterance{who, text[:n]})
				text = text[n:]
			}
		}
		checkTalk(t, address, all)
	})
}

// FuzzSession does the same with any bytes. Each piece begins with its sender and its
// length.
func FuzzSession(f *testing.F) {
	piece := func(who byte, text string) []byte { return append([]byte{who | byte(len(text))<<1}, text...) }
	f.Add(bytes.Join([][]byte{piece(1, "(1,[3,4]).\r\n"), piece(0, "(2,[3,4,"), piece(0, "1]).\r"), piece(0, "(1,[0,0]).\n"), piece(1, "(2,[0,0,4]).\n")}, nil))
	f.Add(bytes.Join([][]byte{piece(1, "(1,[3,4]).\n(1,[3,5]).\n")}, nil))
	f.Add(bytes.Join([][]byte{piece(0, "% ready\n%"), piece(1, "(1,[3,4]).\n% games 7\n"), piece(0, " dance\r"), piece(0, "(2,[3,4,4]).\n% ready\n")}, nil))
	f.Add(bytes.Join([][]byte{piece(1, "% hello\n"), piece(1, "(1,[3,4]).\n"), piece(0, "% \x00ready\n(2,[3,4,5]).\n")}, nil))
	f.Add(bytes.Join([][]byte{piece(0, "(1,[3,4]).\n")}, nil))
	f.Add(bytes.Join([][]byte{piece(1, "(1,[3,4])."), piece(0, "\n\n"), piece(1, "\n"), piece(0, "(2,[4,3,1]).\n")}, nil))
	address, _ := serve(f, relay.Config{HelloDelay: -1}, lobby.Config{Audit: audit.Off})
	f.Fuzz(func(t *testing.T, script []byte) {
		if bytes.Count(script, []byte("%")) > 50 {
			return // so many directives have to wait
		}
		var all []utterance
		for len(script) > 1 {
			n := min(int(script[0]>>1), len(script)-1)
			if n > 0 {
				all = append(all, utterance{int(script[0] & 1), string(script[1 : 1+n])})
			}
			script = script[1+n:]
		}
		checkTalk(t, address, all)
	})
}

// TestHonestClientsAmongHostile lets pairs play whole games while hostile clients connect. No
// honest game may suffer.
func TestHonestClientsAmongHostile(t *testing.T) {
	const pairs, games, hostile = 40, 5, 100
	// All have the same address, which must not be paused because hostile clients are silent,
	// and must have room for all of them.
	cfg := relay.Config{HelloDelay: time.Minute, Limits: relay.Limits{WaitingPerAddr: 2*pairs + hostile}}
	address, _ := serve(t, cfg, lobby.Config{Audit: audit.Off})
	ctx, quit := context.WithCancel(t.Context())
	defer quit()
	var enemies, up sync.WaitGroup
	var connections atomic.Int64
	for i := range hostile {
		up.Add(1)
		enemies.Go(func() {
			arrived := sync.OnceFunc(up.Done)
			defer arrived()
			for {
				nc, err := net.Dial("tcp", address)
				if err != nil {
					t.Error(err)
					return
				}
				connections.Add(1)
				nc.SetDeadline(time.Now().Add(patience))
				// Other rules keep hostile clients from meeting honest ones.
				io.WriteString(nc, "% rules hasbro\n% ready\n")
				arrived()
				harm(ctx, i%6, nc)
				if ctx.Err() != nil {
					return
				}
			}
		})
	}
	up.Wait()
	var honest sync.WaitGroup
	for range 2 * pairs {
		honest.Go(func() {
			for range games {
				nc, err := net.Dial("tcp", address)
				if err == nil {
					// The hello delay is long, so that no hostile client plays
					// before its rules are known.
					_, err = io.WriteString(nc, "% ready\n")
				}
				if err == nil {
					err = playOut(nc)
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	honest.Wait()
	quit()
	enemies.Wait()
	t.Logf("%d hostile connections", connections.Load())
}

// harm attacks the server until the connection is closed or ctx ends.
func harm(ctx context.Context, how int, nc net.Conn) {
	defer context.AfterFunc(ctx, func() { nc.Close() })()
	gone := make(chan struct{})
	defer func() {
		nc.Close()
		<-gone
	}()
	if how == 0 || how == 3 { // it does not read
		close(gone)
	} else {
		go func() {
			defer close(gone)
			io.Copy(io.Discard, nc)
		}()
	}
	text := ""
	switch how {
	case 0: // sends requests continuously and reads no answer
		text = strings.Repeat("% dance\n", 200)
	case 1: // byte by byte
		text = "("
	case 2: // half open: sends nothing more
		nc.(*net.TCPConn).CloseWrite()
		fallthrough
	case 3: // silent
		<-ctx.Done()
		return
	case 4: // garbage
		text = "\x00\xff(((1,[\r\n"
	case 5: // many empty lines
		text = strings.Repeat("\n", 4096)
	}
	for pace := time.NewTicker(time.Millisecond); ; <-pace.C {
		if _, err := io.WriteString(nc, text); err != nil {
			pace.Stop()
			return
		}
	}
}
