//go:build slow && linux

package main

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"fmt"
	"golang.org/x/crypto/ssh"
	"io"
	"math/rand/v2"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/lobby/store"
	"broadside/match"
)

// sailor is somebody who plays by lines, comes back by whatever node there is when
// the connection is lost, and keeps a book of each shot.
type sailor struct {
	name    string
	account string
	signer  ssh.Signer
	a       *armada
	pace    time.Duration
	finish  <-chan struct{} // closed: it is time to resign
	yields  bool            // this one resigns, not the opponent
	watch   *stopwatch      // nil: nobody looks how long shots take

	mu    sync.Mutex // guards what follows
	games []*voyage
	conn  net.Conn // nil: not connected
	seen  []time.Time
	away  []time.Time // when the opponent's connection was lost
	came  int         // sessions
	odd   []string    // what should not have been heard
	heard []string    // the last lines
}

// voyage is one match as a sailor has seen it. It belongs to the sailor's
// goroutine until that ends.
type voyage struct {
	fired  []match.Cell // that were answered, in order
	asked  match.Cell   // that was typed last
	open   bool         // it was not answered yet
	doubt  bool         // it may have been answered unheard
	ending string
}

// recruit makes sailors with accounts.
func (a *armada) recruit(prefix string, n int, pace time.Duration, finish <-chan struct{}) []*sailor {
	a.t.Helper()
	var all []*sailor
	for i := range n {
		_, private, err := ed25519.GenerateKey(nil)
		if err != nil {
			a.t.Fatal(err)
		}
		s := &sailor{name: fmt.Sprint(prefix, i), a: a, pace: pace, finish: finish}
		if s.signer, err = ssh.NewSignerFromSigner(private); err != nil {
			a.t.Fatal(err)
		}
		p, err := a.store.CreatePerson(a.t.Context(), s.name, store.Key{Fingerprint: ssh.FingerprintSHA256(s.signer.PublicKey())})
		if err != nil {
			a.t.Fatal(err)
		}
		s.account = p.ID
		all = append(all, s)
	}
	return all
}

// dial opens a session in lines.
func (s *sailor) dial(address string) (in io.Writer, out io.Reader, err error) {
	nc, err := net.DialTimeout("tcp", address, time.Second)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			nc.Close()
		}
	}()
	nc.SetDeadline(time.Now().Add(10 * time.Second))
	conn, channels, requests, err := ssh.NewClientConn(nc, address, &ssh.ClientConfig{
		User: s.name, Auth: []ssh.AuthMethod{ssh.PublicKeys(s.signer)}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		return nil, nil, err
	}
	session, err := ssh.NewClient(conn, channels, requests).NewSession()
	if err != nil {
		return nil, nil, err
	}
	if in, err = session.StdinPipe(); err != nil {
		return nil, nil, err
	}
	if out, err = session.StdoutPipe(); err != nil {
		return nil, nil, err
	}
	if err = session.Shell(); err != nil {
		return nil, nil, err
	}
	nc.SetDeadline(time.Time{})
	s.mu.Lock()
	s.conn = nc
	s.came++
	s.mu.Unlock()
	return in, out, nil
}

// hangUp loses the connection.
func (s *sailor) hangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		s.conn.Close()
	}
}

