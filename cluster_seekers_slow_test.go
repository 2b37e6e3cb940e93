//go:build slow && linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/internal/crowd"
	"broadside/lobby/store"
)

// seeker is a program that wants to play anybody.
type seeker struct {
	name     string
	opponent string
	attacks  bool
	nc       net.Conn
}

// connect connects to a node from an address, nil for any, and says nothing yet.
func (s *seeker) connect(address string, from net.IP) (err error) {
	d := net.Dialer{Timeout: patience}
	if from != nil {
		d.LocalAddr = &net.TCPAddr{IP: from}
	}
	s.nc, err = d.Dial("tcp", address)
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
			// Few programs of one address may wait at a time.
			from := net.IPv4(127, 1, byte(i>>8), byte(i))
			if err := all[i].connect(addresses[i%len(addresses)], from); err != nil {
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
	// They leave in waves: a database takes only so many at once. Those who wait for
	// that do not fire, so the server may end their matches first.
	left := 0
	for _, s := range all {
		if o := all[number[s.opponent]]; s.attacks {
			s.nc.Close()
			o.nc.Close()
			if left++; left%200 == 0 {
				until(t, "matches that are stored", func() bool { return len(a.matches("")) >= left })
			}
		}
	}
	matches := a.stored(len(all)/2, "")
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
	all := a.matches(player)
	for deadline := time.Now().Add(2 * patience); len(all) < n && time.Now().Before(deadline); all = a.matches(player) {
		time.Sleep(200 * time.Millisecond)
	}
	if len(all) != n {
		a.t.Errorf("%d matches of %q are stored, want %d", len(all), player, n)
	}
	slices.SortFunc(all, func(x, y store.Summary) int { return x.Started.Compare(y.Started) })
	return all
}

// matches returns all matches that are stored, of a player unless that is empty.
func (a *armada) matches(player string) (all []store.Summary) {
	a.t.Helper()
	const most = 1000
	for mark := (store.Mark{}); ; mark = all[len(all)-1].Mark() {
		var page []store.Summary
		var err error
		if player == "" {
			page, err = a.store.Matches(context.Background(), mark, most)
		} else {
			page, err = a.store.MatchesOf(context.Background(), player, mark, most)
		}
		if err != nil {
			a.t.Fatal(err)
		}
		if all = append(all, page...); len(page) < most {
			return all
		}
	}
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
					err := s.connect(address, nil)
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
