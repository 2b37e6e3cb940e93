//go:build release

package release

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"broadside/internal/test/need"
)

// mostBytes limits the compressed image.
const mostBytes = 12_500_000

func number(t *testing.T, s string) uint32 {
	t.Helper()
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(n)
}

type descriptor struct {
	Digest   string
	Size     int64
	Platform struct{ Architecture string }
}

// blob returns a blob of the layout after checking its digest and size.
func blob(t *testing.T, layout string, d descriptor) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(layout, "blobs", strings.Replace(d.Digest, ":", "/", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("sha256:%x", sha256.Sum256(content)); got != d.Digest || int64(len(content)) != d.Size {
		t.Fatalf("%s has the digest %s and %d bytes, want %d", d.Digest, got, len(content), d.Size)
	}
	return content
}

func decode(t *testing.T, text []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatal(err)
	}
}

// image is an image for one architecture.
type image struct {
	layers []descriptor
	config struct {
		Config struct {
			User            string
			Env, Entrypoint []string
		}
	}
}

// images returns the images of a layout by architecture.
func images(t *testing.T, layout string) map[string]image {
	t.Helper()
	var index struct{ Manifests []descriptor }
	text, err := os.ReadFile(filepath.Join(layout, "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	decode(t, text, &index)
	all := map[string]image{}
	for _, m := range index.Manifests {
		var i image
		var manifest struct {
			Config descriptor
			Layers []descriptor
		}
		decode(t, blob(t, layout, m), &manifest)
		decode(t, blob(t, layout, manifest.Config), &i.config)
		i.layers = manifest.Layers
		size := manifest.Config.Size
		for _, l := range i.layers {
			size += l.Size
		}
		t.Logf("%s: %d bytes", m.Platform.Architecture, size)
		if size > mostBytes {
			t.Errorf("the image for %s has %d bytes, more than %d", m.Platform.Architecture, size, mostBytes)
		}
		all[m.Platform.Architecture] = i
	}
	return all
}

// unpack unpacks a layer.
func unpack(t *testing.T, root string, layer []byte) {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(string(layer)))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(root, h.Name)
		if h.Typeflag == tar.TypeDir {
			err = os.Mkdir(path, 0o755)
		} else {
			var content []byte
			if content, err = io.ReadAll(r); err == nil {
				err = os.WriteFile(path, content, 0o644)
			}
		}
		if err := errors.Join(err, os.Chown(path, h.Uid, h.Gid), os.Chmod(path, h.FileInfo().Mode().Perm())); err != nil {
			t.Fatal(err)
		}
	}
}

// TestImage runs the image for this machine as its user, and plays a match in it.
func TestImage(t *testing.T) {
	need.Root(t)
	layout := built(t, "image")
	all := images(t, layout)
	if len(all) != 2 {
		t.Fatalf("there are images for %d architectures", len(all))
	}
	i := all["amd64"]
	if i.config.Config.User != "65532:65532" {
		t.Errorf("the user is %s", i.config.Config.User)
	}
	root := t.TempDir()
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, l := range i.layers {
		unpack(t, root, blob(t, layout, l))
	}
	for _, f := range []string{"etc/ssl/certs/ca-certificates.crt", "etc/zoneinfo.zip", "licenses/THIRD-PARTY-NOTICES"} {
		if info, err := os.Stat(filepath.Join(root, f)); err != nil || info.Size() < 100_000 {
			t.Errorf("%s: %v", f, err)
		}
	}
	c := command(t, root, 65532, i.config.Config.Entrypoint[0])
	c.Env = append([]string{}, i.config.Config.Env...)
	s := serve(t, c)
	s.play()
	check := command(t, root, 65532, "/broadside", "healthcheck")
	check.Env = i.config.Config.Env
	run(t, check)
	s.stop()
	down := command(t, root, 65532, "/broadside", "healthcheck")
	down.Env = i.config.Config.Env
	if out, err := down.CombinedOutput(); err == nil {
		t.Errorf("without a server, the health check succeeds: %s", out)
	}
}
