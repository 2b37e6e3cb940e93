package tui

// codeKeys returns the keys that type a code.
func codeKeys(code string) (keys []string) {
	for _, c := range code {
		keys = append(keys, string(c))
	}
	return keys
}
