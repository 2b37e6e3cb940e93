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

// TestGoInstall checks that go install builds the program from a module proxy. The copy that the proxy serves has a
// module path with a domain, which go install requires.
func TestGoInstall(t *testing.T) {
	const module, version = "forge.example.org/owner/broadside", "v0.1.0"
	source := t.TempDir()
	out := func(program string, args ...string) string {
		t.Helper()
		c := exec.CommandContext(t.Context(), program, args...)
		c.Dir = source
		return strings.TrimSpace(run(t, c))
	}
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	out("git", "clone", "-q", "--depth", "1", "file://"+top, ".")
	out("deploy/module-path", module)
	out("git", "-c", "user.name=test", "-c", "user.email=test@example.org", "commit", "-qam", "the module's path")
	proxy := t.TempDir()
	folder := filepath.Join(proxy, module, "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	definition, err := os.ReadFile(filepath.Join(source, "go.mod"))
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
