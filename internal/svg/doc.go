// Package svg draws boards as SVG, for web pages, pictures of matches and reports of the
// arena. The colours are those of the terminal's navy theme; pages can replace them.
package svg
