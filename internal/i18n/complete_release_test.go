//go:build release

package i18n

import "testing"

// TestTranslationsAreComplete lists the texts that a release would show in English to readers
// of another language.
func TestTranslationsAreComplete(t *testing.T) {
	for _, c := range catalogs()[1:] {
		for _, key := range Keys() {
			if _, ok := c.texts()[key]; !ok {
				t.Errorf("%v.toml: %s has no translation", c.tag, key)
			}
		}
	}
}
