//go:build !unix

package owner

// CopyFolderOwner does nothing: on this system, a file inherits its folder's permissions.
func CopyFolderOwner(string) {}

// Check returns nil: on this system, access control lists protect files.
func Check(string) error { return nil }

// CheckPrivate returns nil: on this system, access control lists protect files.
func CheckPrivate(string) error { return nil }
