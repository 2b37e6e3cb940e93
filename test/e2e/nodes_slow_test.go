//go:build slow && linux

package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	neturl "net/url"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"broadside/bots"
	"broadside/internal/test/pgtest"
	"broadside/internal/test/servers"
	"broadside/internal/test/sshtest"
	"broadside/match"
	"broadside/relay/client"
)

// nodesFault is what happens to the active node of three.
type nodesFault struct {
	name   string
	happen func(*outage) error
	// mend may be nil.
	mend func(*outage) error
	// limit is the time until another node must serve players, on a busy computer. 0 means that any node may.
	limit time.Duration
}

var nodesFaults = []nodesFault{
	{name: "killed", limit: 5 * time.Second, happen: func(o *outage) error { o.node.Kill(); return nil }},
	{
		name: "cut off", limit: 10 * time.Second,
		happen: func(o *outage) error { o.net.cut(o.host); return nil },
		mend:   func(o *outage) error { o.net.mend(o.host); return nil },
	},
	{
		name: "cannot send", limit: 10 * time.Second,
		happen: func(o *outage) error { o.net.cutSending(o.host); return nil },
		mend:   func(o *outage) error { o.net.mendSending(o.host); return nil },
	},
	{
		name: "cannot receive", limit: 10 * time.Second,
		happen: func(o *outage) error { o.net.cutReceiving(o.host); return nil },
		mend:   func(o *outage) error { o.net.mendReceiving(o.host); return nil },
	},
	{
		name: "stopped", limit: 10 * time.Second,
		happen: func(o *outage) error { return o.node.Signal(syscall.SIGSTOP) },
		mend:   func(o *outage) error { return o.node.Signal(syscall.SIGCONT) },
	},
	{name: "database restarted", happen: func(o *outage) error {
		if err := o.database.Kill(); err != nil {
			return err
		}
		stranger := sshtest.Dial(o.t, o.others[0].SSH, sshtest.Options{User: "cid", Signer: sshtest.NewSigner(o.t)})
		stranger.WaitText("try again")
		o.began = time.Now()
		return o.database.RestartAfterKill()
	}},
	{name: "rolling restart", limit: 10 * time.Second, happen: func(o *outage) error {
		for _, n := range o.others {
			if err := errors.Join(n.Stop(), o.nodes.Start(o.t.Context())); err != nil {
				return err
			}
		}
		o.began = time.Now()
		return o.node.Stop()
	}},
}

// TestFaultsOfNodes checks that a match of two players survives each fault of the active node, while programs play and
// a web page shows the match.
func TestFaultsOfNodes(t *testing.T) {
	t.Parallel()
	if !runIsolated(t) {
		return
	}
	network := connectHosts(t)
	database := pgtest.Open(t, network.database)
	url, err := database.CreateDatabase(t.Context(), t.Name())
	if err != nil {
		t.Fatal(err)
	}
	// The database is reached by TCP, because a socket file would bypass the network.
	url = strings.Replace(url, "host="+neturl.QueryEscape(database.Folder()), "host="+network.database, 1)
	nodes := startServiceAt(t, url, nodesConfig{Count: len(network.hosts), Hosts: network.hosts})
	for i, f := range nodesFaults {
		t.Run(f.name, func(t *testing.T) {
			o := &outage{t: t, net: network, database: database, nodes: nodes, node: activeNode(t, nodes), round: i}
			o.host = slices.Index(nodes.Nodes, o.node)
			for _, n := range nodes.Nodes {
				if n != o.node {
					o.others = append(o.others, n)
				}
			}
			o.runFault(f)
		})
	}
}

