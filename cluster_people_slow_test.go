//go:build slow && linux

package main

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"broadside/lobby/store"
	"broadside/match"
)

// linePlayer plays in line mode, connects to any other node when a connection is lost, and
// notes each shot.
type linePlayer struct {
	name    string
	account string
	signer  ssh.Signer
	s       *clusterTest
	node    int           // connects to this one first
	pace    time.Duration // before each shot
	resigns bool          // rather than the opponent, when the service finishes
	watch   *stopwatch    // nil: nobody measures shots

	mu    sync.Mutex // guards all below
	games []*notes
	conn  net.Conn // nil: not connected
	now   int      // the node of the connection
	seen  []time.Time
	lost  []time.Time // when connections ended before the match did
	odd   []string    // lines that should not have come
	heard []string    // the last lines

	lastHeard time.Time
	paused    bool // has heard that the match is paused
}

// notes are what a person knows about one match. They belong to the person's goroutine
// until the match has ended.
type notes struct {
	fired  []match.Cell // answered, in order
	asked  match.Cell   // typed last
	open   bool         // asked has no answer yet
	doubt  bool         // it may have been answered unheard
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
		account, err := s.store.CreatePerson(s.t.Context(), p.name, store.Key{Fingerprint: ssh.FingerprintSHA256(p.signer.PublicKey())})
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

// nextShot returns when a shot of either was answered first since a moment; zero: none.
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

// play lets n pairs play match after match. The two of each are at the given nodes. It
// returns once all have fired.
func (s *clusterTest) play(prefix string, n int, pace time.Duration, at [2]int) (all []pair) {
	s.t.Helper()
	gate := make(chan struct{}, 6) // logging in takes the machine a while
	for i := range n {
		both := s.invite(fmt.Sprintf("%s%dx", prefix, i), pace, at[i%2], at[1-i%2])
		p := pair{both[0], both[1]}
		p[0].resigns = true
		all = append(all, p)
		gate <- struct{}{}
		s.work.Go(func() {
			time.AfterFunc(100*time.Millisecond, func() { <-gate })
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
	both.Go(func() { p[0].playMatch(ctx, "room", codes) })
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

// hangUp closes the connection, as when it is lost.
func (p *linePlayer) hangUp() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn != nil {
		p.conn.Close()
		p.conn = nil
	}
}

// playMatch plays one match, which begins with a command, in as many sessions as it
// takes. A room's code goes to codes.
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

// conversation is one session of a person.
type conversation struct {
	*linePlayer
	*notes
	in    io.Writer
	codes chan<- string

	begun    bool      // the match has begun
	placed   bool      // the fleet
	waits    bool      // for the answer to a shot
	askedAt  time.Time // when that was fired
	repeated string    // a cell that was typed more than once
	offered  bool      // a seat that the last session still seems to use
	hurries  bool      // the shot was refused: it is soon typed again
	resigned bool
}

var (
	roomCode = regexp.MustCompile(`^Your room is open\. Its code is ([\w-]+):`)
	answered = regexp.MustCompile(`^([A-J]\d+): (water|hit)`)
	fires    = regexp.MustCompile(`^(\w+) fires at ([A-J]\d+):`)
	again    = regexp.MustCompile(`^You have fired at ([A-J]\d+) already`)
	useless  = regexp.MustCompile(`^([A-J]\d+) must be water`)
	endLine  = regexp.MustCompile(`^(You have won\.|You have lost\.|Nobody has won\.)`)
)

// answerTime is how long a person waits for the answer to a shot before asking how the
// match stands.
const answerTime = 3 * time.Second

// hurryTime is how soon a person tries again while the server is reconnecting.
const hurryTime = 100 * time.Millisecond

// knownWater stands in the notes for a cell that was known to be water.
var knownWater = match.Cell{X: -1, Y: -1}

// run talks until the session or the match ends. It reports whether the match has begun.
func (c *conversation) run(ctx context.Context, out io.Reader, command string) bool {
	defer context.AfterFunc(ctx, c.hangUp)()
	lines, quit := make(chan string), make(chan struct{})
	defer close(quit)
	go func() { // ends with the connection, which the caller closes
		defer close(lines)
		for l := bufio.NewScanner(out); l.Scan(); {
			select {
			case lines <- l.Text():
			case <-quit:
				return
			}
		}
	}()
	if c.begun {
		command = "status"
	}
	c.doubt = c.doubt || c.open
	c.say(command)
	impatient := time.NewTicker(answerTime / 2)
	defer impatient.Stop()
	var think <-chan time.Time
	for {
		select {
		case <-think:
			think = nil
			c.fire()
		case <-impatient.C:
			if c.waits && time.Since(c.askedAt) > answerTime {
				c.waits, c.doubt = false, true
				c.say("status")
			}
		case line, more := <-lines:
			if !more {
				return c.begun
			}
			if c.hear(line) && think == nil && !c.resigned {
				think = time.After(c.thinkTime())
			}
			if c.ending != "" {
				return c.begun
			}
		}
		if c.begun && c.linePlayer.resigns && !c.resigned && c.s.finished() {
			c.resigned = true
			c.say("resign")
			c.say("resign") // confirms it
		}
	}
}

// thinkTime returns how long the person thinks before the next shot.
func (c *conversation) thinkTime() time.Duration {
	if c.hurries {
		c.hurries = false
		return hurryTime
	}
	return c.pace
}

// say types a line. If that fails, the session has ended.
func (c *conversation) say(line string) { io.WriteString(c.in, line+"\n") }

func (c *conversation) fire() {
	if c.open {
		c.repeated = c.asked.String()
	} else {
		c.asked, c.open = c.nextCell(len(c.fired)), true
	}
	c.watch.fired(c.name, c.asked.String())
	c.say(c.asked.String())
	c.waits, c.askedAt = true, time.Now()
}

// hear notes a line and reports whether it is the person's turn.
func (c *conversation) hear(line string) (turn bool) {
	c.linePlayer.note(line)
	switch {
	case roomCode.MatchString(line):
		c.codes <- roomCode.FindStringSubmatch(line)[1]
	case strings.HasPrefix(line, "Place your fleet") && !c.placed:
		c.say("place random")
		c.placed, c.begun = true, true
	case strings.HasPrefix(line, "The battle begins"):
		c.begun = true
	case fires.MatchString(line):
		shot := fires.FindStringSubmatch(line)
		c.watch.heard(shot[1], shot[2])
	case strings.HasPrefix(line, "Your turn."):
		return !c.waits
	case strings.HasPrefix(line, "Something was too fast"):
		c.doubt, c.waits = c.open, false
		c.say("status")
	case strings.HasPrefix(line, "The server is reconnecting") && c.open:
		c.doubt, c.waits, c.hurries = true, false, true
		return true
	case answered.MatchString(line):
		if !c.open || answered.FindStringSubmatch(line)[1] != c.asked.String() {
			c.wonder(line)
			break
		}
		c.shotDone(c.asked)
		c.mu.Lock()
		c.seen = append(c.seen, time.Now())
		c.mu.Unlock()
	case again.MatchString(line):
		switch cell := again.FindStringSubmatch(line)[1]; {
		case c.open && c.doubt && cell == c.asked.String(): // the answer has never come
			c.shotDone(c.asked)
			return true
		case cell != c.repeated:
			c.wonder(line)
		}
	case useless.MatchString(line):
		c.shotDone(knownWater)
		return true
	case strings.HasPrefix(line, "You have a match in another session."): // the one that was lost
		c.offered = true
		c.say("resume")
	case strings.HasPrefix(line, "You are in the lobby.") && c.begun && !c.offered, strings.HasPrefix(line, "You have no match to continue."):
		c.ending = "it was over when I was back"
	case strings.HasPrefix(line, "The match has ended") && c.begun, // else the one before
		endLine.MatchString(line):
		c.ending = line
	}
	return false
}

func (c *conversation) shotDone(cell match.Cell) {
	c.fired, c.open, c.doubt, c.waits = append(c.fired, cell), false, false, false
}

// nextCell returns a cell at which the person has not fired in this match.
func (p *linePlayer) nextCell(n int) match.Cell {
	order := rand.New(rand.NewPCG(uint64(len(p.games)), 1)).Perm(100)
	return match.At(order[n%100]%10, order[n%100]/10)
}

func (p *linePlayer) note(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard = append(p.heard[max(0, len(p.heard)-40):], line)
	p.lastHeard = time.Now()
	p.paused = p.paused || strings.HasPrefix(line, "The match is paused")
}

// wonder notes a line that should not have come.
func (p *linePlayer) wonder(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.odd = append(p.odd, line)
}

// String returns what a person has heard last.
func (p *linePlayer) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("%s of %s, in match %d, lost %d connections, has heard\n%s\n",
		p.name, p.s.Nodes[p.node].Name, len(p.games), len(p.lost), strings.Join(p.heard, "\n"))
}

// idle reports whether the person plays no match.
func (p *linePlayer) idle() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conn == nil
}

// connectedSince reports whether the person has a connection on which something was
// heard about the match since a moment.
func (p *linePlayer) connectedSince(moment time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conn != nil && len(p.lost) > 0 && p.lastHeard.After(moment)
}

// wasPaused reports whether the person has heard that the match is paused.
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

// firedSince returns when the first shot since a moment was answered; zero: none.
func (p *linePlayer) firedSince(moment time.Time) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, _ := slices.BinarySearchFunc(p.seen, moment, time.Time.Compare)
	if i == len(p.seen) {
		return time.Time{}
	}
	return p.seen[i]
}

// shotsBetween returns how many shots were answered in a time.
func (p *linePlayer) shotsBetween(from, to time.Time) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, _ := slices.BinarySearchFunc(p.seen, from, time.Time.Compare)
	j, _ := slices.BinarySearchFunc(p.seen, to, time.Time.Compare)
	return j - i
}

