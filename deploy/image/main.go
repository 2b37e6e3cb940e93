// Command image writes a container image as an OCI layout, for each given Linux program. It
// needs no container engine, and the same programs give the same image:
//
//	image FOLDER amd64=PROGRAM arm64=PROGRAM
//
// Besides the program, the image has CA certificates, time zones, and the folder /data for the
// user 65532. It has no shell.
package main

import (
	"debug/buildinfo"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("usage: image FOLDER ARCHITECTURE=PROGRAM…")
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		log.Fatal(err)
	}
}

func run(folder string, programs []string) error {
	l := layout{folder}
	if err := l.create(); err != nil {
		return err
	}
	system, err := systemFiles()
	if err != nil {
		return err
	}
	var all []descriptor
	for _, p := range programs {
		architecture, program, ok := strings.Cut(p, "=")
		if !ok {
			return fmt.Errorf("%q: write ARCHITECTURE=PROGRAM", p)
		}
		d, err := l.image(architecture, program, system)
		if err != nil {
			return err
		}
		all = append(all, d)
	}
	return l.finish(all)
}

// systemFiles returns the files of the image except the program.
func systemFiles() ([]file, error) {
	certificates, err := os.ReadFile("/etc/ssl/certs/ca-certificates.crt")
	if err != nil {
		return nil, fmt.Errorf("reading the certificates of this machine: %w", err)
	}
	zones, err := os.ReadFile(filepath.Join(runtime.GOROOT(), "lib/time/zoneinfo.zip"))
	if err != nil {
		return nil, fmt.Errorf("reading Go's time zones: %w", err)
	}
	return []file{
		{name: "data/", owner: user, mode: 0o700},
		{name: "etc/", mode: 0o755},
		{name: "etc/group", mode: 0o644, content: []byte("broadside:x:65532:\n")},
		{name: "etc/passwd", mode: 0o644, content: []byte("broadside:x:65532:65532::/data:/\n")},
		{name: "etc/ssl/", mode: 0o755},
		{name: "etc/ssl/certs/", mode: 0o755},
		{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, content: certificates},
		{name: "etc/zoneinfo.zip", mode: 0o644, content: zones},
	}, nil
}

// committed returns the version of a program and the time of its commit.
func committed(program string) (version string, at time.Time, err error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return "", at, err
	}
	at = time.Unix(0, 0).UTC()
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			at, err = time.Parse(time.RFC3339, s.Value)
		}
	}
	return info.Main.Version, at, err
}
