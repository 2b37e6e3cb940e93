// Package owner checks and sets the owners of files. [Safe] reports whether other users can
// change a file, [Secret] reports whether they can read it, and [Inherit] gives a file created
// by root to its folder's owner.
package owner
