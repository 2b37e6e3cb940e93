// Package picture makes PNG pictures of a terminal's screen, for documents and
// for looking at what a test has seen:
//
//	err := picture.Write(file, terminal.Snapshot(), picture.Options{})
//
// A [Film] is several of them, one after another.
//
// [Screen] is what it takes: an emulator of github.com/charmbracelet/x/vt or a
// buffer of ultraviolet. Text is set in Go Mono. Lines, blocks and simple
// shapes are drawn rather than set, so that they join from cell to cell. The
// same screen always gives the same picture, byte for byte.
package picture
