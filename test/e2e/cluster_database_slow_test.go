//go:build slow && linux

package e2e

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"broadside/internal/store"
	"broadside/internal/test/pgtest"
	"broadside/internal/test/sshtest"
)

// outage is how long PostgreSQL is down.
const outage = 10 * time.Second

// TestDatabaseOutage kills PostgreSQL while matches run. Players wait, can reconnect with
// the same key, and continue. No player gets a new identity.
func TestDatabaseOutage(t *testing.T) {
	t.Parallel()
	s := startCluster(t)
	all := s.play("across", *pairs*3/4, 700*time.Millisecond, [2]int{0, 1})
	all = append(all, s.play("there", 5, 700*time.Millisecond, [2]int{2, 2})...)
	s.runPrograms(4, 20*time.Millisecond)
	playing := s.people
	idle := s.invite("idle", 0, 1)[0]
	active := s.Active(s.ctx)
	if err := s.database.Kill(); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	readiness := s.watchReady()
	returns := []*linePlayer{all[0][1], all[1][0], all[len(all)-1][0]} // at other nodes than before
	for _, p := range returns {
		p.hangUp()
		p.mu.Lock()
		p.paused = false // set by the next notice
		p.mu.Unlock()
	}
	s.refused("a stranger", "stranger", sshtest.NewSigner(t))
	time.Sleep(time.Until(killed.Add(outage / 2)))
	s.refused("a player without a match", idle.name, idle.signer)
	time.Sleep(time.Until(killed.Add(outage)))
	away := time.Now()
	for _, p := range playing {
		if n := p.shotsBetween(killed.Add(outage/4), away); n > 0 {
			t.Errorf("%s received %d shots that could not be stored", p.name, n)
		}
		s.holds(p.name+" is notified that the match is paused", p.wasPaused)
	}
	for _, p := range returns {
		s.holds(p.name+" reconnects while the database is down", func() bool { return p.connectedSince(killed) })
	}
	if err := s.database.Recover(); err != nil {
		t.Fatal(err)
	}
	back := time.Now()
	t.Logf("PostgreSQL was away for %v, of which it took %v to start", back.Sub(killed).Round(time.Millisecond), back.Sub(away).Round(time.Millisecond))
	s.nextShots("once the database is back", all, back)
	s.programsPlay("once the database is back")
	readiness()
	if now := s.Active(s.ctx); now != active {
		t.Error("the active role has moved")
	}
	for _, p := range s.people {
		if n := p.lostCount(); n > 0 && !slices.Contains(returns, p) {
			t.Errorf("%s at %s has lost connection %d times", p.name, s.Nodes[p.node].Name, n)
		}
	}
	s.keptPrograms(killed, time.Now(), 0, 1, 2)
	s.end()
	s.noGuests()
}

// refused checks that a client that connects while the database is down sees the reason.
func (s *clusterTest) refused(who, name string, key ssh.Signer) {
	s.t.Helper()
	began := time.Now()
	screen := sshtest.Dial(s.t, s.Nodes[1].SSH, sshtest.Options{User: name, Signer: key})
	screen.Wait()
	if text := screen.Screen(); !strings.Contains(text, "the server cannot look up accounts right now") {
		s.t.Errorf("%s reads\n%s", who, text)
	}
	s.t.Logf("%s was told what is wrong after %v", who, time.Since(began).Round(time.Millisecond))
}

// watchReady polls the readiness of all nodes until the returned function is called, which
// reports each answer other than "ready".
func (s *clusterTest) watchReady() (stop func()) {
	quit := make(chan struct{})
	var polls sync.WaitGroup
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
	for _, n := range s.Nodes {
		polls.Go(func() {
			for {
				r, err := client.Get("http://" + n.Metrics + "/readyz")
				if err != nil {
					s.t.Errorf("%s cannot be asked whether it is ready: %v", n.Name, err)
					return
				}
				r.Body.Close()
				if r.StatusCode != http.StatusOK {
					s.t.Errorf("/readyz of %s answers %s", n.Name, r.Status)
					return
				}
				select {
				case <-time.After(500 * time.Millisecond):
				case <-quit:
					return
				}
			}
		})
	}
	return sync.OnceFunc(func() { close(quit); polls.Wait() })
}

// noGuests checks that all people kept their identities, and that no new accounts were
// created.
func (s *clusterTest) noGuests() {
	s.t.Helper()
	accounts := map[string]string{}
	for _, p := range s.people {
		accounts[p.name] = p.account
		if own, err := s.store.Accounts.ByID(s.ctx, p.account); err != nil || own.Name != p.name {
			s.t.Errorf("the account of %s is now %+v, %v", p.name, own, err)
		}
	}
	for _, m := range s.matchesOf("") {
		for _, seat := range m.Seats {
			if strings.HasPrefix(seat.Name, "m") && strings.Count(seat.Name, "-") == 2 { // a program
				continue
			}
			if account, ok := accounts[seat.Name]; !ok || seat.Player != account {
				s.t.Errorf("%q has played match %s with the account %q", seat.Name, m.ID, seat.Player)
			}
		}
	}
}

