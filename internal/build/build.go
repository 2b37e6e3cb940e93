// Package build describes how the program was built.
package build

import (
	"runtime/debug"
	"strings"
)

// The linker sets these in releases: -X broadside/internal/build.version=v1.2.3.
var version, commit, date string

// Info describes a build of the program. Empty fields are unknown.
type Info struct {
	Version string // such as v1.2.3, never empty
	Commit  string // the whole hash
	Date    string // the commit's time, as in RFC 3339
}

// Read describes the running program with the values that the linker set, or else with Go's information
// about the module and its repository.
func Read() Info {
	if version != "" {
		return Info{version, commit, date}
	}
	b := Info{Version: "devel"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	v := info.Main.Version
	if v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		}
	}
	return b
}

// String returns the known fields, separated by spaces.
func (i Info) String() string {
	return strings.Join(strings.Fields(i.Version+" "+i.Commit+" "+i.Date), " ")
}
