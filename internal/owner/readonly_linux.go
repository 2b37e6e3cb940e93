package owner

import "syscall"

// readOnly reports whether a path is on a file system that is mounted read-only.
func readOnly(path string) bool {
	const flag = 1 // ST_RDONLY
	var s syscall.Statfs_t
	return syscall.Statfs(path, &s) == nil && s.Flags&flag != 0
}
