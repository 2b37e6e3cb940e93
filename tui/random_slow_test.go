//go:build slow

package tui

func init() { more = 5 }
