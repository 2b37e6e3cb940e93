//go:build slow && linux

package e2e

import (
	"flag"
	"sync/atomic"
	"testing"
	"time"

	"broadside/internal/test/pgtest"
)

var rounds = flag.Int("rounds", 2, "how often TestRollingRestart restarts each node; the goal is 5")

// settle is how long after a failure all messages on the way have arrived.
const settle = 200 * time.Millisecond

// TestActiveNodeKilled kills the active node. Matches of players at other nodes continue at
// once, and none of these players is disconnected.
func TestActiveNodeKilled(t *testing.T) {
	t.Parallel()
	s := startCluster(t)
	away := s.play("away", *pairs, 700*time.Millisecond, [2]int{1, 2})
	half := s.play("half", 5, 700*time.Millisecond, [2]int{0, 1})
	s.runPrograms(4, 20*time.Millisecond)
	killed := time.Now()
	s.Nodes[0].Kill()
	s.nextShots("without the active node", away, killed.Add(settle))
	s.nextShots("with one player from the active node", half, killed.Add(settle))
	s.programsPlay("without the active node")
	s.stayed(everyone(away))
	s.keptPrograms(killed, time.Now(), 1, 2)
	if err := s.Nodes[0].Restart(s.ctx, 3); err != nil {
		t.Fatal(err)
	}
	s.allPlay("with all nodes again", s.people, time.Now())
	s.end()
}

// TestActiveNodeStopped suspends the active node's process for 20 seconds. The other nodes
// continue without it. When it resumes, it is a gateway, and its connections work again.
func TestActiveNodeStopped(t *testing.T) {
	t.Parallel()
	s := startCluster(t)
	away := s.play("away", *pairs/2, 700*time.Millisecond, [2]int{1, 2})
	there := s.play("there", 5, 700*time.Millisecond, [2]int{0, 0})
	s.runPrograms(2, 20*time.Millisecond)
	stopped := time.Now()
	if err := s.Nodes[0].Pause(); err != nil {
		t.Fatal(err)
	}
	s.nextShots("while the active node is stopped", away, stopped.Add(settle))
	time.Sleep(time.Until(stopped.Add(20 * time.Second)))
	resumed := time.Now()
	if err := s.Nodes[0].Resume(); err != nil {
		t.Fatal(err)
	}
	s.nextShots("at the node that was stopped", there, resumed)
	if a := s.Active(s.ctx); a == nil || a == s.Nodes[0] {
		t.Errorf("the active node is %v", a)
	}
	s.stayed(s.people)
	s.programsPlay("at all nodes again")
	s.end()
}

// TestGatewayKilled kills a node that is not active. Its users reconnect to other nodes and
// continue; nobody else is affected.
func TestGatewayKilled(t *testing.T) {
	t.Parallel()
	s := startCluster(t)
	across := s.play("across", *pairs/2, 700*time.Millisecond, [2]int{0, 1})
	others := s.play("others", 5, 700*time.Millisecond, [2]int{0, 2})
	s.runPrograms(2, 20*time.Millisecond)
	killed := time.Now()
	s.Nodes[1].Kill()
	s.nextShots("without the gateway", others, killed.Add(settle))
	s.allPlay("without the gateway", everyone(across), killed.Add(settle))
	s.programsPlay("without the gateway")
	s.stayed(everyone(others))
	s.keptPrograms(killed, time.Now(), 0, 2)
	if err := s.Nodes[1].Restart(s.ctx, 3); err != nil {
		t.Fatal(err)
	}
	s.end()
}

func stopDatabase(t *testing.T, server *pgtest.Server) {
	t.Helper()
	if err := server.Stop(); err != nil {
		t.Error(err)
	}
}

// TestRollingRestart restarts each node in turn, several times. Only users of the restarted node
// must reconnect.
func TestRollingRestart(t *testing.T) {
	t.Parallel()
	s := startCluster(t)
	all := s.play("across", *pairs/4, 500*time.Millisecond, [2]int{0, 1})
	all = append(all, s.play("further", *pairs/4, 500*time.Millisecond, [2]int{1, 2})...)
	var bots atomic.Int64
	for i, p := range s.invite("lonely", 100*time.Millisecond, 0, 1, 2) {
		p.resigns = true
		s.work.Go(func() {
			for !s.finished() {
				p.playMatch(s.ctx, "bot "+[]string{"easy", "medium", "hard"}[i], nil)
				bots.Add(1)
			}
		})
	}
	s.runPrograms(2, 20*time.Millisecond)
	for range *rounds {
		for i, n := range s.Nodes {
			began := time.Now()
			lost := s.lostAt(i)
			if err := n.Stop(); err != nil {
				t.Errorf("%s ended with this error: %v", n.Name, err)
			}
			stopped := time.Now()
			s.nextShots("without "+n.Name, all, stopped)
			if err := n.Restart(s.ctx, 3); err != nil {
				t.Fatal(err)
			}
			t.Logf("%s took %v to end, and was back after %v", n.Name, stopped.Sub(began).Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
			s.programsPlay("with " + n.Name)
			for p, before := range lost {
				if n := p.lostCount(); n > before {
					t.Errorf("%s at %s has lost connection: %v", p.name, s.Nodes[p.at()].Name, p)
				}
			}
			others := []int{0, 1, 2}
			s.keptPrograms(began, time.Now(), append(others[:i:i], others[i+1:]...)...)
		}
	}
	s.end()
	t.Logf("%d matches against bots", bots.Load())
}

// lostAt returns how often users of the other nodes were disconnected.
func (s *clusterTest) lostAt(node int) map[*linePlayer]int {
	lost := map[*linePlayer]int{}
	for _, p := range s.people {
		if p.at() != node {
			lost[p] = p.lostCount()
		}
	}
	return lost
}

// TestAllNodesKilled kills all nodes at once, and starts them again.
func TestAllNodesKilled(t *testing.T) {
	t.Parallel()
	s := startCluster(t)
	all := s.play("across", *pairs, 700*time.Millisecond, [2]int{1, 2})
	s.runPrograms(2, 20*time.Millisecond)
	s.Close()
	for _, n := range s.Nodes {
		if err := n.Launch(); err != nil {
			t.Fatal(err)
		}
	}
	started := time.Now()
	for _, n := range s.Nodes {
		if err := n.Ready(s.ctx, 3); err != nil {
			t.Fatal(err)
		}
	}
	s.nextShots("once the nodes are started again", all, started)
	s.programsPlay("once the nodes are started again")
	s.end()
}
