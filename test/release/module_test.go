//go:build release

package release

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGoInstall serves the committed files as a module from a folder, and installs the program
// from there as a user would.
func TestGoInstall(t *testing.T) {
	out := func(program string, args ...string) string {
		t.Helper()
		c := exec.CommandContext(t.Context(), program, args...)
		c.Dir = "../.."
		return strings.TrimSpace(run(t, c))
	}
	const version = "v0.1.0"
	module := out("go", "list", "-m")
	if domain, _, _ := strings.Cut(module, "/"); !strings.Contains(domain, ".") {
		t.Skipf("the module path %s has no domain: see deploy/module-path", module)
	}
	proxy := t.TempDir()
	folder := filepath.Join(proxy, module, "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	definition, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"list": version + "\n", version + ".info": fmt.Sprintf("{%q:%q}", "Version", version), version + ".mod": string(definition)} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out("git", "archive", "--format=zip", "--prefix="+module+"@"+version+"/", "-o", filepath.Join(folder, version+".zip"), "HEAD", ".", ":(exclude)deploy/kubernetes")

	bin := t.TempDir()
	c := exec.CommandContext(t.Context(), "go", "install", "-modcacherw", module+"@"+version)
	c.Dir = bin
	c.Env = append(os.Environ(), "GOBIN="+bin, "GOSUMDB=off", "CGO_ENABLED=0", "GOMODCACHE="+t.TempDir(),
		"GOPROXY=file://"+proxy+",file://"+out("go", "env", "GOMODCACHE")+"/cache/download,"+out("go", "env", "GOPROXY"))
	run(t, c)
	if v := run(t, exec.CommandContext(t.Context(), filepath.Join(bin, "broadside"), "--version")); !strings.Contains(v, version) {
		t.Errorf("the installed program is %s", v)
	}
}
