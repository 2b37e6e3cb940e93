package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// user is the user and group of the server, and the owner of its data.
const user = 65532

// layout is an OCI image layout in a folder.
type layout struct {
	folder string
	at     time.Time // of all files
	source string    // address of the repository, or empty
}

// descriptor refers to a blob. The fields are named as in the OCI image specification.
type descriptor struct {
	MediaType string    `json:"mediaType"`
	Digest    string    `json:"digest"`
	Size      int       `json:"size"`
	Platform  *platform `json:"platform,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

type manifest struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType"`
	Config        *descriptor  `json:"config,omitempty"`
	Layers        []descriptor `json:"layers,omitempty"`
	Manifests     []descriptor `json:"manifests,omitempty"`
}

const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// create creates an empty layout.
func (l layout) create() error {
	return errors.Join(os.RemoveAll(l.folder), os.MkdirAll(filepath.Join(l.folder, "blobs/sha256"), 0o755),
		os.WriteFile(filepath.Join(l.folder, "oci-layout"), []byte(`{"imageLayoutVersion":"1.0.0"}`), 0o644))
}

// blob stores content under its digest.
func (l layout) blob(mediaType string, content []byte) (descriptor, error) {
	sum := fmt.Sprintf("%x", sha256.Sum256(content))
	d := descriptor{MediaType: mediaType, Digest: "sha256:" + sum, Size: len(content)}
	return d, os.WriteFile(filepath.Join(l.folder, "blobs/sha256", sum), content, 0o644)
}

// object stores a value as JSON.
func (l layout) object(mediaType string, v any) (descriptor, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return descriptor{}, err
	}
	return l.blob(mediaType, text)
}

// image stores the image for one architecture.
func (l layout) image(architecture, program string, system []file) (d descriptor, err error) {
	content, err := os.ReadFile(program)
	if err != nil {
		return d, err
	}
	m := manifest{SchemaVersion: 2, MediaType: typeManifest}
	var ids []string // digests of the layers before compression
	for _, files := range [][]file{system, {{name: "broadside", mode: 0o755, content: content}}} {
		packed, err := pack(files, l.at)
		if err != nil {
			return d, err
		}
		ids = append(ids, fmt.Sprintf("sha256:%x", sha256.Sum256(packed)))
		small, err := compress(packed)
		if err != nil {
			return d, err
		}
		layer, err := l.blob(typeLayer, small)
		if err != nil {
			return d, err
		}
		m.Layers = append(m.Layers, layer)
	}
	config, err := l.object(typeConfig, l.describe(architecture, ids))
	if err != nil {
		return d, err
	}
	m.Config = &config
	d, err = l.object(typeManifest, m)
	d.Platform = &platform{architecture, "linux"}
	return d, err
}

// describe returns the configuration of an image.
func (l layout) describe(architecture string, layers []string) any {
	type object = map[string]any
	labels := object{"org.opencontainers.image.title": "Broadside", "org.opencontainers.image.licenses": "MIT"}
	if l.source != "" {
		labels["org.opencontainers.image.source"] = l.source
	}
	return object{
		"architecture": architecture, "os": "linux", "created": l.at.Format(time.RFC3339),
		"rootfs": object{"type": "layers", "diff_ids": layers},
		"config": object{
			"User": fmt.Sprintf("%d:%[1]d", user), "Entrypoint": []string{"/broadside"},
			"Env":          []string{"BROADSIDE_DATA=/data", "BROADSIDE_METRICS_LISTEN=127.0.0.1:9464", "HOME=/data", "ZONEINFO=/etc/zoneinfo.zip"},
			"ExposedPorts": object{"2222/tcp": object{}, "54321/tcp": object{}},
			"Volumes":      object{"/data": object{}}, "StopSignal": "SIGTERM",
			"Healthcheck": object{"Test": []string{"CMD", "/broadside", "healthcheck"}, "Interval": 10 * time.Second, "Timeout": 5 * time.Second}, // Docker's, not in the specification
			"Labels":      labels,
		},
	}
}

// finish writes the index of the images.
func (l layout) finish(images []descriptor) error {
	text, err := json.Marshal(manifest{SchemaVersion: 2, MediaType: typeIndex, Manifests: images})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(l.folder, "index.json"), text, 0o644)
}

// file is an entry of a layer. The names of folders end in a slash.
type file struct {
	name    string
	owner   int
	mode    int64
	content []byte
}

// pack returns a tar archive.
func pack(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: f.mode, Uid: f.owner, Gid: f.owner, Size: int64(len(f.content)), ModTime: at}
		if strings.HasSuffix(f.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

func compress(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(content)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}
