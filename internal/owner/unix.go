//go:build unix

package owner

import (
	"os"
	"path/filepath"
	"syscall"
)

// Inherit gives a file that root has made to whom its folder belongs. It does
// nothing for anybody else, nor where it cannot be done: then the file is its
// maker's, as always.
func Inherit(file string) {
	if os.Geteuid() != 0 {
		return
	}
	info, err := os.Stat(filepath.Dir(file))
	if err != nil {
		return
	}
	if folder, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = os.Lchown(file, int(folder.Uid), int(folder.Gid)) // root may be without that right
	}
}