// TestMatchOutlastsActiveNode checks that a match of a player and a program continues when the active node is lost.
// Both connect through the standby, as does the web page's reader.
func TestMatchOutlastsActiveNode(t *testing.T) {
	t.Parallel()
	nodes := startService(t, nodesConfig{Count: 2})
	o := &outage{t: t, nodes: nodes, node: activeNode(t, nodes)}
	standby := nodes.Nodes[0]
	if standby == o.node {
		standby = nodes.Nodes[1]
	}
	o.others = []*servers.Server{standby, standby}
	c := newConnector(t)
	program := exec.CommandContext(t.Context(), c.binary, append([]string{"connect", standby.Relay, "--games", "1", "--"}, c.player...)...)
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}

	ann, key := enterWithKey(t, newTestServer(standby), "ann")
	ann.WaitText("1 waiting")
	ann.Press("p")
	place(ann)
	aim(ann, "B7")
	aim(ann, "C3")
	id := o.matchOf("ann")
	o.awaitEvent(standby, id, `"shots":[2,2]`)
	carol, dave := newSSHClient(t, newTestServer(standby), "carol"), newSSHClient(t, newTestServer(standby), "dave")
	startCorrespondence(carol, dave)

	o.node.Kill()
	waitUntil(t, "for the standby", func() bool { return isReady(t.Context(), standby) })
	ann = o.reconnect("ann", key, standby)
	ann.WaitText("Welcome back", "C3", "B7")
	mustRun(dave, "fire next B7")
	mustRun(carol, "fire next C3")
	aim(ann, "E5")
	// The program has answered and fired in the meantime.
	aim(ann, "G7")
	o.awaitEvent(standby, id, `"shots":[4,4]`)
	ann.Press("q", "y")
	ended := make(chan error, 1)
	go func() { ended <- program.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the program's connection: %v", err)
		}
	case <-time.After(patience):
		t.Error("the program does not end")
		program.Process.Kill()
		<-ended
	}
	a := newSSHClient(t, newTestServer(standby), "guest")
	waitUntil(t, "for the record", func() bool { status, _, _ := a.run("record " + id); return status == 0 })
}

// startCorrespondence lets dave accept carol's offer of a correspondence match, and both place their fleets.
func startCorrespondence(carol, dave sshClient) {
	mustRun(carol, "register carol")
	mustRun(dave, "register dave")
	mustRun(carol, "offer 1d dave")
	var offers []struct{ ID string }
	if err := json.Unmarshal([]byte(mustRun(dave, "offers --json")), &offers); err != nil || len(offers) != 1 {
		dave.t.Fatalf("got %d offers, %v, want 1", len(offers), err)
	}
	mustRun(dave, "accept "+offers[0].ID)
	mustRun(carol, "place next random")
	mustRun(dave, "place next random")
}

// mustRun runs a command that must succeed, and returns its output.
func mustRun(c sshClient, line string) string {
	c.t.Helper()
	status, out, errs := c.run(line)
	if status != 0 {
		c.t.Fatalf("%s: status %d, %s", line, status, errs)
	}
	return out
}

// outage is a fault that happens.
type outage struct {
	t        *testing.T
	net      *network
	database *pgtest.Server
	nodes    *service
	// node is the node that was active before, and host its number.
	node   *servers.Server
	host   int
	others []*servers.Server
	round  int
	began  time.Time
}

