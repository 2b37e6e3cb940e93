// Package owner is about the owners and modes of files. [Inherit] gives files that
// an administrator makes in the data folder to the user that the server runs as,
// and [Safe] checks that nobody else can change a file.
package owner
