//go:build release

package release

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"broadside/internal/test/need"
	"broadside/internal/test/servers"
)

// version is higher than any version of the repository.
const version = "9.9.9"

// TestPublish publishes a version from a clone, to a forge and a registry on this machine, and
// checks that everything is there and fits together.
func TestPublish(t *testing.T) {
	f, handler := newForge(t)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	registry := startRegistry(t)
	clone, tools := cloneVersion(t, server.URL), t.TempDir()
	writeFile(t, filepath.Join(tools, "cosign"), cosign, 0o755)
	if err := os.MkdirAll(filepath.Join(tools, ".config/containers"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(tools, ".config/containers/registries.conf"), fmt.Sprintf("[[registry]]\nlocation = %q\ninsecure = true\n", registry), 0o644)
	c := exec.CommandContext(t.Context(), "deploy/package/build", "publish")
	c.Dir = clone
	c.Env = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"), "HOME="+tools, "GOCACHE="+readGoEnv(t, "GOCACHE"), "GOMODCACHE="+readGoEnv(t, "GOMODCACHE"),
		"OWNER=ann", "HOMEPAGE=https://forge.example.org/ann/broadside", "MAINTAINER=Ann <ann@example.org>",
		"GITHUB_TOKEN="+token, "TAP_TOKEN="+tapToken, "IMAGE="+registry+"/ann/broadside")
	run(t, c)

	signed, err := os.ReadFile(filepath.Join(tools, "signed"))
	if err != nil {
		t.Fatal(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	notes, _ := f.release["body"].(string)
	if f.release["tag_name"] != "v"+version || f.release["draft"] != false || !strings.Contains(notes, "### Added") ||
		!strings.Contains(notes, "](https://forge.example.org/ann/broadside/blob/v9.9.9/docs/") {
		t.Errorf("the release is %v", f.release)
	}
	f.checkAssets(t)
	f.checkDefinition(t, "homebrew-tap/Casks/broadside.rb", "sha256sum", "darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64")
	f.checkDefinition(t, "nur/pkgs/broadside/default.nix", "nix-hash --type sha256 --flat --base32", "darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64")
	for _, tag := range []string{"v" + version, "latest"} {
		digest := run(t, exec.CommandContext(t.Context(), need.Tool(t, "skopeo"), "inspect", "--tls-verify=false", "--format", "{{.Digest}}", "docker://"+registry+"/ann/broadside:"+tag))
		if want := "sign --yes --recursive " + registry + "/ann/broadside@" + digest; !strings.Contains(string(signed), want) {
			t.Errorf("%q is not signed, only\n%s", want, signed)
		}
	}
}

// cosign stands in for cosign, which signs only with an identity that GitHub confirms. It stores
// a file's checksum as its signature.
const cosign = `#!/bin/sh
echo "$@" >>"$HOME/signed"
for argument; do
    case $argument in --bundle=*) bundle=${argument#*=} ;; esac
    file=$argument
done
[ "$1" != sign-blob ] || sha256sum <"$file" >"$bundle"
`

// cloneVersion returns a clone whose last commit has a version and its notes, and which publishes
// to a forge.
func cloneVersion(t *testing.T, forge string) string {
	t.Helper()
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	clone := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		c := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.org"}, args...)...)
		c.Dir = clone
		run(t, c)
	}
	git("clone", "-q", "--depth", "1", "file://"+top, ".")
	edit := func(name string, change func(text string) string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(clone, name))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(clone, name), change(string(text)), 0o644)
	}
	edit("CHANGELOG.md", func(text string) string { return strings.Replace(text, "[Unreleased]", "["+version+"]", 1) })
	edit(".goreleaser.yaml", func(text string) string {
		return text + fmt.Sprintf("\ngithub_urls: {api: %[1]s, upload: %[1]s, download: %[1]s}\n", forge)
	})
	git("commit", "-qam", "release")
	git("tag", "v"+version)
	return clone
}

func writeFile(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

func readGoEnv(t *testing.T, name string) string {
	t.Helper()
	return strings.TrimSpace(run(t, exec.CommandContext(t.Context(), "go", "env", name)))
}

// startRegistry starts a registry for images and returns its address.
func startRegistry(t *testing.T) string {
	t.Helper()
	l, err := servers.ListenLoopback()
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	config := filepath.Join(t.TempDir(), "registry.yml")
	writeFile(t, config, fmt.Sprintf("version: 0.1\nstorage: {inmemory: {}}\nhttp: {addr: %q}\n", address), 0o644)
	c := exec.CommandContext(t.Context(), need.Tool(t, "docker-registry"), "serve", config)
	var log bytes.Buffer
	c.Stdout, c.Stderr = &log, &log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	awaitServer(t, address)
	return address
}

// checkAssets checks that the release has all files, which its signed checksums list.
func (f *forge) checkAssets(t *testing.T) {
	t.Helper()
	want := []string{"checksums.txt", "checksums.txt.sigstore.json"}
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, architecture := range []string{"amd64", "arm64"} {
			suffixes := map[string][]string{"linux": {"tar.gz", "deb", "rpm", "apk"}, "darwin": {"tar.gz"}, "windows": {"zip"}}[system]
			for _, suffix := range append(suffixes, "cdx.json") {
				want = append(want, fmt.Sprintf("broadside_%s_%s_%s.%s", version, system, architecture, suffix))
			}
		}
	}
	sums := string(f.assets["checksums.txt"])
	for _, name := range want {
		content, ok := f.assets[name]
		if !ok {
			t.Errorf("%s is missing", name)
		}
		if sum := fmt.Sprintf("%x  %s\n", sha256.Sum256(content), name); !strings.HasPrefix(name, "checksums") && !strings.Contains(sums, sum) {
			t.Errorf("the checksums lack %q:\n%s", sum, sums)
		}
	}
	for name := range f.assets {
		if !slices.Contains(want, name) {
			t.Errorf("the release has an unexpected file %s", name)
		}
	}
	signature := string(f.assets["checksums.txt.sigstore.json"])
	if want := fmt.Sprintf("%x  -\n", sha256.Sum256(f.assets["checksums.txt"])); signature != want {
		t.Errorf("the signature is %q, want %q", signature, want)
	}
}

// checkDefinition checks that a package's definition has the addresses and checksums of the
// archives for some platforms, and installs files that they have. The program prints a checksum.
func (f *forge) checkDefinition(t *testing.T, name, program string, platforms ...string) {
	t.Helper()
	text := f.files[name]
	for _, platform := range platforms {
		archive := fmt.Sprintf("broadside_%s_%s.tar.gz", version, platform)
		file := filepath.Join(t.TempDir(), archive)
		writeFile(t, file, string(f.assets[archive]), 0o644)
		words := append(strings.Fields(program), file)
		sum, _, _ := strings.Cut(strings.TrimSpace(run(t, exec.CommandContext(t.Context(), need.Tool(t, words[0]), words[1:]...))), " ")
		content := run(t, exec.CommandContext(t.Context(), "tar", "-tzf", file))
		for _, want := range []string{"/ann/broadside/releases/download/v", platform + ".tar.gz", sum} {
			if !strings.Contains(text, want) {
				t.Errorf("%s has no %q:\n%s", name, want, text)
			}
		}
		for _, f := range regexp.MustCompile(`extras/[\w.]+`).FindAllString(text, -1) {
			if !strings.Contains(content, "/"+f+"\n") {
				t.Errorf("%s installs %s, which %s lacks:\n%s", name, f, archive, content)
			}
		}
	}
}
