//go:build release

package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"broadside/internal/test/need"
)

// TestImage checks that a match can be played in the image, which runs as its own user.
func TestImage(t *testing.T) {
	need.Root(t)
	store := t.TempDir()
	buildah := func(args ...string) string {
		t.Helper()
		all := append([]string{"--root", store + "/root", "--runroot", store + "/run", "--storage-driver", "vfs"}, args...)
		return strings.TrimSpace(run(t, exec.CommandContext(t.Context(), need.Tool(t, "buildah"), all...)))
	}
	layout := "oci:" + findBuilt(t, "image")
	for _, architecture := range []string{"arm64", "amd64"} {
		id := buildah("pull", "--quiet", "--arch", architecture, layout)
		if got := buildah("inspect", "--type", "image", "--format", "{{.OCIv1.Architecture}}", id); got != architecture {
			t.Errorf("the image for %s is for %s", architecture, got)
		}
	}
	container := buildah("from", "--quiet", "--arch", "amd64", layout)
	config := func(field string) string {
		return buildah("inspect", "--format", "{{.OCIv1.Config."+field+"}}", container)
	}
	for field, want := range map[string]string{
		"User": "65532:65532", "Entrypoint": "[/broadside]", "Volumes": "map[/data:{}]", "StopSignal": "SIGTERM",
		"ExposedPorts": "map[2222/tcp:{} 54321/tcp:{}]",
		"Labels":       "map[org.opencontainers.image.licenses:MIT org.opencontainers.image.title:Broadside]",
	} {
		if got := config(field); got != want {
			t.Errorf("%s is %s, want %s", field, got, want)
		}
	}
	root := buildah("mount", container)
	for _, f := range []string{"etc/ssl/certs/ca-certificates.crt", "etc/zoneinfo.zip", "licenses/THIRD-PARTY-NOTICES"} {
		if info, err := os.Stat(filepath.Join(root, f)); err != nil || info.Size() < 100_000 {
			t.Errorf("%s: %v", f, err)
		}
	}
	command := func(args ...string) *exec.Cmd {
		c := command(t, root, 65532, "/broadside", args...)
		c.Env = strings.Fields(strings.Trim(config("Env"), "[]"))
		return c
	}
	s := serve(t, command())
	s.play()
	run(t, command("healthcheck"))
	s.stop()
	if out, err := command("healthcheck").CombinedOutput(); err == nil {
		t.Errorf("without a server, the health check succeeds: %s", out)
	}
}
