//go:build unix && !linux

package owner

func isReadOnly(string) bool { return false }
