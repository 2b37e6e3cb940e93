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

// modelMatch is a model of a match between two clients, with or without directives: which
// lines each of them receives for the lines they send. Clients are 0 and 1, in the order of
// connecting.
type modelMatch struct {
	board    match.Rules
	attacker int
	// target is the cell fired at, awaiting a result.
	target *match.Cell
	over   bool
	// loser is set once the match is over.
	loser int
	// fault is true if the loser has sent an illegal line.
	fault bool
	// shots counts each side's shots that have a result.
	shots          [2]int
	usesDirectives [2]bool
	sent           [2]strings.Builder
}

func newModelMatch() *modelMatch {
	m := &modelMatch{board: match.Classic(), attacker: 1}
	m.sent[0].WriteString("(3,[]).\n(5,[]).\n")
	m.sent[1].WriteString("(4,[]).\n(5,[]).\n")
	return m
}

// sender returns which client may send.
func (m *modelMatch) sender() int {
	if m.target != nil {
		return 1 - m.attacker
	}
	return m.attacker
}

// handleLine processes a client's line, without its line ending.
func (m *modelMatch) handleLine(who int, line string) {
	tooLong := len(line) > 256
	if m.over || !tooLong && strings.Trim(line, " \t") == "" {
		return
	}
	if !tooLong && line[0] == '%' {
		m.handleDirective(who, line)
		return
	}
	message, err := client.Parse([]byte(line))
	legal := err == nil && !tooLong && who == m.sender() && m.board.Contains(message.Cell)
	switch {
	case legal && message.Op == client.Attack && m.target == nil:
		m.target = &message.Cell
	case legal && message.Op == client.Result && m.target != nil && *m.target == message.Cell && message.Result.IsValid():
		m.target, m.attacker = nil, who
		m.over, m.loser = message.Result == match.LastSunk, who
		m.shots[1-who]++
	default:
		m.over, m.loser, m.fault = true, who, true
		return
	}
	m.sent[1-who].WriteString(message.String() + "\n")
}

// handleDirective processes a directive. For all but ready, it is too late.
func (m *modelMatch) handleDirective(who int, line string) {
	m.usesDirectives[who] = true
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
	m.sent[who].WriteString(answer + "\n")
}

// lastLinePattern returns a regular expression for a client's last line.
func (m *modelMatch) lastLinePattern(who int) string {
	if !m.usesDirectives[who] {
		return "^$"
	}
	outcome, fault := "won", ""
	if who == m.loser {
		outcome = "lost"
		if m.fault {
			fault = `% error [a-z-]+ [ -~]+\n`
		}
	}
	return fmt.Sprintf(`^%s%% result %s [a-z-]+ shots=%d\n%% end\n$`, fault, outcome, m.shots[who])
}

// sentText is a text that a client sends in one piece.
type sentText struct {
	client int
	text   string
}