// checkPeople compares the notes of people with what is stored.
func (s *clusterTest) checkPeople() {
	s.t.Helper()
	shots, matches := 0, 0
	for _, p := range s.people {
		for _, line := range p.odd {
			s.t.Errorf("%s heard %q", p.name, line)
		}
		stored := s.matchesOf(p.account)
		if len(stored) != len(p.games) {
			s.t.Errorf("%s has played %d matches, of which %d are stored: %v", p.name, len(p.games), len(stored), p)
			continue
		}
		for n, sum := range stored {
			if n > 0 && sum.Started.Before(stored[n-1].Started.Add(stored[n-1].Took)) {
				s.t.Errorf("%s was in two matches at a time: %s and %s", p.name, sum.ID, stored[n-1].ID)
			}
			shots += s.checkNotes(p, p.games[n], sum)
			matches++
		}
	}
	s.t.Logf("%d shots of %d people in %d matches are stored, each once and in order", shots, len(s.people), matches/2)
}

// checkNotes compares notes about a match with what is stored, and returns the number
// of shots.
func (s *clusterTest) checkNotes(p *linePlayer, v *notes, sum store.Summary) int {
	s.t.Helper()
	if r := sum.Reason; r != match.FleetSunk && r != match.Resigned && r != match.Aborted {
		s.t.Errorf("match %s of %s has ended for this reason: %v", sum.ID, p.name, r)
	}
	m, err := s.store.Match(s.ctx, sum.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	side := match.First
	if m.Seats[match.Second].Player == p.account {
		side = match.Second
	}
	stored := shotsOf(m, side)
	own := slices.DeleteFunc(slices.Clone(v.fired), func(c match.Cell) bool { return c == knownWater })
	if v.open && len(stored) == len(own)+1 { // the match was over before the answer came
		own = append(own, v.asked)
	}
	if !slices.Equal(own, stored) {
		s.t.Errorf("%s has fired at\n%v\nand match %s has\n%v\n%v", p.name, own, sum.ID, stored, p)
	}
	return len(own)
}

// shotsOf returns the cells at which a side has fired.
func shotsOf(m store.Match, side match.Side) (cells []match.Cell) {
	for _, e := range m.Events {
		if e.Kind == match.ShotFired && e.Side == side {
			cells = append(cells, e.Cell)
		}
	}
	return cells
}

// matchesOf returns the stored matches of a player, or of all if the account is empty,
// the oldest first.
func (s *clusterTest) matchesOf(account string) (all []store.Summary) {
	s.t.Helper()
	const most = 1000
	for mark := (store.Mark{}); ; mark = all[len(all)-1].Mark() {
		var page []store.Summary
		var err error
		if account == "" {
			page, err = s.store.Matches(s.ctx, mark, most)
		} else {
			page, err = s.store.MatchesOf(s.ctx, account, mark, most)
		}
		if err != nil {
			s.t.Fatal(err)
		}
		if all = append(all, page...); len(page) < most {
			break
		}
	}
	slices.SortFunc(all, func(x, y store.Summary) int { return x.Started.Compare(y.Started) })
	return all
}