// runFault plays a match through a fault.
func (o *outage) runFault(f nodesFault) {
	t := o.t
	names := [2]string{"ann" + programLetters(o.round), "bob" + programLetters(o.round)}
	people := [2]*sshtest.Terminal{}
	keys := [2]gossh.Signer{}
	// One player connects to the active node, the other through a standby.
	for i, n := range []*servers.Server{o.node, o.others[0]} {
		people[i], keys[i] = enterWithKey(t, newTestServer(n), names[i])
	}
	fireFirst(people[0], people[1])
	aim(people[0], "J10")
	id := o.matchOf(names[0])
	o.awaitEvent(o.others[1], id, `"shots":[1,1]`)
	programs := o.startPrograms()
	waitUntil(t, "for a match of programs", func() bool { return programs.finished.Load() > 0 })

	o.began = time.Now()
	if err := f.happen(o); err != nil {
		t.Fatal(err)
	}
	serving := o.others
	if f.limit == 0 {
		serving = o.nodes.Nodes
	}
	waitUntil(t, "for another node", func() bool {
		if time.Since(o.began) > 6*f.limit+time.Minute {
			t.Fatal("no other node serves players")
		}
		return slices.ContainsFunc(serving, func(n *servers.Server) bool { return isReady(t.Context(), n) })
	})
	took := time.Since(o.began)
	t.Logf("%s: a node served players after %.2f s", f.name, took.Seconds())
	if f.limit > 0 && took > f.limit {
		t.Errorf("another node served players after %v", took)
	}

	played := programs.finished.Load()
	for i := range people {
		// The node may still be active, and the session open.
		if f.limit == 0 {
			people[i].Hangup()
		}
		people[i] = o.reconnect(names[i], keys[i], serving[i])
		people[i].WaitText("Welcome back", "J10", "B7")
	}
	waitUntil(t, "for programs to play again", func() bool { return programs.finished.Load() > played+1 })
	programs.stop()
	o.awaitEvent(serving[1], id, `"shots":[1,1]`)
	aim(people[1], "C3")
	people[0].WaitText(names[1] + " fired at C3")
	o.awaitEvent(serving[0], id, `"shots":[1,2]`, `"shots":[2,1]`)
	if f.mend != nil {
		if err := f.mend(o); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.nodes.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	aim(people[0], "C3")
	people[1].Press("q", "y")
	people[0].WaitText(names[1] + " ")
	o.awaitRecord(names, id)
	for _, p := range people {
		p.Hangup()
	}
}

// reconnect connects a player until the session is there.
func (o *outage) reconnect(name string, key gossh.Signer, n *servers.Server) *sshtest.Terminal {
	o.t.Helper()
	var c *gossh.Client
	waitUntil(o.t, "for a connection", func() (ok bool) {
		var err error
		c, err = sshtest.Connect(n.SSH, sshtest.Options{User: name, Signer: key, Timeout: 5 * time.Second})
		return err == nil
	})
	o.t.Cleanup(func() { c.Close() })
	return sshtest.Open(o.t, c, sshtest.Options{Width: 100, Height: 30})
}

// matchOf returns the ID of a player's running match.
func (o *outage) matchOf(name string) (id string) {
	o.t.Helper()
	waitUntil(o.t, "for the match on the website", func() bool {
		var all []struct {
			ID      string
			Players [2]struct{ Name string }
		}
		if readJSON(o.others[1], "/matches", &all) != nil {
			return false
		}
		for _, m := range all {
			if m.Players[0].Name == name || m.Players[1].Name == name {
				id = m.ID
			}
		}
		return id != ""
	})
	return id
}

// readJSON reads an answer of a node's website.
func readJSON(n *servers.Server, path string, into any) error {
	r, err := http.Get("http://" + n.Web + "/api/v1" + path)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	return json.NewDecoder(r.Body).Decode(into)
}

// awaitEvent follows a match on the website, connecting again whenever the connection ends, until an
// event contains one of the texts.
func (o *outage) awaitEvent(n *servers.Server, id string, texts ...string) {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), patience)
	defer cancel()
	for ctx.Err() == nil {
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+n.Web+"/api/v1/matches/"+id+"/events", nil)
		if err != nil {
			o.t.Fatal(err)
		}
		r, err := http.DefaultClient.Do(q)
		if err != nil {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		for lines := bufio.NewScanner(r.Body); lines.Scan(); {
			if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(lines.Text(), text) }) {
				r.Body.Close()
				return
			}
		}
		r.Body.Close()
		time.Sleep(100 * time.Millisecond) // requests are limited
	}
	o.t.Fatalf("the website does not show %q", texts)
}

// awaitRecord waits until the match is stored, and checks that it is the only one of these people.
func (o *outage) awaitRecord(names [2]string, id string) {
	o.t.Helper()
	a := newSSHClient(o.t, newTestServer(o.others[0]), "guest")
	waitUntil(o.t, "for the record", func() bool { status, _, _ := a.run("record " + id); return status == 0 })
	for _, name := range names {
		var games []struct{ ID string }
		if err := readJSON(o.others[0], "/games?player="+name, &games); err != nil {
			o.t.Error(err)
		}
		if len(games) != 1 || games[0].ID != id {
			o.t.Errorf("the matches of %s are %v, want one: %s", name, games, id)
		}
	}
}

// circle is two programs that play each other repeatedly.
type circle struct {
	stop     func()
	finished atomic.Int64 // matches that both have ended
}

// startPrograms starts two programs, each at another node, that connect again whenever they lose the connection.
func (o *outage) startPrograms() *circle {
	ctx, cancel := context.WithCancel(o.t.Context())
	var work sync.WaitGroup
	c := &circle{stop: func() { cancel(); work.Wait() }}
	o.t.Cleanup(c.stop)
	for i, n := range []*servers.Server{o.others[0], o.others[1]} {
		work.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			for ctx.Err() == nil {
				series := client.Directives{Name: fmt.Sprint("crab", programLetters(i)), Games: 1}
				client.PlaySeries(ctx, n.Relay, match.Classic(), series, func() (client.Player, error) {
					p, err := bots.New("medium", bots.Config{Rules: match.Classic(), Rand: rng})
					return unhurried{p}, err
				}, func(client.Outcome) { c.finished.Add(1) })
				select {
				case <-time.After(100 * time.Millisecond):
				case <-ctx.Done():
				}
			}
		})
	}
	return c
}
