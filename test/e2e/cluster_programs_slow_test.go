//go:build slow && linux

package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"broadside/bots"
	"broadside/internal/store"
	"broadside/match"
	"broadside/relay/client"
)

// relayPlayer is a program that plays one match on its own connection, and records its
// shots.
type relayPlayer struct {
	bots.Bot
	name  string
	node  int
	pace  time.Duration
	fired []match.Cell
	over  bool
	end   client.Outcome // the outcome, once over is set
	err   error          // why the connection ended
	ended time.Time      // when the connection ended
}

// Fire implements [bots.Bot].
func (p *relayPlayer) Fire(chart *match.Chart) match.Cell {
	time.Sleep(p.pace)
	c := p.Bot.Fire(chart)
	p.fired = append(p.fired, c)
	return c
}

// runPrograms makes n programs play matches in succession at each node. The total number
// must be even.
func (s *clusterTest) runPrograms(n int, pace time.Duration) {
	for node := range s.Nodes {
		for k := range n {
			s.work.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(node), uint64(k)))
				for i := 0; !s.finished(); i++ {
					s.runProgram(&relayPlayer{name: fmt.Sprintf("m%d-%d-%d", node, k, i), node: node, pace: pace}, rng)
				}
			})
		}
	}
	s.programsPlay("at first")
}

// lastMatch is how long programs have for their match when the service stops; some wait for
// an opponent in vain.
const lastMatch = 15 * time.Second

// runProgram lets a program play one match.
func (s *clusterTest) runProgram(p *relayPlayer, rng *rand.Rand) {
	var err error
	if p.Bot, err = bots.New("easy", bots.Config{Rules: match.Classic(), Rand: rng}); err != nil {
		s.t.Error(err)
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	go func() {
		select {
		case <-s.finish:
			select {
			case <-time.After(lastMatch):
			case <-ctx.Done():
			}
			cancel()
		case <-ctx.Done():
		}
	}()
	p.err = client.PlaySeries(ctx, client.Invitation{Address: s.Nodes[p.node].Relay, Rules: match.Classic(), Name: p.name},
		func() (client.Player, error) { return p, nil },
		func(o client.Outcome) { p.end, p.over = o, true })
	p.ended = time.Now()
	s.mu.Lock()
	s.programs = append(s.programs, p)
	s.mu.Unlock()
	if p.err != nil {
		time.Sleep(200 * time.Millisecond)
	}
}

// played returns how many matches programs have finished.
func (s *clusterTest) played() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.programs {
		if p.over {
			n++
		}
	}
	return n
}

// programsPlay waits until programs find each other and play to the end.
func (s *clusterTest) programsPlay(when string) {
	s.t.Helper()
	before := s.played()
	s.holds("programs play to the end "+when, func() bool { return s.played() > before+3 })
}

// checkPrograms compares the notes of programs with the stored matches.
func (s *clusterTest) checkPrograms() {
	s.t.Helper()
	played := map[string][]string{} // IDs of matches
	for _, m := range s.matchesOf("") {
		for _, seat := range m.Seats {
			played[seat.Name] = append(played[seat.Name], m.ID)
		}
	}
	ends, shots := 0, 0
	for _, p := range s.programs {
		var m store.Match
		var side match.Side
		n := 0
		for _, id := range played[p.name] {
			one, err := s.store.Matches.ByID(s.ctx, id)
			if err != nil {
				s.t.Fatal(err)
			}
			of := match.First
			if one.Seats[match.Second].Name == p.name {
				of = match.Second
			}
			// Presumably the program's node was cut off for so long that its place was given up,
			// so that it never heard of this match and waited for another.
			if len(played[p.name]) > 1 && one.Winner != of && len(shotsOf(one, of)) == 0 {
				s.t.Logf("%s did not hear of match %s, which ended with %v", p.name, id, one.Reason)
				continue
			}
			m, side = one, of
			n++
		}
		if n > 1 || p.over && n != 1 {
			s.t.Errorf("%s is in %d matches", p.name, n)
		}
		if n != 1 {
			if len(p.fired) > 0 {
				s.t.Errorf("%s has fired %d times, and its match is not stored: %v", p.name, len(p.fired), p.err)
			}
			continue
		}
		own, stored := p.fired, shotsOf(m, side)
		if p.end.Reason != "sunk" && len(own) == len(stored)+1 { // it was on its way when the match ended
			own = own[:len(stored)]
		}
		if !slices.Equal(own, stored) {
			s.t.Errorf("%s has fired at\n%v\nand match %s has\n%v", p.name, p.fired, m.ID, stored)
		}
		if p.over {
			ends++
			if p.end.Won != (m.Winner == side) {
				s.t.Errorf("%s has won: %v, and match %s was won by %v", p.name, p.end.Won, m.ID, m.Winner)
			}
		}
		shots += len(stored)
	}
	s.t.Logf("%d matches were played to the end by programs; %d shots are stored, each once and in order", ends/2, shots)
}

// keptPrograms checks that no program connected to the given nodes lost its connection during a match
// in a period.
func (s *clusterTest) keptPrograms(from, to time.Time, nodes ...int) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.programs {
		if p.ended.After(from) && p.ended.Before(to) && slices.Contains(nodes, p.node) && len(p.fired) > 0 && !p.over {
			s.t.Errorf("%s at %s has lost its connection in a match: %v", p.name, s.Nodes[p.node].Name, p.err)
		}
	}
}
