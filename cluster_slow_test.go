//go:build slow && linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"broadside/internal/crowd"
	"broadside/internal/nodes"
	"broadside/lobby/store"
	"broadside/match"
)

var (
	seeks    = flag.Int("seeks", 10_000, "how many programs look for opponents at once in TestManySeeks")
	seekTime = flag.Duration("seek-time", 3*time.Minute, "how long they may look")
	within   = flag.Duration("within", time.Minute, "how long the nodes may take to go on when one of them is lost; the goal on a quiet machine is 5s")
)

// armada is three nodes under load, and the database that they share.
type armada struct {
	*nodes.Fleet
	t     *testing.T
	store *store.Store
	logs  []*journal
}

// assemble starts the nodes.
func assemble(t *testing.T, args ...string) *armada {
	t.Helper()
	a := &armada{t: t}
	url := database(t)
	var err error
	if a.store, err = store.Open(t.Context(), store.Config{URL: url}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.store.Close() })
	const many = "50000"
	a.Fleet, err = nodes.New(nodes.Config{
		Program: build(t), Folder: t.TempDir(), Store: url, Count: 3,
		Args: append([]string{
			"--bot-pace", "0s", "--relay-hello", "1m", "--drain", "5s",
			"--relay-max-connections", many, "--relay-max-connections-per-address", many,
		}, args...),
		Log: func(i int) io.Writer {
			a.logs = append(a.logs, new(journal))
			return a.logs[i]
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		a.Close()
		for i, l := range a.logs {
			if t.Failed() {
				t.Logf("%s said last\n%s", a.Nodes[i].Name, l.end())
			}
		}
	})
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a
}

// journal is all that a node says. Its methods may be called from any goroutine.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer // guarded by mu
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

// count is how often it has said something.
func (j *journal) count(words string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return bytes.Count(j.text.Bytes(), []byte(words))
}

func (j *journal) end() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	b := j.text.Bytes()
	return string(b[max(0, len(b)-4<<10):])
}

// seeker is a program that wants to play anybody.
type seeker struct {
	name     string
	opponent string
	attacks  bool
	nc       net.Conn
}

// connect comes to a node, and says nothing yet.
func (s *seeker) connect(address string) (err error) {
	s.nc, err = net.DialTimeout("tcp", address, patience)
	return err
}

// seek says that it is ready, and waits for the game to begin.
func (s *seeker) seek(patience time.Duration) error {
	s.nc.SetDeadline(time.Now().Add(patience))
	if _, err := fmt.Fprintf(s.nc, "%% hello broadside/1 name=%s\n%% ready\n", s.name); err != nil {
		return err
	}
	for lines := bufio.NewReaderSize(s.nc, 128); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return fmt.Errorf("after %q: %w", line, err)
		}
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "% opponent"):
			s.opponent = words[2]
		case strings.HasPrefix(line, "% error"):
			return errors.New(strings.TrimSpace(line))
		case strings.HasPrefix(line, "(4,"):
			s.attacks = true
		case strings.HasPrefix(line, "(5,"):
			return nil
		}
	}
}

