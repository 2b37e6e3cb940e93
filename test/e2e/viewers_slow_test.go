//go:build slow

package e2e

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"broadside/internal/test/servers"
	"broadside/internal/test/users"
	"broadside/internal/test/viewers"
)

var viewerRounds = flag.Int("viewer-rounds", 1, "how many matches TestViewersAndPlayer plays; more give better figures")

// Sizes of TestViewersAndPlayer.
const (
	viewerCount = 1000
	roundShots  = 20                     // in each half of a match
	roundKeys   = 3                      // cursor keys after each shot, while viewers get it
	keyPause    = 5 * time.Millisecond   // between two keys
	shotPause   = 120 * time.Millisecond // between two shots; the server accepts 50 keys per second
)

// TestViewersAndPlayer plays matches against a bot over SSH, half of each without viewers
// and half with a thousand on the website, in alternating order. It measures how long the
// player waits after a key, how soon a shot reaches the viewers, and how much CPU time and
// memory the server uses. Server, viewers and player are three processes.
func TestViewersAndPlayer(t *testing.T) {
	m := &viewedMatch{t: t, web: freeAddress(t)}
	server, err := servers.Start(t.Context(), build(t), t.TempDir(), testLog{t}, nil, "--bot-pace", "0s", "--web", m.web,
		"--web-max-connections", "50000", "--web-max-connections-per-address", "50000", "--web-max-streams", "50000", "--web-max-streams-per-address", "50000",
		"--web-request-burst", "50000", "--web-request-rate", "50000")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Kill)
	var busy, took time.Duration
	var memory int64
	for round := range *viewerRounds {
		m.open(server.SSH)
		for half := range 2 {
			if (round+half)%2 == 0 {
				m.half(&m.alone, nil)
				continue
			}
			before := servers.Measure(server.PID())
			audience, err := viewers.Open(viewerCount, m.web, "/api/v1/matches/"+m.id+"/events")
			if err != nil {
				t.Fatal(err)
			}
			with, begin := servers.Measure(server.PID()), time.Now()
			memory = max(memory, with.Memory-before.Memory)
			m.half(&m.watched, audience)
			took += time.Since(begin)
			busy += servers.Measure(server.PID()).Time - with.Time
			if err := audience.Close(); err != nil {
				t.Error(err)
			}
		}
		m.player.Close()
	}
	for _, c := range []struct {
		name string
		*waits
	}{{"without viewers", &m.alone}, {fmt.Sprintf("with %d viewers", viewerCount), &m.watched}} {
		t.Logf("%s: %d cursor keys are painted after %s, %d shots after %s", c.name, len(c.moves), quantiles(c.moves), len(c.shots), quantiles(c.shots))
	}
	t.Logf("a shot and the bot's next shot reach the viewers after %s", quantiles(m.seen))
	t.Logf("with viewers, the server uses %.2f cores for %.0f shots a second, and at most %d bytes for each viewer", busy.Seconds()/took.Seconds(),
		float64(2*len(m.watched.shots))/took.Seconds(), memory/viewerCount)
}

// waits are the times from a player's keys to the screen.
type waits struct{ moves, shots []time.Duration }

// viewedMatch is the running match of [TestViewersAndPlayer].
type viewedMatch struct {
	t      *testing.T
	web    string // address of the website
	id     string
	player *users.Session
	cell   int // of the next shot

	alone, watched waits
	seen           []time.Duration // when shots reached the viewers
}

// open starts a match.
func (m *viewedMatch) open(address string) {
	m.t.Helper()
	player, err := users.Dial(m.t.Context(), users.Options{Address: address, Command: "play --vs easy --rules hasbro", Looks: true})
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(player.Close)
	m.player, m.cell = player, 0
	m.sees("Place your fleet")
	m.press("x")
	m.press("\r")
	m.sees("YOUR TURN")
	m.id = awaitMatch(m.t, "http://"+m.web)
}

// sees waits until the player sees all texts at once.
func (m *viewedMatch) sees(texts ...string) {
	m.t.Helper()
	all := func() bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !m.player.Sees(text) })
	}
	if !m.player.Wait(m.t.Context(), all) {
		m.t.Fatalf("%q do not appear:\n%s", texts, m.player.Text())
	}
}

func (m *viewedMatch) press(keys string) time.Duration {
	m.t.Helper()
	took, _, err := m.player.Press(m.t.Context(), keys)
	if err != nil {
		m.t.Fatalf("%q: %v:\n%s", keys, err, m.player.Text())
	}
	return took
}

// half plays half of a match. The first shot is not measured: its work includes that for viewers
// who have left.
func (m *viewedMatch) half(times *waits, audience *viewers.Process) {
	m.t.Helper()
	for n := range 1 + roundShots {
		row, column := m.cell/10, m.cell%10
		m.cell += 2
		cell := fmt.Sprintf("%c%d", 'A'+row, column+1)
		m.press(strings.ToLower(cell))
		time.Sleep(20 * time.Millisecond) // both keys are painted
		since := time.Now()
		shot := m.press("\r")
		m.sees("You fired at "+cell+":", "YOUR TURN") // the bot has fired, and the viewers are being served
		// Moves there and back could cancel out before either is painted.
		key := "\x1b[C"
		if column > 4 {
			key = "\x1b[D"
		}
		var moves []time.Duration
		for range roundKeys {
			moves = append(moves, m.press(key))
			time.Sleep(keyPause)
		}
		if n > 0 {
			times.moves, times.shots = append(times.moves, moves...), append(times.shots, shot)
		}
		for range 2 { // the player's shot and the bot's
			if audience == nil {
				break
			}
			arrived, err := audience.Arrivals(since)
			if err != nil {
				m.t.Fatal(err)
			}
			m.seen = append(m.seen, arrived...)
		}
		time.Sleep(shotPause)
	}
}

func quantiles(all []time.Duration) string {
	slices.Sort(all)
	at := func(percent int) time.Duration { return all[(len(all)-1)*percent/100].Round(10 * time.Microsecond) }
	return fmt.Sprintf("%v (p50), %v (p90), %v (p99)", at(50), at(90), at(99))
}
