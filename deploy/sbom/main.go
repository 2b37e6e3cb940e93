// Command sbom writes the modules of a Go program as an SPDX document. It needs only the
// program: the linker stores the modules and their checksums in it.
//
//	sbom PROGRAM FILE DATE
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"runtime/debug"
	"strings"
)

// document is an SPDX 2.3 document. Its fields are named as in the specification.
type document struct {
	Version       string         `json:"spdxVersion"`
	License       string         `json:"dataLicense"`
	ID            string         `json:"SPDXID"`
	Name          string         `json:"name"`
	Namespace     string         `json:"documentNamespace"`
	Creation      creation       `json:"creationInfo"`
	Packages      []module       `json:"packages"`
	Relationships []relationship `json:"relationships"`
}

type creation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type module struct {
	ID           string      `json:"SPDXID"`
	Name         string      `json:"name"`
	Version      string      `json:"versionInfo"`
	Location     string      `json:"downloadLocation"`
	Analyzed     bool        `json:"filesAnalyzed"`
	ExternalRefs []reference `json:"externalRefs"`
}

type reference struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type relationship struct {
	Element string `json:"spdxElementId"`
	Type    string `json:"relationshipType"`
	Related string `json:"relatedSpdxElement"`
}

const documentID = "SPDXRef-DOCUMENT"

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: sbom PROGRAM FILE DATE")
	}
	if err := write(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

func write(program, file, date string) error {
	content, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(describe(info, sha256.Sum256(content), date), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// describe returns the document of a program with a hash. The date is that of the commit, so
// that the document can be reproduced.
func describe(info *buildinfo.BuildInfo, hash [32]byte, date string) document {
	main := newModule("SPDXRef-main", &info.Main)
	d := document{
		Version: "SPDX-2.3", License: "CC0-1.0", ID: documentID, Name: info.Main.Path,
		Namespace: fmt.Sprintf("urn:sha256:%x", hash), Creation: creation{date, []string{"Tool: broadside-sbom"}},
		Packages:      []module{main},
		Relationships: []relationship{{documentID, "DESCRIBES", main.ID}},
	}
	parts := append([]*debug.Module{{Path: "stdlib", Version: strings.TrimPrefix(info.GoVersion, "go")}}, info.Deps...)
	for i, part := range parts {
		m := newModule(fmt.Sprintf("SPDXRef-module-%d", i), part)
		d.Packages = append(d.Packages, m)
		d.Relationships = append(d.Relationships, relationship{main.ID, "DEPENDS_ON", m.ID})
	}
	return d
}

func newModule(id string, m *debug.Module) module {
	return module{
		ID: id, Name: m.Path, Version: m.Version, Location: "NOASSERTION",
		ExternalRefs: []reference{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + m.Path + "@" + m.Version}},
	}
}