// exchangeTexts sends texts to a relay and returns the text that each client received. It sends
// the next one only when the effects that the model predicts have arrived, because the
// order of two clients' lines would be undefined otherwise. The caller compares the relay with
// the model.
func exchangeTexts(address string, all []sentText, s *modelMatch) (received [2]string, err error) {
	var ends [2]net.Conn
	for i := range ends {
		nc, err := net.Dial("tcp", address)
		if err != nil {
			return received, err
		}
		defer nc.Close()
		nc.SetDeadline(time.Now().Add(patience))
		ends[i] = nc
		if received[i], err = readBytes(nc, len("(3,[]).\n")); err != nil {
			return received, err
		}
	}
	// readPredicted reads the output that the model predicts.
	readPredicted := func() error {
		for i, nc := range ends {
			more, err := readBytes(nc, s.sent[i].Len()-len(received[i]))
			received[i] += more
			if err != nil {
				return fmt.Errorf("client %d, after %q: %w", i, received[i], err)
			}
		}
		return nil
	}
	if err := readPredicted(); err != nil {
		return received, err
	}
	// pending is each side's text that has no line ending yet.
	var pending [2]string
	for _, u := range all {
		text := pending[u.client] + u.text
		for !s.over {
			i := strings.IndexAny(text, "\r\n")
			if i < 0 {
				if len(text) > 256 {
					s.over, s.loser, s.fault = true, u.client, true
				}
				break
			}
			s.handleLine(u.client, text[:i])
			text = text[i+1:]
			// The relay may or may not read and answer the rest.
			if s.over && (s.usesDirectives[u.client] || strings.Contains(text, "%")) {
				u.text = strings.TrimSuffix(u.text, text)
			}
		}
		pending[u.client] = text
		if _, err := io.WriteString(ends[u.client], u.text); err != nil && !s.over {
			return received, err
		}
		if err := readPredicted(); err != nil || s.over {
			break
		}
	}
	if err == nil && !s.over {
		// Closing this end ends the match.
		ends[1].(*net.TCPConn).CloseWrite()
		s.loser = 1
	}
	for i, nc := range ends {
		rest, readErr := io.ReadAll(nc)
		received[i] += string(rest)
		var timeout net.Error
		if errors.As(readErr, &timeout) && timeout.Timeout() {
			return received, fmt.Errorf("client %d was not disconnected, after %q", i, received[i])
		}
	}
	return received, err
}

func readBytes(r io.Reader, n int) (string, error) {
	b := make([]byte, max(0, n))
	n, err := io.ReadFull(r, b)
	return string(b[:n]), err
}

// checkExchange checks that the relay sends exactly what the model predicts.
func checkExchange(t interface{ Fatalf(string, ...any) }, address string, all []sentText) {
	s := newModelMatch()
	received, err := exchangeTexts(address, all, s)
	for i := range received {
		want, end := s.sent[i].String(), s.lastLinePattern(i)
		last, ok := strings.CutPrefix(received[i], want)
		if err != nil || !ok || !regexp.MustCompile(end).MatchString(last) {
			t.Fatalf("client %d received %q (%v), want %q and then %s; all texts: %+q", i, received[i], err, want, end, fmt.Sprint(all))
		}
	}
}

