// Package picture renders a terminal's screen as a PNG, for documents and for
// inspecting tests:
//
//	err := picture.Write(file, terminal.Snapshot(), picture.Options{})
//
// A [Film] is an animated sequence of screens.
//
// A [Screen] can be an emulator of github.com/charmbracelet/x/vt or a buffer of
// ultraviolet. The font is Go Mono. Lines, blocks and simple shapes are drawn, so
// that they join between cells. The same screen always gives the same bytes.
package picture
