//go:build slow && linux

package e2e

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"
)

var cutTime = flag.Duration("cut-time", time.Minute, "how long links are cut at random; the goal is 3m")

// cutCluster starts three nodes on machines whose links can be cut.
func cutCluster(t *testing.T) (*clusterTest, *network) {
	net := connect(t)
	return startClusterAt(t, net.hosts, net.database), net
}

// TestHostCutOff cuts off the active node's machine from the database and the other nodes,
// while people and programs can still reach it.
func TestHostCutOff(t *testing.T) {
	t.Parallel()
	cutActiveNode(t, func(n *network) { n.cut(0) }, func(n *network) { n.mend(0) })
}

// TestSendingCut drops all packets from the active node's machine to the database and the
// other nodes, but not those in the other direction.
func TestSendingCut(t *testing.T) {
	t.Parallel()
	cutActiveNode(t, func(n *network) { n.cutSending(0) }, func(n *network) { n.mendSending(0) })
}

// TestReceivingCut drops all packets to the active node's machine.
func TestReceivingCut(t *testing.T) {
	t.Parallel()
	cutActiveNode(t, func(n *network) { n.cutReceiving(0) }, func(n *network) { n.mendReceiving(0) })
}

// cutActiveNode cuts off the active node for 15 seconds. The other nodes continue without
// it. Its users wait, and then continue on the same connections.
func cutActiveNode(t *testing.T, cut, mend func(*network)) {
	if !isolated(t) {
		return
	}
	s, net := cutCluster(t)
	away := s.play("away", *pairs/2, 700*time.Millisecond, [2]int{1, 2})
	there := s.play("there", 5, 700*time.Millisecond, [2]int{0, 0})
	half := s.play("half", 5, 700*time.Millisecond, [2]int{0, 1})
	s.runPrograms(2, 20*time.Millisecond)
	cut(net)
	began := time.Now()
	s.nextShots("without the active node", away, began.Add(settle))
	s.programsPlay("without the active node")
	time.Sleep(time.Until(began.Add(15 * time.Second)))
	for _, p := range everyone(there) {
		if n := p.shotsBetween(began.Add(3*time.Second), time.Now()); n > 0 {
			t.Errorf("%s has fired %d times at the node that is cut off", p.name, n)
		}
	}
	mended := time.Now()
	mend(net)
	s.nextShots("at the node that was cut off", append(there, half...), mended)
	s.stayed(s.people)
	s.programsPlay("at all nodes again")
	s.end()
}

// TestLinkBetweenNodesCut drops all traffic between two nodes, one of them active. Both
// nodes reach the database, so the gateway waits and the active node does not change.
func TestLinkBetweenNodesCut(t *testing.T) {
	t.Parallel()
	if !isolated(t) {
		return
	}
	s, net := cutCluster(t)
	away := s.play("away", *pairs/4, 700*time.Millisecond, [2]int{0, 2})
	there := s.play("there", *pairs/4, 700*time.Millisecond, [2]int{1, 1})
	s.runPrograms(2, 20*time.Millisecond)
	net.cutBetween(0, 1)
	began := time.Now()
	s.nextShots("at the other nodes", away, began.Add(settle))
	time.Sleep(10 * time.Second)
	if s.Active(s.ctx) != s.Nodes[0] {
		t.Error("a broken link between a gateway and the active node has changed the active node")
	}
	mended := time.Now()
	net.mendBetween(0, 1)
	s.nextShots("at the gateway that was cut off", there, mended)
	s.stayed(s.people)
	s.end()
}

// TestRandomCuts cuts random links in one or both directions, each for some seconds, and
// restores them all at the end.
func TestRandomCuts(t *testing.T) {
	t.Parallel()
	if !isolated(t) {
		return
	}
	s, net := cutCluster(t)
	all := s.play("across", *pairs/2, 700*time.Millisecond, [2]int{0, 1})
	all = append(all, s.play("there", 5, 700*time.Millisecond, [2]int{2, 2})...)
	s.runPrograms(2, 20*time.Millisecond)
	rng := rand.New(rand.NewPCG(15, 1))
	for end := time.Now().Add(*cutTime); time.Now().Before(end); {
		i, j := rng.IntN(3), rng.IntN(2)
		cut, mend := net.cut, net.mend
		switch rng.IntN(4) {
		case 0:
			cut, mend = net.cutSending, net.mendSending
		case 1:
			cut, mend = net.cutReceiving, net.mendReceiving
		case 2:
			other := (i + 1 + j) % 3
			cut, mend = func(i int) { net.cutBetween(i, other) }, func(i int) { net.mendBetween(i, other) }
		}
		cut(i)
		time.Sleep(time.Second + time.Duration(rng.Int64N(int64(4*time.Second))))
		mend(i)
	}
	mended := time.Now()
	s.nextShots("once all links are mended", all, mended)
	s.stayed(s.people)
	s.programsPlay("once all links are mended")
	s.end()
}
