// Package owner checks and sets the owners of files. [Check] reports whether other users can
// change a file, [CheckPrivate] reports whether they can read it, and [CopyFolderOwner] gives a file created
// by root to its folder's owner.
package owner
