//go:build unix

package owner

import (
	"os"
	"path/filepath"
	"syscall"
)

// CopyFolderOwner gives a file created by root to its folder's owner. It does nothing for other
// users, and ignores errors: then the file belongs to root.
func CopyFolderOwner(file string) {
	if os.Geteuid() != 0 {
		return
	}
	info, err := os.Stat(filepath.Dir(file))
	if err != nil {
		return
	}
	if folder, ok := info.Sys().(*syscall.Stat_t); ok {
		// This fails if root lacks the capability.
		_ = os.Lchown(file, int(folder.Uid), int(folder.Gid))
	}
}
