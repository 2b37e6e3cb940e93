//go:build slow && linux

package e2e

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/servers"
	"broadside/internal/test/sshtest"
)

// attacker is the floods' address.
const attacker = "127.0.0.2"

// startFlooded starts the real program with its default limits, except for the burst of
// connections per address. It returns the file with its log.
func startFlooded(t *testing.T, burst string) (*servers.Server, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "log")
	log, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	s, err := servers.Start(t.Context(), programPath(t), t.TempDir(), log, nil,
		"--max-connections", "4096", "--max-connections-per-address", "512", "--max-sessions", "4096", "--max-sessions-per-address", "512",
		"--connection-rate", "300", "--connection-burst", burst, "--log-level", "info", "--log-format", "logfmt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s, file
}

// connectAttacker logs in from the attackers' address.
func connectAttacker(ctx context.Context, address string) (*gossh.Client, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(attacker)}}
	nc, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { nc.Close() })
	c, chans, reqs, err := gossh.NewClientConn(nc, address, &gossh.ClientConfig{User: "guest", HostKeyCallback: gossh.InsecureIgnoreHostKey()})
	if err != nil {
		stop()
		nc.Close()
		return nil, err
	}
	// The caller or ctx closes the connection.
	return gossh.NewClient(c, chans, reqs), nil
}

// openChannel opens a session channel and sends a request on it.
func openChannel(c *gossh.Client, terminal bool, request string, payload []byte) (gossh.Channel, error) {
	ch, reqs, err := c.OpenChannel("session", nil)
	if err != nil {
		return nil, err
	}
	go gossh.DiscardRequests(reqs)
	go io.Copy(io.Discard, ch)
	if terminal {
		_, err = ch.SendRequest("pty-req", true, gossh.Marshal(struct {
			Term                     string
			Width, Height, PixW, Pix uint32
			Modes                    string
		}{"xterm", 80, 24, 0, 0, ""}))
	}
	if request != "" && err == nil {
		_, err = ch.SendRequest(request, true, payload)
	}
	return ch, err
}

// targets are the channels that attackers open on a connection, to send packets of one
// byte.
var targets = []func(c *gossh.Client) ([]gossh.Channel, error){
	// Channels that request nothing.
	func(c *gossh.Client) (all []gossh.Channel, err error) {
		for range 7 {
			ch, err := openChannel(c, false, "", nil)
			if err != nil {
				return nil, err
			}
			all = append(all, ch)
		}
		return all, nil
	},
	// Keys of a screen.
	func(c *gossh.Client) ([]gossh.Channel, error) {
		ch, err := openChannel(c, true, "shell", nil)
		return []gossh.Channel{ch}, err
	},
	// Lines of line mode.
	func(c *gossh.Client) ([]gossh.Channel, error) {
		ch, err := openChannel(c, false, "shell", nil)
		return []gossh.Channel{ch}, err
	},
	// Input of a command that reads nothing.
	func(c *gossh.Client) ([]gossh.Channel, error) {
		ch, err := openChannel(c, false, "exec", gossh.Marshal(struct{ Command string }{"watch featured"}))
		return []gossh.Channel{ch}, err
	},
	// A paste without an end.
	func(c *gossh.Client) ([]gossh.Channel, error) {
		ch, err := openChannel(c, true, "shell", nil)
		if err == nil {
			_, err = io.WriteString(ch, "\x1b[200~")
		}
		return []gossh.Channel{ch}, err
	},
}

// sendSlowly writes single bytes to channels in turn: a key and a character without a function,
// because matches and help pages would add to the cost.
func sendSlowly(all ...gossh.Channel) error {
	for {
		for _, ch := range all {
			if _, err := ch.Write([]byte("x")); err != nil {
				return err
			}
		}
	}
}

