// Package owner checks and sets the owners of files. [Safe] reports whether other users can
// change a file, and [Inherit] gives a file created by root to the owner of its folder.
package owner
