// Package owner gives files to whom they are for: an administrator who works in the
// data folder of a server that runs as somebody else makes files that the server has
// to read.
package owner
