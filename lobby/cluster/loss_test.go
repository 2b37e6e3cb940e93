//go:build unix

package cluster

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// process is a node that obeys.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.Writer
	lines *bufio.Scanner
}

// start starts a node as a process, and waits until it has joined.
func start(t *testing.T, address string, peers []string) (p *process, id string) {
	t.Helper()
	p = launch(t, address, peers, t.TempDir())
	return p, p.answer("joined ")
}

// launch starts a node as a process, which has its files in a folder.
func launch(t *testing.T, address string, peers []string, folder string) *process {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	p := &process{t: t, cmd: exec.CommandContext(t.Context(), exe)}
	p.cmd.Env = append(os.Environ(), "NODE_FOLDER="+folder, "NODE_ADDRESS="+address, "NODE_PEERS="+strings.Join(peers, ","))
	p.cmd.Stderr = os.Stderr
	p.in, err = p.cmd.StdinPipe()
	must(t, err)
	out, err := p.cmd.StdoutPipe()
	must(t, err)
	p.lines = bufio.NewScanner(out)
	must(t, p.cmd.Start())
	t.Cleanup(p.kill)
	return p
}

// answer returns the rest of the next line of output, which must begin with
// something.
func (p *process) answer(begin string) string {
	p.t.Helper()
	if !p.lines.Scan() {
		p.t.Fatalf("a process said nothing more, not %s: %v", begin, p.lines.Err())
	}
	rest, found := strings.CutPrefix(p.lines.Text(), begin)
	if !found {
		p.t.Fatalf("a process said %q, not %s", p.lines.Text(), begin)
	}
	return rest
}

// kill ends the process as kill -9 does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// patiently does something again while the node is cut off, which on a busy
// machine it may find itself for a moment.
func patiently(t *testing.T, do func() error) {
	t.Helper()
	var err error
	within(t, "the node is with the others", func() bool {
		err = do()
		return !errors.Is(err, ErrCut)
	})
	must(t, err)
}

// TestLoss stops, resumes, kills and starts again one of three nodes with
// servers, the one that leads.
func TestLoss(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	peers, err := addresses(3)
	must(t, err)
	nodes := make([]Node, 2)
	var all sync.WaitGroup
	for i := range nodes {
		all.Go(func() {
			nodes[i] = join(t, Config{Name: fmt.Sprint("n", i), Listen: peers[i], Peers: peers})
		})
	}
	p, id := start(t, peers[2], peers)
	all.Wait()
	a, b := nodes[0].(*natsNode), nodes[1].(*natsNode)
	var told watched
	must(t, b.Watch(ctx, Offers, told.tell))
	lives := func(id string) func() bool {
		return func() bool {
			return slices.ContainsFunc(a.Peers(), func(p Peer) bool { return p.ID == id })
		}
	}
	within(t, "the process is known", lives(id))

	// works says how long it takes until an entry can be made, and is told.
	works := func(what string) {
		t.Helper()
		began := time.Now()
		key, tries := "", 0
		patiently(t, func() error { // a try that failed may have made the entry
			tries++
			key = fmt.Sprint(what, tries)
			_, err := a.Create(ctx, Offers, key, nil)
			return err
		})
		wrote := time.Since(began)
		patiently(t, func() error { _, err := a.Append(ctx, what, 0, nil); return err })
		within(t, "it is told", func() bool { _, ok := told.now()[key]; return ok })
		t.Logf("%s: written after %v, told after %v", what, wrote, time.Since(began))
	}
	// lead makes the process the leader of everything.
	lead := func() {
		t.Helper()
		for _, stream := range []string{a.bucketStream(), a.logStream()} {
			within(t, "the process leads", func() bool {
				for _, n := range []*natsNode{a, b} {
					if n.server.JetStreamIsStreamLeader(server.DEFAULT_GLOBAL_ACCOUNT, stream) {
						_ = n.server.JetStreamStepdownStream(server.DEFAULT_GLOBAL_ACCOUNT, stream)
						time.Sleep(200 * time.Millisecond)
						return false
					}
				}
				return true
			})
		}
	}
	works("all-there")
	first, err := a.Append(ctx, "match", 0, []byte("one"))
	must(t, err)

	lead()
	must(t, p.cmd.Process.Signal(syscall.SIGSTOP))
	works("one-stopped")
	within(t, "the stopped one is gone", func() bool { return !lives(id)() })
	patiently(t, func() error { _, err := b.Append(ctx, "match", first, []byte("two")); return err })
	_, err = fmt.Fprintf(p.in, "append match %d three\n", first)
	must(t, err)
	must(t, p.cmd.Process.Signal(syscall.SIGCONT))
	if said := p.answer("error "); !strings.HasSuffix(said, ErrConflict.Error()) {
		t.Errorf("who was stopped could write, or said %q", said)
	}
	within(t, "the stopped one is back", lives(id))

	lead()
	p.kill()
	works("one-killed")

	_, again := start(t, peers[2], peers)
	if again == id {
		t.Error("a process that was started again has the same ID")
	}
	within(t, "it is back", lives(again))
	within(t, "the killed one is gone", func() bool { return !lives(id)() })
	b.Close()
	patiently(t, func() error { _, err := a.Append(ctx, "another-gone", 0, nil); return err })
	var records []Record
	patiently(t, func() error { records, err = a.Read(ctx, "match"); return err })
	if len(records) != 2 {
		t.Fatalf("the log has %v", records)
	}
	if got := fmt.Sprint(records); got != fmt.Sprint([]Record{{first, []byte("one")}, {records[1].Seq, []byte("two")}}) {
		t.Errorf("the log has %s", got)
	}
}

// TestMajorityGone kills two of three nodes and brings one back, and then kills
// all and brings all back: what they knew is there.
func TestMajorityGone(t *testing.T) {
	t.Parallel()
	peers, err := addresses(3)
	must(t, err)
	folders := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	var nodes [3]*process
	begin := func(some ...int) {
		t.Helper()
		for _, i := range some {
			nodes[i] = launch(t, peers[i], peers, folders[i])
		}
		for _, i := range some {
			nodes[i].answer("joined ")
		}
	}
	appends := func(i int, after, what string) (seq string) {
		t.Helper()
		_, err := fmt.Fprintf(nodes[i].in, "append match %s %s\n", after, what)
		must(t, err)
		return nodes[i].answer("appended ")
	}
	begin(0, 1, 2)
	last := appends(0, "0", "one")
	nodes[1].kill()
	nodes[2].kill()
	begin(1)
	last = appends(0, last, "two")
	nodes[0].kill()
	nodes[1].kill()
	begin(0, 1, 2)
	appends(2, last, "three")
}
