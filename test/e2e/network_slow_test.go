//go:build slow && linux

package e2e

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"broadside/internal/test/need"
)

// isolation is set in a process whose test runs in its own namespaces.
const isolation = "BROADSIDE_TEST_ISOLATED"

// runIsolated runs a test again in a process with its own network, and returns false; in that
// process it returns true. The test can change and cut the network, and the kernel removes
// it with all processes when the test ends. It needs root and the programs ip, unshare and
// nsenter.
func runIsolated(t *testing.T) bool {
	t.Helper()
	if os.Getenv(isolation) != "" {
		return true
	}
	for _, program := range []string{"ip", "unshare", "nsenter"} {
		need.Tool(t, program)
	}
	apart := []string{"--net", "--pid", "--fork", "--kill-child", "--mount-proc"}
	if out, err := exec.Command("unshare", append(slices.Clone(apart), "ip", "link", "add", "bridge", "type", "bridge")...).CombinedOutput(); err != nil {
		need.Skip(t, "there are no network namespaces for this user: %v: %s", err, bytes.TrimSpace(out))
	}
	// Killing this process ends this thread, and that also kills the other process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	pattern := "^" + t.Name() + "$"
	if _, cases, ok := strings.Cut(flag.Lookup("test.run").Value.String(), "/"); ok {
		pattern += "/" + cases
	}
	cmd := exec.CommandContext(t.Context(), "unshare", append(apart, os.Args[0],
		"-test.run", pattern, "-test.v", "-test.timeout", isolatedTime.String())...)
	// Tests start in their package's folder.
	cmd.Dir = filepath.Join("test", "e2e")
	cmd.Env = append(os.Environ(), isolation+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.CombinedOutput()
	t.Logf("in its own network:\n%s", out)
	switch {
	case err != nil:
		t.Error(err)
	case bytes.Contains(out, []byte("--- SKIP")):
		t.SkipNow()
	}
	return false
}

// isolatedTime limits a test in its own network.
const isolatedTime = 9 * time.Minute

// network is three machines, simulated with namespaces, each with two links: one to the
// outside, where people and programs are, and one to a switch that connects the machines
// and the database.
type network struct {
	t        *testing.T
	hosts    []host
	database string // IP address for a database
}

// connectHosts creates a network. The test must be isolated.
func connectHosts(t *testing.T) *network {
	t.Helper()
	n := &network{t: t, database: "10.2.0.254"}
	n.runIP(nil, "link set lo up",
		"link add world type bridge", "link set world up", "addr add 10.1.0.254/24 dev world",
		"link add switch type bridge", "link set switch up", "addr add "+n.database+"/24 dev switch")
	own := networkNamespace(t, "self")
	for i := range 3 {
		machine := exec.Command("unshare", "--net", "sleep", "infinity")
		if err := machine.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			machine.Process.Kill()
			machine.Wait() // it was killed
		})
		pid := fmt.Sprint(machine.Process.Pid)
		for networkNamespace(t, pid) == own {
			time.Sleep(10 * time.Millisecond)
		}
		h := host{
			Public: fmt.Sprint("10.1.0.", i+1), Private: fmt.Sprint("10.2.0.", i+1),
			Enter: []string{"nsenter", "--net=/proc/" + pid + "/ns/net"},
		}
		n.hosts = append(n.hosts, h)
		for _, link := range []string{"world", "switch"} {
			port := fmt.Sprint(link, i)
			n.runIP(nil, "link add "+port+" type veth peer name "+link+" netns "+pid, "link set "+port+" master "+link+" up")
		}
		n.runIP(h.Enter, "link set lo up",
			"addr add "+h.Public+"/24 dev world", "link set world up",
			"addr add "+h.Private+"/24 dev switch", "link set switch up")
	}
	return n
}

// networkNamespace returns the network namespace of a process.
func networkNamespace(t *testing.T, pid string) string {
	t.Helper()
	link, err := os.Readlink(filepath.Join("/proc", pid, "ns/net"))
	if err != nil {
		t.Fatal(err)
	}
	return link
}

// runIP runs the program ip on a machine, or here if the machine is nil.
func (n *network) runIP(enter []string, commands ...string) {
	n.t.Helper()
	line := append(slices.Clone(enter), "ip", "-batch", "-")
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Stdin = strings.NewReader(strings.Join(commands, "\n") + "\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		n.t.Fatalf("%q: %v: %s", commands, err, out)
	}
}

// cut disconnects a machine from the switch, and mend reconnects it. Packets are lost
// without an error.
func (n *network) cut(i int)  { n.runIP(nil, fmt.Sprintf("link set switch%d nomaster", i)) }
func (n *network) mend(i int) { n.runIP(nil, fmt.Sprintf("link set switch%d master switch", i)) }

// cutSending drops all packets that a machine sends over the switch, by using a link
// address that does not exist.
func (n *network) cutSending(i int) {
	for j := range n.hosts {
		if j != i {
			n.loseNeighbour(i, n.hosts[j].Private)
		}
	}
	n.loseNeighbour(i, n.database)
}

func (n *network) mendSending(i int) {
	n.runIP(n.hosts[i].Enter, "neigh flush dev switch nud permanent")
}

// cutReceiving drops all packets to a machine over the switch.
func (n *network) cutReceiving(i int) {
	for j := range n.hosts {
		if j != i {
			n.loseNeighbour(j, n.hosts[i].Private)
		}
	}
	n.runIP(nil, loseCommand(n.hosts[i].Private))
}

func (n *network) mendReceiving(i int) {
	for j := range n.hosts {
		if j != i {
			n.findNeighbour(j, n.hosts[i].Private)
		}
	}
	n.runIP(nil, findCommand(n.hosts[i].Private))
}

func (n *network) loseNeighbour(i int, address string) {
	n.runIP(n.hosts[i].Enter, loseCommand(address))
}
func (n *network) findNeighbour(i int, address string) {
	n.runIP(n.hosts[i].Enter, findCommand(address))
}

// loseCommand and found are commands that make an address unreachable and reachable.
func loseCommand(address string) string {
	return "neigh replace " + address + " lladdr 02:00:00:00:00:99 nud permanent dev switch"
}

func findCommand(address string) string { return "neigh del " + address + " dev switch" }
