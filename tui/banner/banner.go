// Package banner draws the name of the game in large letters, with a ship on the sea.
package banner

import "broadside/tui/component"

// Fits reports whether a screen has room for a banner.
func Fits(size component.Size) bool { return false }

// Small returns the banner with a label at the right end of its first line.
func Small(width int, label string) []string { return nil }