// randomLine returns a random line, which is usually legal, in one of its spellings.
func (m *modelMatch) randomLine(t *rapid.T) string {
	cell := match.NewCell(rapid.IntRange(0, 9).Draw(t, "x"), rapid.IntRange(0, 9).Draw(t, "y"))
	op, open, comma, stop := 1, "(%d,", ",", "])."
	if m.target != nil {
		op, cell = 2, *m.target
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
	// The cases start at 41 because rapid draws small numbers more often.
	case 41:
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

// TestSessionsMatchModel checks that two clients, whose lines arrive in arbitrary pieces, receive the
// lines that the model predicts.
func TestSessionsMatchModel(t *testing.T) {
	address, _ := startRelay(t, relay.Config{HelloDelay: -1}, lobby.Config{Audit: audit.Off})
	rapid.Check(t, func(t *rapid.T) {
		var all []sentText
		s := newModelMatch()
		for range rapid.IntRange(10, 80).Draw(t, "lines") {
			who := s.sender()
			if rapid.IntRange(0, 80).Draw(t, "other") == 77 {
				who = 1 - who
			}
			line := s.randomLine(t)
			end := rapid.SampledFrom([]string{"\n", "\r\n", "\r", "\n\n \r\n"}).Draw(t, "end")
			s.handleLine(who, line)
			for text := line + end; text != ""; {
				n := rapid.IntRange(1, len(text)).Draw(t, "piece")
				all = append(all, sentText{who, text[:n]})
				text = text[n:]
			}
		}
		checkExchange(t, address, all)
	})
}

// FuzzSessionsMatchModel checks the same for any bytes. Each piece starts with its sender and its
// length.
func FuzzSessionsMatchModel(f *testing.F) {
	piece := func(who byte, text string) []byte { return append([]byte{who | byte(len(text))<<1}, text...) }
	f.Add(bytes.Join([][]byte{piece(1, "(1,[3,4]).\r\n"), piece(0, "(2,[3,4,"), piece(0, "1]).\r"), piece(0, "(1,[0,0]).\n"), piece(1, "(2,[0,0,4]).\n")}, nil))
	f.Add(bytes.Join([][]byte{piece(1, "(1,[3,4]).\n(1,[3,5]).\n")}, nil))
	f.Add(bytes.Join([][]byte{piece(0, "% ready\n%"), piece(1, "(1,[3,4]).\n% games 7\n"), piece(0, " dance\r"), piece(0, "(2,[3,4,4]).\n% ready\n")}, nil))
	f.Add(bytes.Join([][]byte{piece(1, "% hello\n"), piece(1, "(1,[3,4]).\n"), piece(0, "% \x00ready\n(2,[3,4,5]).\n")}, nil))
	f.Add(bytes.Join([][]byte{piece(0, "(1,[3,4]).\n")}, nil))
	f.Add(bytes.Join([][]byte{piece(1, "(1,[3,4])."), piece(0, "\n\n"), piece(1, "\n"), piece(0, "(2,[4,3,1]).\n")}, nil))
	address, _ := startRelay(f, relay.Config{HelloDelay: -1}, lobby.Config{Audit: audit.Off})
	f.Fuzz(func(t *testing.T, script []byte) {
		if bytes.Count(script, []byte("%")) > 50 {
			// This many directives have to wait.
			return
		}
		var all []sentText
		for len(script) > 1 {
			n := min(int(script[0]>>1), len(script)-1)
			if n > 0 {
				all = append(all, sentText{int(script[0] & 1), string(script[1 : 1+n])})
			}
			script = script[1+n:]
		}
		checkExchange(t, address, all)
	})
}

// TestHonestClientsUnharmedByHostile checks that pairs of clients can play whole games while hostile
// clients connect.
func TestHonestClientsUnharmedByHostile(t *testing.T) {
	const pairs, games, hostile = 40, 5, 100
	// All have the same address, which must not be paused because hostile clients are silent,
	// and must have room for all of them.
	cfg := relay.Config{HelloDelay: time.Minute, Limits: relay.Limits{WaitingPerAddr: 2*pairs + hostile}}
	address, _ := startRelay(t, cfg, lobby.Config{Audit: audit.Off})
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
				attackServer(ctx, i%6, nc)
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
					err = playKnownGame(nc)
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

// attackServer attacks the server in one of six ways until the connection is closed or ctx ends.
func attackServer(ctx context.Context, how int, nc net.Conn) {
	defer context.AfterFunc(ctx, func() { nc.Close() })()
	gone := make(chan struct{})
	defer func() {
		nc.Close()
		<-gone
	}()
	// These clients do not read.
	if how == 0 || how == 3 {
		close(gone)
	} else {
		go func() {
			defer close(gone)
			io.Copy(io.Discard, nc)
		}()
	}
	text := ""
	switch how {
	// The client reads no answer.
	case 0:
		text = strings.Repeat("% dance\n", 200)
	// The client sends byte by byte.
	case 1:
		text = "("
	// The client closes its sending half.
	case 2:
		nc.(*net.TCPConn).CloseWrite()
		fallthrough
	// The client stays silent.
	case 3:
		<-ctx.Done()
		return
	// The client sends garbage.
	case 4:
		text = "\x00\xff(((1,[\r\n"
	// The client sends many empty lines.
	case 5:
		text = strings.Repeat("\n", 4096)
	}
	for pace := time.NewTicker(time.Millisecond); ; <-pace.C {
		if _, err := io.WriteString(nc, text); err != nil {
			pace.Stop()
			return
		}
	}
}