// measureKeys lets people at another address press keys until ctx ends, and returns the sorted
// response times.
func measureKeys(ctx context.Context, t *testing.T, people []*sshtest.Terminal) []time.Duration {
	t.Helper()
	var mu sync.Mutex
	var all []time.Duration
	var work sync.WaitGroup
	for _, p := range people {
		work.Go(func() {
			for ctx.Err() == nil {
				began, before := time.Now(), p.ReceivedBytes()
				// This opens the help, or closes it.
				p.Press("?")
				p.WaitFor("what a key changes", func(string) bool { return p.ReceivedBytes() > before })
				mu.Lock()
				all = append(all, time.Since(began))
				mu.Unlock()
				select {
				case <-time.After(100 * time.Millisecond):
				case <-ctx.Done():
				}
			}
		})
	}
	work.Wait()
	slices.Sort(all)
	return all
}

func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)*p/100]
}

// peakMemory measures the memory of a process until ctx ends, and returns the maximum.
func peakMemory(ctx context.Context, pid int) int64 {
	most := int64(0)
	for ctx.Err() == nil {
		most = max(most, servers.MeasureProcess(pid).Memory)
		select {
		case <-time.After(250 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return most
}

// memoryInUse returns the bytes of a server's heap and stacks after garbage was
// collected.
func memoryInUse(t *testing.T, s *servers.Server) int64 {
	t.Helper()
	err := servers.CollectGarbage(t.Context(), s.Metrics)
	sum := 0.0
	for _, name := range []string{"go_memstats_heap_inuse_bytes", "go_memstats_stack_inuse_bytes"} {
		n, failed := servers.ReadMetric(t.Context(), s.Metrics, name)
		err = errors.Join(err, failed)
		sum += n
	}
	if err != nil {
		t.Error(err)
	}
	return int64(sum)
}

// enterPlayers opens sessions from another address than the attackers'.
func enterPlayers(t *testing.T, s *servers.Server) []*sshtest.Terminal {
	t.Helper()
	var people []*sshtest.Terminal
	for range 8 {
		p := sshtest.Dial(t, s.SSH, sshtest.Options{})
		p.WaitText("Welcome aboard")
		people = append(people, p)
	}
	return people
}

// attackedServer is the address of the server for TestAttackers, which TestMemoryInFloods
// runs in a separate process.
const attackedServer = "BROADSIDE_TEST_ATTACK"

// TestAttackers is no test but the other tests' attacker, in its own process. It connects 512 times, prints the
// number of connections, waits for a line and floods the server until its input ends.
func TestAttackers(t *testing.T) {
	address := os.Getenv(attackedServer)
	if address == "" {
		t.Skip("it is a part of TestMemoryInFloods")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var attackers, ready sync.WaitGroup
	var connected, ended atomic.Int64
	begin := make(chan struct{})
	// More concurrent logins would time out on a busy machine.
	logins := make(chan struct{}, 16)
	visit := func(open func(*gossh.Client) ([]gossh.Channel, error), opened func()) {
		logins <- struct{}{}
		leave := sync.OnceFunc(func() { <-logins })
		defer leave()
		c, err := connectAttacker(ctx, address)
		if err != nil {
			return
		}
		defer c.Close()
		all, err := open(c)
		if err != nil {
			return
		}
		leave()
		connected.Add(1)
		opened()
		<-begin
		// The server ends it.
		_ = sendSlowly(all...)
		ended.Add(1)
	}
	for i := range 512 {
		ready.Add(1)
		opened := sync.OnceFunc(ready.Done)
		attackers.Go(func() {
			defer opened()
			for ctx.Err() == nil {
				visit(targets[i%len(targets)], opened)
				select {
				case <-time.After(time.Second):
				case <-ctx.Done():
				}
			}
		})
	}
	ready.Wait()
	fmt.Println("attackers:", connected.Load())
	orders := bufio.NewScanner(os.Stdin)
	orders.Scan()
	close(begin)
	orders.Scan()
	fmt.Println("floods that the server ended:", ended.Load())
	cancel()
	attackers.Wait()
}

// TestMemoryInFloods checks that the server's memory in use grows by at most 100 MB while 512 connections from one
// address flood it. It only reports the process memory, which includes garbage, and the times, because both depend
// on how busy the computer is.
func TestMemoryInFloods(t *testing.T) {
	const most = 100 << 20
	s, _ := startFlooded(t, "512")
	people := enterPlayers(t, s)
	empty := servers.MeasureProcess(s.PID()).Memory

	attackers := exec.CommandContext(t.Context(), "nice", "-n", "19", os.Args[0], "-test.run", "^TestAttackers$", "-test.v")
	attackers.Env = append(os.Environ(), attackedServer+"="+s.SSH)
	orders, err := attackers.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := attackers.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := attackers.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewScanner(out)
	for answers.Scan() && !strings.HasPrefix(answers.Text(), "attackers: ") {
	}
	if s := answers.Text(); s != "attackers: 512" {
		t.Errorf("512 connect, and this is said: %q", s)
	}
	quiet, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	times := measureKeys(quiet, t, people)
	before, used := servers.MeasureProcess(s.PID()).Memory, memoryInUse(t, s)

	flooded, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if _, err := io.WriteString(orders, "begin\n"); err != nil {
		t.Fatal(err)
	}
	var grown int64
	var work sync.WaitGroup
	work.Go(func() { grown = peakMemory(flooded, s.PID()) - before })
	attacked := measureKeys(flooded, t, people)
	work.Wait()
	used = memoryInUse(t, s) - used // the floods continue
	_ = orders.Close()
	for answers.Scan() {
		t.Log(answers.Text())
	}
	if err := attackers.Wait(); err != nil {
		t.Error(err)
	}
	t.Logf("memory: %d MB with 8 players, %d MB with 512 connections more, at most %d MB more during the floods, %d MB more in use",
		empty>>20, before>>20, grown>>20, used>>20)
	t.Logf("key to paint: p50 %v, p99 %v; during the floods p50 %v, p99 %v",
		percentile(times, 50), percentile(times, 99), percentile(attacked, 50), percentile(attacked, 99))
	if used > most {
		t.Errorf("the memory in use grew by %d MB", used>>20)
	}
}

// TestChannelFlood checks that an address that opens and closes 5,000 channels a second for a minute causes few log
// lines, and that other clients at that address can log in. The attacker reconnects whenever it is disconnected.
func TestChannelFlood(t *testing.T) {
	s, file := startFlooded(t, "300")
	people := enterPlayers(t, s)
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var opened, connections atomic.Int64
	var work sync.WaitGroup
	work.Go(func() {
		for ctx.Err() == nil {
			c, err := connectAttacker(ctx, s.SSH)
			if err != nil {
				continue
			}
			connections.Add(1)
			for {
				ch, reqs, err := c.OpenChannel("session", nil)
				if opened.Add(1); err != nil {
					break
				}
				go gossh.DiscardRequests(reqs)
				_ = ch.Close()
				time.Sleep(time.Second / 5000)
			}
			c.Close()
		}
	})
	var slowest time.Duration
	logins := 0
	work.Go(func() {
		for ctx.Err() == nil {
			began := time.Now()
			c, err := connectAttacker(t.Context(), s.SSH)
			if err != nil {
				t.Errorf("another user at the address cannot log in: %v", err)
				return
			}
			logins++
			slowest = max(slowest, time.Since(began))
			c.Close()
			select {
			case <-time.After(5 * time.Second):
			case <-ctx.Done():
			}
		}
	})
	times := measureKeys(ctx, t, people)
	work.Wait()
	log, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Count(string(log[info.Size():]), "\n")
	t.Logf("%d channels on %d connections, %d lines in the log", opened.Load(), connections.Load(), lines)
	t.Logf("%d logins of another user at that address, the slowest took %v; key to paint elsewhere: p50 %v, p99 %v",
		logins, slowest, percentile(times, 50), percentile(times, 99))
	if lines >= 100 {
		t.Errorf("%d lines in the log:\n%s", lines, log[info.Size():])
	}
	if connections.Load() < 2 || logins < 2 {
		t.Errorf("%d connections of the flood, %d logins of another user", connections.Load(), logins)
	}
}
