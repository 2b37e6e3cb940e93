// Command image writes a container image as an OCI layout, for each given Linux program. It
// needs no container engine, and the same programs and the same date, in RFC 3339, give the same
// image. SOURCE is the repository's address, or empty:
//
//	image FOLDER DATE SOURCE amd64=PROGRAM arm64=PROGRAM
//
// Besides the program, the image has CA certificates, time zones, licences, and the folder /data
// for the user 65532. It has no shell.
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 5 {
		log.Fatal("usage: image FOLDER DATE SOURCE ARCHITECTURE=PROGRAM…")
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4:]); err != nil {
		log.Fatal(err)
	}
}

func run(folder, date, source string, programs []string) error {
	at, err := time.Parse(time.RFC3339, date)
	if err != nil {
		return err
	}
	l := layout{folder, at.UTC(), source}
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
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("looking for Go: %w", err)
	}
	zones, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib/time/zoneinfo.zip"))
	if err != nil {
		return nil, fmt.Errorf("reading Go's time zones: %w", err)
	}
	license, err := os.ReadFile("LICENSE")
	if err != nil {
		return nil, err
	}
	notices, err := os.ReadFile("release/THIRD-PARTY-NOTICES")
	if err != nil {
		return nil, fmt.Errorf("run deploy/package/prepare first: %w", err)
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
		{name: "licenses/", mode: 0o755},
		{name: "licenses/LICENSE", mode: 0o644, content: license},
		{name: "licenses/THIRD-PARTY-NOTICES", mode: 0o644, content: notices},
	}, nil
}
