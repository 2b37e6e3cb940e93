// Package picture draws a terminal's screen as SVG, for documents and for inspecting tests:
//
//	err := picture.Write(file, terminal.Snapshot())
//
// A [Screen] can be an emulator of github.com/charmbracelet/x/vt or a buffer of ultraviolet.
package picture
