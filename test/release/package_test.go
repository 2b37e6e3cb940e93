//go:build release

package release

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"broadside/internal/test/need"
)

// TestPackages checks that each format's package has all files and scripts.
func TestPackages(t *testing.T) {
	files := []string{
		"/usr/bin/broadside", "/usr/lib/systemd/system/broadside.service", "/usr/lib/systemd/system/broadside.socket",
		"/usr/lib/systemd/system/broadside-relay.socket", "/etc/broadside/broadside.toml", "/usr/share/man/man1/broadside.1.gz",
		"/usr/share/bash-completion/completions/broadside", "/usr/share/zsh/vendor-completions/_broadside",
		"/usr/share/fish/vendor_completions.d/broadside.fish", "/usr/share/doc/broadside/copyright",
		"/usr/share/doc/broadside/THIRD-PARTY-NOTICES",
	}
	for _, c := range [][]string{
		{"dpkg-deb", "-c", findBuilt(t, "*_linux_amd64.deb")}, {"dpkg-deb", "-c", findBuilt(t, "*_linux_arm64.deb")},
		{"rpm", "-qpl", findBuilt(t, "*_linux_amd64.rpm")}, {"rpm", "-qpl", findBuilt(t, "*_linux_arm64.rpm")},
		{"tar", "-tzf", findBuilt(t, "*_linux_amd64.apk")}, {"tar", "-tzf", findBuilt(t, "*_linux_arm64.apk")},
	} {
		list := run(t, exec.CommandContext(t.Context(), need.Tool(t, c[0]), c[1:]...))
		for _, f := range files {
			if !strings.Contains(list, f[1:]+"\n") {
				t.Errorf("%s has no %s:\n%s", c[2], f, list)
			}
		}
		if has, want := strings.Contains(list, "etc/init.d/broadside\n"), strings.HasSuffix(c[2], ".apk"); has != want {
			t.Errorf("%s has a service for OpenRC: %t, want %t", c[2], has, want)
		}
	}
	scripts := run(t, exec.CommandContext(t.Context(), "rpm", "-qp", "--scripts", findBuilt(t, "*_linux_amd64.rpm")))
	for _, s := range []string{"preinstall", "postinstall", "preuninstall"} {
		if !strings.Contains(scripts, s) {
			t.Errorf("the rpm has no script %s:\n%s", s, scripts)
		}
	}
}

// newMinimalRoot returns a root folder that has only a shell, basic commands and useradd.
func newMinimalRoot(t *testing.T) string {
	t.Helper()
	busybox, err := os.ReadFile(need.Tool(t, "busybox"))
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"bin", "dev", "etc", "tmp", "usr/bin", "usr/sbin", "var/lib/dpkg/info", "var/lib/dpkg/updates"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string]string{
		"bin/busybox": string(busybox), "etc/passwd": "root:x:0:0:root:/:/bin/sh\n", "etc/group": "root:x:0:\n",
		"etc/shadow": "root:*:1::::::\n", "etc/gshadow": "root:*::\n", "var/lib/dpkg/status": "",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run(t, command(t, root, 0, "/bin/busybox", "--install", "-s", "/bin"))
	if err := syscall.Mknod(filepath.Join(root, "dev/null"), syscall.S_IFCHR|0o666, 1<<8|3); err != nil {
		t.Fatal(err)
	}
	useradd := need.Tool(t, "useradd")
	libraries := regexp.MustCompile(`/\S+`).FindAllString(run(t, exec.CommandContext(t.Context(), "ldd", useradd)), -1)
	run(t, exec.CommandContext(t.Context(), "cp", append([]string{"-L", "--parents", useradd, "/etc/login.defs"}, append(libraries, root)...)...))
	// useradd leaves backups of the files that it changes.
	run(t, command(t, root, 0, useradd, "--system", "other"))
	return root
}

// listFiles returns the files in a root folder, and the folders named after the program, except
// those that package managers keep for themselves.
func listFiles(t *testing.T, root string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		path = strings.TrimPrefix(path, root)
		managers := strings.HasPrefix(path, "/var/lib/dpkg") || strings.HasPrefix(path, "/var/lib/rpm") || strings.HasPrefix(path, "/root/.rpmdb")
		if !managers && (!d.IsDir() || strings.Contains(path, "broadside")) {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestInstall checks that a package can be installed, run by its unit, used and removed in a system without Go.
func TestInstall(t *testing.T) {
	need.Root(t)
	for _, c := range []struct{ file, install, remove string }{
		{"*_linux_amd64.deb", "dpkg --root=ROOT --log=ROOT/var/lib/dpkg/log --force-depends -i FILE", "dpkg --root=ROOT --log=ROOT/var/lib/dpkg/log --purge broadside"},
		{"*_linux_amd64.rpm", "rpm --root=ROOT --nodeps -i FILE", "rpm --root=ROOT -e broadside"},
	} {
		t.Run(filepath.Ext(c.file), func(t *testing.T) {
			root := newMinimalRoot(t)
			before := listFiles(t, root)
			manage := func(line string) {
				t.Helper()
				words := strings.Fields(strings.NewReplacer("ROOT", root, "FILE", findBuilt(t, c.file)).Replace(line))
				run(t, exec.CommandContext(t.Context(), need.Tool(t, words[0]), words[1:]...))
			}
			manage(c.install)
			useInstalled(t, root)
			manage(c.remove)
			for _, f := range listFiles(t, root) {
				if !slices.Contains(before, f) && !strings.HasPrefix(f, "/var/lib/broadside") {
					t.Errorf("%s is left", f)
				}
			}
			if _, err := os.Stat(filepath.Join(root, "var/lib/broadside/broadside.db")); err != nil {
				t.Errorf("the data is gone: %v", err)
			}
		})
	}
}

// useInstalled runs the command of the installed unit as its user, plays a match, and lets two
// bots play.
func useInstalled(t *testing.T, root string) {
	t.Helper()
	unit, err := os.ReadFile(filepath.Join(root, "usr/lib/systemd/system/broadside.service"))
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(regexp.MustCompile(`(?m)^ExecStart=(.*)$`).FindStringSubmatch(string(unit))[1])
	passwd, err := os.ReadFile(filepath.Join(root, "etc/passwd"))
	if err != nil {
		t.Fatal(err)
	}
	user := regexp.MustCompile(`(?m)^broadside:x:(\d+):(\d+):`).FindStringSubmatch(string(passwd))
	if user == nil {
		t.Fatalf("there is no user:\n%s", passwd)
	}
	id, err := strconv.ParseUint(user[1], 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, command(t, root, uint32(id), words[0], words[1:]...))
	s.play()
	s.stop()
	out := run(t, command(t, root, 1000, "/usr/bin/broadside", "arena", "duel", "hard", "prolog", "--games", "200"))
	if !strings.Contains(out, "hard") || !strings.Contains(out, "prolog") {
		t.Errorf("the arena prints\n%s", out)
	}
}