// startReplicated starts three nodes on a PostgreSQL server with a synchronous replica,
// which is second in the connection string. People connect to the second and the third node
// only.
func startReplicated(t *testing.T) (s *clusterTest, replica *pgtest.Server, all []pair) {
	t.Helper()
	s = newCluster(t, "")
	url := databaseOf(t, s.database)
	replica, err := s.database.Replica(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stopDatabase(t, replica) })
	if s.store, err = store.Open(t.Context(), store.Config{URL: url}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.store.Close() })
	s.start(withHosts(t, url, s.database.Folder(), replica.Folder()), nil)
	all = s.play("across", *pairs*3/4, 700*time.Millisecond, [2]int{1, 2})
	all = append(all, s.play("there", 5, 700*time.Millisecond, [2]int{1, 1})...)
	s.runPrograms(2, 20*time.Millisecond)
	return s, replica, all
}

// doctor returns the doctor's output about some database servers.
func (s *clusterTest) doctor(hosts ...string) string {
	s.t.Helper()
	text, _ := try(s.ctx, "doctor", "--data", s.t.TempDir(), "--store", withHosts(s.t, databaseOf(s.t, s.database), hosts...),
		"--cluster", freeAddress(s.t), "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0") // it also reports that the folder is new
	return text
}

// promote promotes a replica and makes the test use it.
func (s *clusterTest) promote(replica *pgtest.Server) (done time.Time) {
	t := s.t
	t.Helper()
	if err := replica.Promote(); err != nil {
		t.Fatal(err)
	}
	done = time.Now()
	url, err := replica.URL(t.Context(), t.Name())
	if err != nil {
		t.Fatal(err)
	}
	s.store.Close()
	if s.store, err = store.Open(t.Context(), store.Config{URL: url}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.store.Close() })
	return done
}

// TestFailover promotes a synchronous replica after PostgreSQL was killed.
func TestFailover(t *testing.T) {
	t.Parallel()
	s, replica, all := startReplicated(t)
	former := s.database
	if text := s.doctor(replica.Folder(), former.Folder()); !strings.Contains(text, "direct connection to PostgreSQL") {
		t.Errorf("with the standby first in the connection string, the doctor says\n%s", text)
	}
	if text := s.doctor(replica.Folder()); !strings.Contains(text, "read only connection") {
		t.Errorf("with the standby alone, the doctor says\n%s", text)
	}
	killed := time.Now()
	if err := former.Kill(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second)
	promoted := s.promote(replica)
	t.Logf("there was no database for %v", promoted.Sub(killed).Round(time.Millisecond))
	s.nextShots("with the replica", all, promoted)
	s.programsPlay("with the replica")
	s.stayed(s.people)
	if text := s.doctor(former.Folder(), replica.Folder()); !strings.Contains(text, "direct connection to PostgreSQL") {
		t.Errorf("after the failover, the doctor says\n%s", text)
	}
	s.Nodes[0].Kill()
	s.nextShots("without the first node", all, time.Now().Add(settle))
	if err := s.Nodes[0].Restart(s.ctx, 3); err != nil {
		t.Fatal(err)
	}
	s.allPlay("with all nodes again", everyone(all), time.Now())
	s.stayed(s.people)
	s.end()
	s.noGuests()
}

// TestReplicaIsBehind kills the synchronous replica, and promotes it after the primary
// server was killed, too. The primary has stored changes that the replica never received
// and no client saw.
func TestReplicaIsBehind(t *testing.T) {
	t.Parallel()
	s, replica, all := startReplicated(t)
	if err := replica.Kill(); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	time.Sleep(outage)
	for _, p := range s.people {
		s.holds(p.name+" is notified that the match is paused", p.wasPaused)
	}
	away := time.Now()
	if err := s.database.Kill(); err != nil {
		t.Fatal(err)
	}
	for _, p := range s.people {
		if n := p.shotsBetween(killed.Add(outage/4), away); n > 0 {
			t.Errorf("%s was told of %d shots that the replica did not have", p.name, n)
		}
	}
	if err := replica.Recover(); err != nil {
		t.Fatal(err)
	}
	promoted := s.promote(replica)
	s.nextShots("with the replica", all, promoted)
	s.programsPlay("with the replica")
	s.stayed(s.people)
	s.end()
	s.noGuests()
}
