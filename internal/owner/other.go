//go:build !unix

package owner

// Inherit does nothing: on this system, a file inherits the permissions of its folder.
func Inherit(string) {}

// Safe returns nil: on this system, access control lists protect files.
func Safe(string) error { return nil }

// Secret returns nil: on this system, access control lists protect files.
func Secret(string) error { return nil }
