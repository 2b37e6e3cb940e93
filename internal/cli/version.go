package cli

import (
	"cmp"
	"runtime/debug"
)

// version is set by the linker in releases: -X broadside/internal/cli.version=v1.2.3.
var version string

// buildInfo returns the version of the program and the commit it was built from. The commit is
// empty if it is unknown.
func buildInfo() (name, commit string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return cmp.Or(version, "unknown"), ""
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit = settings["vcs.revision"]
	name = cmp.Or(version, "devel")
	if settings["vcs.modified"] == "true" {
		name += ", changed"
	}
	return name, commit
}
