package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLogMessages checks that the program logs the messages that docs/hosting.md promises,
// with their fields.
func TestLogMessages(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("docs/hosting.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| message | fields | |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (.*) \\|.*\\|$").FindAllStringSubmatch(table, -1)
	if len(rows) < 10 {
		t.Fatalf("the table has %d messages", len(rows))
	}
	var code strings.Builder
	err = filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		code.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		logs := func(level string) bool { return strings.Contains(code.String(), level+`("`+row[1]+`"`) }
		if !logs("Info") && !logs("Warn") && !logs("Error") {
			t.Errorf("no code logs %q", row[1])
		}
		for _, field := range regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(row[2], -1) {
			if !strings.Contains(code.String(), `"`+field[1]+`", `) {
				t.Errorf("no code logs the field %s of %q", field[1], row[1])
			}
		}
	}
}
