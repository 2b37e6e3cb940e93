package owner

import "syscall"

// isReadOnly reports whether a path is on a file system that is mounted read-only.
func isReadOnly(path string) bool {
	const flag = 1 // ST_RDONLY
	var s syscall.Statfs_t
	return syscall.Statfs(path, &s) == nil && s.Flags&flag != 0
}
