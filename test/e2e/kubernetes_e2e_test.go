//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"broadside/internal/test/need"
)

// pod runs the program like Kubernetes with deploy/kubernetes: with the container's user and groups, and
// without capabilities.
type pod struct {
	t      *testing.T
	binary string
	ids    map[string]string
}

func newPod(t *testing.T) *pod {
	need.Root(t)
	need.Tool(t, "setpriv")
	text, err := os.ReadFile("deploy/kubernetes/statefulset.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p := &pod{t: t, binary: programPath(t), ids: map[string]string{}}
	for _, name := range []string{"runAsUser", "runAsGroup", "fsGroup"} {
		found := regexp.MustCompile(name + `: (\d+)`).FindSubmatch(text)
		if found == nil {
			t.Fatalf("the manifest has no %s", name)
		}
		p.ids[name] = string(found[1])
	}
	return p
}

// command returns a command that the pod's user runs.
func (p *pod) command(group string, args ...string) *exec.Cmd {
	return exec.CommandContext(p.t.Context(), "setpriv", append([]string{
		"--reuid=" + p.ids["runAsUser"], "--regid=" + group, "--groups=" + group,
		"--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", p.binary,
	}, args...)...)
}

// newFolder makes a data folder. owner and mode are arguments of chown and chmod.
func (p *pod) newFolder(owner, mode string) string {
	p.t.Helper()
	above := p.t.TempDir()
	data := filepath.Join(above, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		p.t.Fatal(err)
	}
	// The pod's user must be able to enter the folders above.
	for _, folder := range []string{above, filepath.Dir(above)} {
		if err := os.Chmod(folder, 0o755); err != nil {
			p.t.Fatal(err)
		}
	}
	p.runShell(fmt.Sprintf("chown %s %s && chmod %s %s", owner, data, mode, data))
	return data
}

func (p *pod) runShell(line string) {
	p.t.Helper()
	if out, err := exec.CommandContext(p.t.Context(), "sh", "-c", line).CombinedOutput(); err != nil {
		p.t.Fatalf("%s: error %v, output %s", line, err, out)
	}
}

// serve starts a server and stops it once it runs. It returns its output.
func (p *pod) serve(group, data string) (out string, started bool) {
	p.t.Helper()
	cmd := p.command(group, "serve", "--data", data, "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0", "--drain", "1s")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	read := make([]byte, len("Broadside is running."))
	if _, err := pipe.Read(read); err == nil {
		cmd.Process.Signal(syscall.SIGTERM)
	}
	var rest bytes.Buffer
	rest.ReadFrom(pipe)
	err = cmd.Wait()
	return string(read) + rest.String() + errs.String(), err == nil
}

// TestKubernetes checks that the server starts in folders as Kubernetes makes them, and again after the
// files in them were given to the group, as at a pod's next start.
func TestKubernetes(t *testing.T) {
	t.Parallel()
	p := newPod(t)
	group := p.ids["fsGroup"]
	if p.ids["runAsGroup"] != group {
		t.Errorf("the groups are %v", p.ids)
	}
	for _, mode := range []string{"2770", "2775", "2777"} {
		t.Run(mode, func(t *testing.T) {
			p := &pod{t, p.binary, p.ids}
			data := p.newFolder("0:"+group, mode)
			var keys [2]string
			for i := range keys {
				out, started := p.serve(group, data)
				if !started {
					t.Fatalf("start %d: the server says\n%s", i+1, out)
				}
				keys[i] = regexp.MustCompile(`SHA256:\S+`).FindString(out)
				p.runShell(fmt.Sprintf("chown -R :%[1]s %[2]s && find %[2]s -type f -exec chmod ug+rw {} + && find %[2]s -type d -exec chmod ug+rwxs {} +", group, data))
			}
			if keys[0] == "" || keys[0] != keys[1] {
				t.Errorf("the host keys are %q", keys)
			}
			out, err := p.command(group, "doctor", "--data", data, "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0").CombinedOutput()
			if err != nil || strings.Contains(string(out), "chmod") || !strings.Contains(string(out), "is writable") {
				t.Errorf("the doctor says %v\n%s", err, out)
			}
		})
	}
}

// TestFolderOfOthers checks that a folder is refused if another user can change it, and that the server
// starts once its advice was followed.
func TestFolderOfOthers(t *testing.T) {
	t.Parallel()
	p := newPod(t)
	own := p.ids["fsGroup"]
	for _, c := range []struct {
		name, owner, mode string
		group             string // the server's group
	}{
		{"all may write", "0:0", "777", own},
		{"all may write, without the mark of Kubernetes", "0:" + own, "777", own},
		{"another group may write, too", "0:54321", "2777", own},
		// The group 65534 is nogroup, which belongs to the user nobody.
		{"a group with another user may write", "0:65534", "2770", "65534"},
		{"own folder for all to write", p.ids["runAsUser"] + ":" + own, "777", own},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &pod{t, p.binary, p.ids}
			data := p.newFolder(c.owner, c.mode)
			out, started := p.serve(c.group, data)
			advice := regexp.MustCompile(`run (ch\w+ .*)`).FindStringSubmatch(out)
			if started || advice == nil {
				t.Fatalf("started is %v, want false and advice:\n%s", started, out)
			}
			p.runShell(advice[1])
			if out, started := p.serve(c.group, data); !started {
				t.Errorf("after %s the server says\n%s", advice[1], out)
			}
			if info, err := os.Stat(data); err != nil || info.Mode()&fs.FileMode(0o022) != 0 {
				t.Errorf("the folder is now %v, %v", info.Mode(), err)
			}
		})
	}
	t.Run("a group without others may write", func(t *testing.T) {
		p := &pod{t, p.binary, p.ids}
		if out, started := p.serve(own, p.newFolder("0:"+own, "770")); !started {
			t.Errorf("the server says\n%s", out)
		}
	})
}
