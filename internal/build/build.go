// Package build describes how the program was built.
package build

import (
	"runtime/debug"
	"strings"
)

// Info describes a build of the program. Empty fields are unknown.
type Info struct {
	Version string // such as v1.2.3; never empty
	Commit  string // the whole hash
	Date    string // of the commit, in RFC 3339
}

// Read returns the description of the running program.
func Read() Info {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Info{Version: "devel"}
	}
	b := Info{Version: info.Main.Version} // of the installed module, or derived from the tags of the repository
	if b.Version == "" || b.Version == "(devel)" {
		b.Version = "devel"
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