// sail plays one match: it begins with a command at a node, and goes on wherever
// there is a way in. A room's code goes to codes.
func (s *sailor) sail(ctx context.Context, node int, command string, codes chan<- string) {
	v := &voyage{}
	s.mu.Lock()
	s.games = append(s.games, v)
	s.mu.Unlock()
	begun := false
	for at := node; ctx.Err() == nil && v.ending == ""; at++ {
		in, out, err := s.dial(s.a.Nodes[at%len(s.a.Nodes)].SSH)
		if err != nil {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		first := "status"
		if !begun {
			first = command
		}
		begun = s.play(ctx, v, in, out, first, codes) || begun
		s.hangUp()
	}
}

var (
	roomCode = regexp.MustCompile(`^Your room is open\. Its code is ([\w-]+):`)
	answered = regexp.MustCompile(`^([A-J]\d+): (water|hit)`)
	fires    = regexp.MustCompile(`^(\w+) fires at ([A-J]\d+):`)
	again    = regexp.MustCompile(`^You have fired at ([A-J]\d+) already`)
	useless  = regexp.MustCompile(`^([A-J]\d+) must be water`)
	endLine  = regexp.MustCompile(`^(You have won\.|You have lost\.|Nobody has won\.)`)
)

// play plays in one session, until that ends or the match does. It tells whether
// the match has begun.
func (s *sailor) play(ctx context.Context, v *voyage, in io.Writer, out io.Reader, first string, codes chan<- string) (begun bool) {
	defer context.AfterFunc(ctx, s.hangUp)()
	lines := make(chan string)
	quit := make(chan struct{})
	defer close(quit)
	go func() { // ends with the connection, which sail closes
		defer close(lines)
		for l := bufio.NewScanner(out); l.Scan(); {
			select {
			case lines <- l.Text():
			case <-quit:
				return
			}
		}
	}()
	say := func(line string) { io.WriteString(in, line+"\n") } // if it fails, the session has ended
	say(first)
	var think <-chan time.Time
	begun = first == "status"
	waits, placed, resigned := false, false, false // for the answer to a shot
	offered := false                               // a seat that the last session seems to use
	v.doubt = v.doubt || v.open
	finish := s.finish
	for {
		select {
		case <-finish:
			finish = nil
			if s.yields && begun {
				say("resign")
				say("resign") // confirms it
				resigned = true
			}
		case <-think:
			think = nil
			if !v.open {
				v.asked, v.open = s.nextCell(v), true
			}
			s.watch.fires(s.name, v.asked.String())
			say(v.asked.String())
			waits = true
		case line, more := <-lines:
			if !more {
				return begun
			}
			s.hear(line)
			turn := false
			switch {
			case roomCode.MatchString(line):
				codes <- roomCode.FindStringSubmatch(line)[1]
			case strings.HasPrefix(line, "Place your fleet") && !placed:
				say("place random")
				placed, begun = true, true
			case strings.HasPrefix(line, "The battle begins"):
				begun = true
			case fires.MatchString(line):
				shot := fires.FindStringSubmatch(line)
				s.watch.hears(shot[1], shot[2])
			case strings.HasPrefix(line, "Your turn."):
				turn = !waits
			case strings.HasPrefix(line, "Something was too fast"):
				v.doubt, waits = v.open, false
				say("status")
			case answered.MatchString(line):
				if !v.open || answered.FindStringSubmatch(line)[1] != v.asked.String() {
					s.wonder(line)
					break
				}
				v.fired, v.open, v.doubt, waits = append(v.fired, v.asked), false, false, false
				s.mu.Lock()
				s.seen = append(s.seen, time.Now())
				s.mu.Unlock()
			case again.MatchString(line):
				if !v.doubt {
					s.wonder(line) // it was played before, and nobody has said so
				}
				v.fired, v.open, v.doubt, waits, turn = append(v.fired, v.asked), false, false, false, true
			case useless.MatchString(line):
				v.fired, v.open, v.doubt, waits, turn = append(v.fired, useLess), false, false, false, true
			case strings.Contains(line, "has lost the connection."):
				s.mu.Lock()
				s.away = append(s.away, time.Now())
				s.mu.Unlock()
			case strings.HasPrefix(line, "You have a match in another session."): // in the one that was lost
				offered = true
				say("resume")
			case strings.HasPrefix(line, "You are in the lobby.") && !offered, strings.HasPrefix(line, "You have no match to continue."):
				v.ending = "it was over when I was back"
				return true
			case strings.HasPrefix(line, "The match has ended") && begun: // else the one before, whose end was not known here yet
				v.ending = line
				return true
			case strings.HasPrefix(line, "The server is going down."):
				return begun
			case endLine.MatchString(line):
				v.ending = line
				return true
			}
			if turn && think == nil && !resigned {
				think = time.After(s.pace)
			}
			if s.finishing() && s.yields && begun && !resigned {
				say("resign")
				say("resign")
				resigned = true
			}
		}
	}
}

// useLess stands in the book for a cell that was known to be water.
var useLess = match.Cell{X: -1, Y: -1}

func (s *sailor) finishing() bool {
	select {
	case <-s.finish:
		return true
	default:
		return false
	}
}

// nextCell is a cell at which it has not fired: all in the same order.
func (s *sailor) nextCell(v *voyage) match.Cell {
	n := len(v.fired)
	order := rand.New(rand.NewPCG(uint64(len(s.games)), 1)).Perm(100)
	return match.At(order[n%100]%10, order[n%100]/10)
}

func (s *sailor) hear(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = append(s.heard[max(0, len(s.heard)-40):], line)
}

// String is what a sailor has heard last.
func (s *sailor) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("%s, in session %d of %d matches, has heard\n%s\n", s.name, s.came, len(s.games), strings.Join(s.heard, "\n"))
}

// wonder notes what should not have been heard.
func (s *sailor) wonder(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.odd = append(s.odd, line)
}

// firedSince is when the first shot after a moment was answered; zero: none.
func (s *sailor) firedSince(moment time.Time) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, _ := slices.BinarySearchFunc(s.seen, moment, time.Time.Compare)
	if i == len(s.seen) {
		return time.Time{}
	}
	return s.seen[i]
}

// shotsSince is how many shots were answered after a moment.
func (s *sailor) shotsSince(moment time.Time) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, _ := slices.BinarySearchFunc(s.seen, moment, time.Time.Compare)
	return len(s.seen) - i
}

// aloneSince is whether the opponent's connection was lost after a moment.
func (s *sailor) aloneSince(moment time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.away) > 0 && s.away[len(s.away)-1].After(moment)
}

// pair is two who play each other. The match is run at the second one's node.
type pair [2]*sailor

// sailPair lets two play one match.
func sailPair(ctx context.Context, p pair, at [2]int) {
	codes := make(chan string, 1)
	var both sync.WaitGroup
	p[0].yields = true
	both.Go(func() { p[0].sail(ctx, at[0], "room", codes) })
	both.Go(func() {
		select {
		case code := <-codes:
			p[1].sail(ctx, at[1], "join "+code, nil)
		case <-ctx.Done():
		}
	})
	both.Wait()
}

// ask is what a node answers to the first command of a session in lines.
func (s *sailor) ask(t *testing.T, node int, command string) string {
	t.Helper()
	in, out, err := s.dial(s.a.Nodes[node].SSH)
	if err != nil {
		t.Fatal(err)
	}
	defer s.hangUp()
	defer time.AfterFunc(patience, s.hangUp).Stop()
	io.WriteString(in, command+"\nquit\n")
	said, err := io.ReadAll(out)
	if err != nil {
		t.Error(err)
	}
	return string(said)
}
