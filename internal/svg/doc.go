// Package svg draws boards as SVG, for web pages, pictures of matches and the arena's reports. The colours are
// those of the terminal's navy theme. Pages can replace them.
package svg
