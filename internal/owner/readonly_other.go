//go:build unix && !linux

package owner

func readOnly(string) bool { return false }