// pairing lets programs look for an opponent at some addresses, all at once, and
// returns how long it took until the last had one. They stay until the end of the
// test.
func pairing(t *testing.T, addresses []string, n int) ([]*seeker, time.Duration) {
	t.Helper()
	all := make([]*seeker, n)
	var work sync.WaitGroup
	gate := make(chan struct{}, 100)
	for i := range all {
		all[i] = &seeker{name: fmt.Sprint("p", i)}
		work.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			if err := all[i].connect(addresses[i%len(addresses)]); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	t.Cleanup(func() {
		for _, s := range all {
			if s.nc != nil {
				s.nc.Close()
			}
		}
	})
	if t.Failed() {
		t.FailNow()
	}
	began := time.Now()
	for _, s := range all {
		work.Go(func() {
			if err := s.seek(*seekTime); err != nil {
				t.Errorf("%s: %v", s.name, err)
			}
		})
	}
	work.Wait()
	took := time.Since(began)
	partner := map[string]*seeker{}
	for _, s := range all {
		partner[s.name] = s
	}
	for _, s := range all {
		switch o := partner[s.opponent]; {
		case o == nil:
			t.Errorf("%s plays %q", s.name, s.opponent)
		case o.opponent != s.name || o.attacks == s.attacks:
			t.Errorf("%s (attacks: %v) plays %s (attacks: %v), who plays %s", s.name, s.attacks, o.name, o.attacks, o.opponent)
		}
	}
	return all, took
}

// TestManySeeks lets as many programs as -seeks says look for an opponent at three
// nodes at the same moment. Everybody gets one, whom nobody else gets.
func TestManySeeks(t *testing.T) {
	a := assemble(t, "--log-level", "warn")
	all, took := pairing(t, []string{a.Nodes[0].Relay, a.Nodes[1].Relay, a.Nodes[2].Relay}, *seeks)
	apart := 0
	number := map[string]int{}
	for i, s := range all {
		number[s.name] = i
	}
	for i, s := range all {
		if number[s.opponent]%3 != i%3 {
			apart++
		}
	}
	t.Logf("%d programs at three nodes: paired in %v, %.0f pairs a second; %d of them play somebody at another node",
		len(all), took.Round(time.Millisecond), float64(len(all))/2/took.Seconds(), apart)

	// What is stored of them says the same.
	// They leave in waves: a database takes only so many at once.
	var matches []store.Summary
	left := 0
	for i, s := range all {
		if o := all[number[s.opponent]]; s.attacks {
			s.nc.Close()
			o.nc.Close()
			left++
		}
		if i == len(all)-1 || s.attacks && left%200 == 0 {
			matches = a.stored(left, "")
		}
	}
	met := map[string]int{}
	for _, m := range matches {
		for side, seat := range m.Seats {
			met[seat.Name]++
			if o := m.Seats[1-side].Name; all[number[seat.Name]].opponent != o {
				t.Errorf("%s has played %s, and a record says %s", seat.Name, all[number[seat.Name]].opponent, o)
			}
		}
	}
	for _, s := range all {
		if met[s.name] != 1 {
			t.Errorf("%s is in %d matches", s.name, met[s.name])
		}
	}

	one, err := crowd.Start(t.Context(), build(t), t.TempDir(), io.Discard, nil,
		"--relay-hello", "1m", "--relay-max-connections", "50000", "--relay-max-connections-per-address", "50000", "--log-level", "warn")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(one.Kill)
	a.Close()
	n := *seeks / 6 * 2 // as many as at one of the three
	_, took = pairing(t, []string{one.Relay}, n)
	t.Logf("%d programs at a single server: paired in %v, %.0f pairs a second", n, took.Round(time.Millisecond), float64(n)/2/took.Seconds())
}

// stored waits until so many matches are stored, of a player or of all, and
// returns them, the oldest first.
func (a *armada) stored(n int, player string) []store.Summary {
	a.t.Helper()
	var all []store.Summary
	for deadline := time.Now().Add(2 * patience); ; time.Sleep(200 * time.Millisecond) {
		all = nil
		for mark := (store.Mark{}); ; mark = all[len(all)-1].Mark() {
			var page []store.Summary
			var err error
			if player == "" {
				page, err = a.store.Matches(context.Background(), mark, 1000)
			} else {
				page, err = a.store.MatchesOf(context.Background(), player, mark, 1000)
			}
			if err != nil {
				a.t.Fatal(err)
			}
			all = append(all, page...)
			if len(page) < 1000 {
				break
			}
		}
		if len(all) >= n || time.Now().After(deadline) {
			break
		}
	}
	if len(all) != n {
		a.t.Errorf("%d matches of %q are stored, want %d", len(all), player, n)
	}
	slices.SortFunc(all, func(x, y store.Summary) int { return x.Started.Compare(y.Started) })
	return all
}

// TestPairingOutlivesANode kills each node in turn, so the one that leads the
// others as well, and looks how soon two at the others find each other.
func TestPairingOutlivesANode(t *testing.T) {
	a := assemble(t, "--log-level", "warn")
	for i, victim := range a.Nodes {
		victim.Kill()
		began := time.Now()
		var both sync.WaitGroup
		tries := [2]int{}
		for k := range 2 {
			address := a.Nodes[(i+1+k)%3].Relay
			both.Go(func() {
				for time.Since(began) < *within+patience {
					tries[k]++
					s := &seeker{name: fmt.Sprintf("s%d-%d-%d", i, k, tries[k])}
					err := s.connect(address)
					if err == nil {
						defer s.nc.Close()
						err = s.seek(*within + patience)
					}
					if err == nil {
						return
					}
					time.Sleep(50 * time.Millisecond)
				}
				t.Errorf("without %s nobody finds an opponent", victim.Name)
			})
		}
		both.Wait()
		took := time.Since(began)
		t.Logf("%s killed: two at the other nodes play after %v, and %v tries", victim.Name, took.Round(time.Millisecond), tries)
		if took > *within {
			t.Errorf("that is more than %v", *within)
		}
		if err := victim.Restart(t.Context(), 3); err != nil {
			t.Fatal(err)
		}
	}
}

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
	roomCode = regexp.MustCompile(`^Your room is open\. Its code is (\w+):`)
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
	v.doubt = v.doubt || v.open
	finish := s.finish
	for {
		select {
		case <-finish:
			finish = nil
			if s.yields && begun {
				say("resign")
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
			case strings.HasPrefix(line, "You are in the lobby."):
				v.ending = "it was over when I was back"
				return true
			case strings.HasPrefix(line, "The match has ended") && begun: // else the one before, whose end was not known here yet
				v.ending = line
				return true
			case strings.HasPrefix(line, "Your match goes on in another session"):
				return begun
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

// await waits until all fulfil something.
func await[T any](t *testing.T, all []T, what string, holds func(T) bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * *within); ; time.Sleep(20 * time.Millisecond) {
		left := 0
		for _, x := range all {
			if !holds(x) {
				left++
			}
		}
		if left == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("%d of %d do not: %s", left, len(all), what)
			for _, x := range all {
				if !holds(x) {
					t.Errorf("one of them: %v", x)
					break
				}
			}
			t.FailNow()
		}
	}
}

// check compares the books of sailors with what is stored.
func (a *armada) check(all []*sailor) {
	a.t.Helper()
	shots := 0
	for _, s := range all {
		for _, line := range s.odd {
			a.t.Errorf("%s heard %q", s.name, line)
		}
		matches := a.stored(len(s.games), s.account)
		for n, sum := range matches[:min(len(matches), len(s.games))] {
			v := s.games[n]
			if sum.Winner > match.Second {
				a.t.Errorf("%s: match %s has no winner: %v", s.name, sum.ID, sum.Reason)
			}
			m, err := a.store.Match(context.Background(), sum.ID)
			if err != nil {
				a.t.Fatal(err)
			}
			side := match.First
			if m.Seats[match.Second].Player == s.account {
				side = match.Second
			}
			var stored []match.Cell
			for _, e := range m.Events {
				if e.Kind == match.ShotFired && e.Side == side {
					stored = append(stored, e.Cell)
				}
			}
			own := slices.DeleteFunc(slices.Clone(v.fired), func(c match.Cell) bool { return c == useLess })
			shots += len(own)
			if v.open && len(stored) == len(own)+1 { // answered when nobody was there to hear it
				own = append(own, v.asked)
			}
			if !slices.Equal(own, stored) {
				a.t.Errorf("%s has fired at\n%v\nand match %s says\n%v\n%s", s.name, own, sum.ID, stored, strings.Join(s.heard, "\n"))
			}
		}
	}
	running, err := a.store.Running(context.Background())
	if err != nil {
		a.t.Error(err)
	}
	for _, r := range running {
		a.t.Errorf("match %s of %s and %s still runs", r.ID, r.Seats[0].Name, r.Seats[1].Name)
	}
	a.t.Logf("%d shots of %d people are all stored, each once and in order", shots, len(all))
}

// duel lets pairs play: all matches are run at the first node, and the others
// play from the other two. It returns once all have fired.
func (a *armada) duel(ctx context.Context, n int, pace time.Duration, finish <-chan struct{}, work *sync.WaitGroup) (pairs []pair, all []*sailor) {
	a.t.Helper()
	all = a.recruit("sailor", 2*n, pace, finish)
	gate := make(chan struct{}, 8)
	for i := range n {
		p := pair{all[2*i], all[2*i+1]}
		pairs = append(pairs, p)
		gate <- struct{}{} // not all at once: who comes takes time
		work.Go(func() {
			time.AfterFunc(100*time.Millisecond, func() { <-gate })
			sailPair(ctx, p, [2]int{1 + i%2, 0})
		})
	}
	await(a.t, pairs, "both have fired", func(p pair) bool { return len(p.shots(time.Time{})) == 2 })
	return pairs, all
}

// shots are those of the two who have fired since a moment.
func (p pair) shots(moment time.Time) (times []time.Time) {
	for _, s := range p {
		if at := s.firedSince(moment); !at.IsZero() {
			times = append(times, at)
		}
	}
	return times
}

// goesOn is how long after a moment the first shot of a match was answered.
func (p pair) goesOn(moment time.Time) time.Duration {
	return slices.MinFunc(p.shots(moment), time.Time.Compare).Sub(moment)
}

func spread(all []time.Duration) string {
	slices.Sort(all)
	return fmt.Sprintf("p50 %v, p99 %v, at most %v", all[len(all)/2].Round(100*time.Microsecond),
		all[len(all)*99/100].Round(100*time.Microsecond), all[len(all)-1].Round(time.Millisecond))
}

// TestOwnerIsKilled kills the node that runs a hundred matches. Half of the people
// lose their connections with it, and come back at another node.
func TestOwnerIsKilled(t *testing.T) {
	a := assemble(t)
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Minute)
	defer cancel()
	finish := make(chan struct{})
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	pairs, all := a.duel(ctx, 100, 500*time.Millisecond, finish, &work)
	killed := time.Now()
	a.Nodes[0].Kill()
	await(t, pairs, "play on without the node", func(p pair) bool { return len(p.shots(killed)) > 0 })
	var took []time.Duration
	for _, p := range pairs {
		took = append(took, p.goesOn(killed))
	}
	t.Logf("%d matches go on after: %s", len(pairs), spread(took))
	if slowest := slices.Max(took); slowest > *within {
		t.Errorf("that is more than %v", *within)
	}
	now := time.Now()
	await(t, pairs, "both play on", func(p pair) bool { return p[0].shotsSince(now) >= 3 && p[1].shotsSince(now) >= 3 })
	close(finish)
	work.Wait()
	a.check(all)
}

// TestOwnerIsPaused stops the node that runs matches until the others have gone
// on with them, and lets it go on then: it has nothing more to say in them.
func TestOwnerIsPaused(t *testing.T) {
	a := assemble(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	finish := make(chan struct{})
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	pairs, all := a.duel(ctx, 20, 300*time.Millisecond, finish, &work)
	paused := time.Now()
	if err := a.Nodes[0].Pause(); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(2*time.Second, func() {
		for _, p := range pairs[:len(pairs)/2] {
			p[1].hangUp() // the others wait until the node is back
		}
	})
	await(t, pairs, "go on without the node", func(p pair) bool { return p[0].aloneSince(paused) || len(p.shots(paused)) > 0 })
	elsewhere := func() int { return a.logs[1].count("match goes on here") + a.logs[2].count("match goes on here") }
	until(t, "all matches run elsewhere", func() bool { return elsewhere() >= len(pairs) })
	t.Logf("%d matches run elsewhere after %v", len(pairs), time.Since(paused).Round(time.Millisecond))
	if err := a.Nodes[0].Resume(); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	await(t, pairs, "both play on", func(p pair) bool { return p[0].shotsSince(now) >= 5 && p[1].shotsSince(now) >= 5 })
	until(t, "the node has given up all matches", func() bool { return a.logs[0].count("match runs elsewhere") >= len(pairs) })
	for _, p := range pairs[len(pairs)/2:] {
		if p[1].came != 1 {
			t.Errorf("%s had to come again", p[1].name)
		}
	}
	close(finish)
	work.Wait()
	a.check(all)
}

// TestRollingRestart restarts one node after the other while people play each
// other and bots.
func TestRollingRestart(t *testing.T) {
	a := assemble(t)
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Minute)
	defer cancel()
	finish := make(chan struct{})
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	const n = 15
	all := a.recruit("sailor", 3*n, 400*time.Millisecond, finish)
	done := func() bool {
		select {
		case <-finish:
			return true
		default:
			return ctx.Err() != nil
		}
	}
	var over atomic.Int64
	for i := range n {
		p, lonely := pair{all[3*i], all[3*i+1]}, all[3*i+2]
		work.Go(func() {
			for !done() {
				sailPair(ctx, p, [2]int{i % 3, i / 3 % 3})
				over.Add(1)
			}
		})
		work.Go(func() {
			lonely.yields, lonely.pace = true, 100*time.Millisecond
			for !done() {
				lonely.sail(ctx, i%3, "bot "+[]string{"easy", "medium", "hard"}[i%3], nil)
				over.Add(1)
			}
		})
	}
	fired := func(moment time.Time) func(*sailor) bool {
		return func(s *sailor) bool { return s.shotsSince(moment) > 0 }
	}
	await(t, all, "fire", fired(time.Time{}))
	for _, node := range a.Nodes {
		began := time.Now()
		if err := node.Stop(); err != nil {
			t.Errorf("%s ends with: %v", node.Name, err)
		}
		stopped := time.Now()
		await(t, all, "play on without "+node.Name, fired(stopped))
		if err := node.Restart(ctx, 3); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s has ended in %v, and is back after %v", node.Name, stopped.Sub(began).Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
		await(t, all, "play on with "+node.Name, fired(time.Now()))
	}
	close(finish)
	work.Wait()
	sessions := 0
	for _, s := range all {
		sessions += s.came
	}
	t.Logf("%d matches of %d people in %d sessions", over.Load(), len(all), sessions)
	a.check(all)
}

// stopwatch takes the time from a shot that is typed until the opponent reads of
// it. Its methods may be called from any goroutine; one that is nil does nothing.
type stopwatch struct {
	mu    sync.Mutex
	typed map[string]time.Time // guarded by mu, as all
	took  []time.Duration
}

func (w *stopwatch) fires(name, cell string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.typed == nil {
		w.typed = map[string]time.Time{}
	}
	w.typed[name+" "+cell] = time.Now()
}

func (w *stopwatch) hears(name, cell string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if at, ok := w.typed[name+" "+cell]; ok {
		w.took = append(w.took, time.Since(at))
	}
}

// TestShotLatency measures how long a shot takes from the line that one person
// types to the line that the other reads, by SSH both: at one node, and at two.
func TestShotLatency(t *testing.T) {
	a := assemble(t, "--log-level", "warn")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	for _, c := range []struct {
		where string
		at    [2]int
	}{{"within a node", [2]int{0, 0}}, {"across nodes", [2]int{0, 1}}} {
		finish, w := make(chan struct{}), &stopwatch{}
		var work sync.WaitGroup
		all := a.recruit(strings.Fields(c.where)[0], 16, 20*time.Millisecond, finish)
		for i := 0; i < len(all); i += 2 {
			all[i].watch, all[i+1].watch = w, w
			work.Go(func() { sailPair(ctx, pair{all[i], all[i+1]}, c.at) })
		}
		work.Wait() // they play to the end
		t.Logf("a shot %s, %d of them: %s", c.where, len(w.took), spread(w.took))
		a.check(all)
	}
}
