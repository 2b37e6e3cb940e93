//go:build slow && linux

package e2e

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"broadside/internal/store"
	"broadside/match"
)

// linePlayer plays in line mode, connects to any other node when a connection is lost, and
// records each shot.
type linePlayer struct {
	name    string
	account string
	signer  ssh.Signer
	s       *clusterTest
	node    int           // index of the node that they connect to first
	pace    time.Duration // before each shot
	resigns bool          // rather than the opponent, when the service finishes
	watch   *stopwatch    // nil if shots are not measured

	mu    sync.Mutex // guards all below
	games []*notes
	conn  net.Conn // nil if not connected
	now   int      // the node of the connection
	seen  []time.Time
	lost  []time.Time // when connections ended before the match did
	odd   []string    // unexpected lines
	heard []string    // the last lines

	lastHeard time.Time
	paused    bool // was notified that the match is paused
}

// notes are a person's records of one match. They belong to the person's goroutine until
// the match ends.
type notes struct {
	fired  []match.Cell // answered, in order
	asked  match.Cell   // typed last
	open   bool         // the shot asked has no answer yet
	doubt  bool         // the answer may have been lost
	ending string
}

// invite creates people with accounts, each at a node.
func (s *clusterTest) invite(prefix string, pace time.Duration, at ...int) (all []*linePlayer) {
	s.t.Helper()
	for i, node := range at {
		_, private, err := ed25519.GenerateKey(nil)
		if err != nil {
			s.t.Fatal(err)
		}
		p := &linePlayer{name: fmt.Sprint(prefix, i), s: s, node: node, pace: pace}
		if p.signer, err = ssh.NewSignerFromSigner(private); err != nil {
			s.t.Fatal(err)
		}
		account, err := s.store.Accounts.CreatePerson(s.t.Context(), p.name, store.Key{Fingerprint: ssh.FingerprintSHA256(p.signer.PublicKey())})
		if err != nil {
			s.t.Fatal(err)
		}
		p.account = account.ID
		all = append(all, p)
	}
	s.people = append(s.people, all...)
	return all
}

// pair is two people who play each other.
type pair [2]*linePlayer

// nextShot returns when either player's first shot since a time was answered, or zero if
// none was.
func (p pair) nextShot(since time.Time) time.Time {
	a, b := p[0].firedSince(since), p[1].firedSince(since)
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// everyone returns the people of some pairs.
func everyone(all []pair) (people []*linePlayer) {
	for _, p := range all {
		people = append(people, p[0], p[1])
	}
	return people
}

// play makes n pairs play matches in succession, connected to the given nodes. It returns once all
// have fired.
func (s *clusterTest) play(prefix string, n int, pace time.Duration, at [2]int) (all []pair) {
	s.t.Helper()
	connecting := make(chan struct{}, 6) // logging in takes the machine a while
	for i := range n {
		both := s.invite(fmt.Sprintf("%s%dx", prefix, i), pace, at[i%2], at[1-i%2])
		p := pair{both[0], both[1]}
		p[0].resigns = true
		all = append(all, p)
		connecting <- struct{}{}
		s.work.Go(func() {
			time.AfterFunc(100*time.Millisecond, func() { <-connecting })
			for !s.finished() {
				p.playMatch(s.ctx)
			}
		})
	}
	s.allPlay("at first", everyone(all), time.Time{})
	return all
}

func (s *clusterTest) finished() bool {
	select {
	case <-s.finish:
		return true
	default:
		return s.ctx.Err() != nil
	}
}

// playMatch lets the two play one match.
func (p pair) playMatch(ctx context.Context) {
	codes := make(chan string, 1)
	var both sync.WaitGroup
	both.Go(func() { p[0].playMatch(ctx, "private", codes) })
	both.Go(func() {
		select {
		case code := <-codes:
			p[1].playMatch(ctx, "join "+code, nil)
		case <-ctx.Done():
		}
	})
	both.Wait()
}

// dial opens a session in line mode at a node.
func (p *linePlayer) dial(node int) (in io.Writer, out io.Reader, err error) {
	address := p.s.Nodes[node].SSH
	nc, err := net.DialTimeout("tcp", address, time.Second)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			nc.Close()
		}
	}()
	nc.SetDeadline(time.Now().Add(15 * time.Second))
	conn, channels, requests, err := ssh.NewClientConn(nc, address, &ssh.ClientConfig{
		User: p.name, Auth: []ssh.AuthMethod{ssh.PublicKeys(p.signer)}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
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
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conn, p.now = nc, node
	return in, out, nil
}

// hangUp closes the connection, as if it were lost.
func (p *linePlayer) hangUp() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn != nil {
		p.conn.Close()
		p.conn = nil
	}
}

// playMatch plays one match, which begins with a command, in as many sessions as it takes.
// It sends the code of a private match to codes.
func (p *linePlayer) playMatch(ctx context.Context, command string, codes chan<- string) {
	v := &notes{}
	p.mu.Lock()
	p.games = append(p.games, v)
	p.mu.Unlock()
	begun := false
	for at := p.node; ctx.Err() == nil && v.ending == ""; at++ {
		in, out, err := p.dial(at % len(p.s.Nodes))
		if err != nil {
			time.Sleep(50 * time.Millisecond)
			continue
		}
		c := conversation{linePlayer: p, notes: v, in: in, codes: codes, begun: begun}
		begun = c.run(ctx, out, command)
		p.hangUp()
		if v.ending == "" {
			p.mu.Lock()
			p.lost = append(p.lost, time.Now())
			p.mu.Unlock()
			time.Sleep(100 * time.Millisecond)
		}
	}
}

func (p *linePlayer) note(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard = append(p.heard[max(0, len(p.heard)-40):], line)
	p.lastHeard = time.Now()
	p.paused = p.paused || strings.HasPrefix(line, "The match is paused")
}

// wonder records an unexpected line.
func (p *linePlayer) wonder(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.odd = append(p.odd, line)
}

// String returns the last lines that the person received.
func (p *linePlayer) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("%s of %s, in match %d, lost %d connections, has heard\n%s\n",
		p.name, p.s.Nodes[p.node].Name, len(p.games), len(p.lost), strings.Join(p.heard, "\n"))
}

// idle reports whether the person is not in a match.
func (p *linePlayer) idle() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conn == nil
}

// connectedSince reports whether the person has a connection that has received a line about
// the match since a time.
func (p *linePlayer) connectedSince(moment time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conn != nil && len(p.lost) > 0 && p.lastHeard.After(moment)
}

// wasPaused reports whether the person received the notice that the match is paused.
func (p *linePlayer) wasPaused() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.paused
}

// at returns the node to which the person is connected.
func (p *linePlayer) at() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

// lostCount returns how often the connection was lost.
func (p *linePlayer) lostCount() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.lost)
}

// firedSince returns when the first shot after the moment was answered, or zero if none was.
func (p *linePlayer) firedSince(moment time.Time) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, _ := slices.BinarySearchFunc(p.seen, moment, time.Time.Compare)
	if i == len(p.seen) {
		return time.Time{}
	}
	return p.seen[i]
}

// shotsBetween returns how many shots were answered in a period.
func (p *linePlayer) shotsBetween(from, to time.Time) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, _ := slices.BinarySearchFunc(p.seen, from, time.Time.Compare)
	j, _ := slices.BinarySearchFunc(p.seen, to, time.Time.Compare)
	return j - i
}
