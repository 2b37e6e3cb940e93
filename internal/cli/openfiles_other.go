//go:build !unix

package cli

// maxOpenFiles returns false: the limit is not known on this system.
func maxOpenFiles() (limit uint64, ok bool) { return 0, false }
