package e2e

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	markdownLink    = regexp.MustCompile(`\]\(([^)\s]*)\)`)
	markdownHeading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	markdownFence   = regexp.MustCompile("(?ms)^```.*?^```$")
	notInAnchor     = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	codePath        = regexp.MustCompile("`((?:bots|deploy|docs|examples|internal|lobby|match|relay|sshd|test|tui|" +
		"\\.ci|\\.github)/[\\w./-]+)`")
)

// findAnchors returns the anchors that GitHub makes for a page's headings.
func findAnchors(page string) map[string]bool {
	all := map[string]bool{"": true}
	for _, m := range markdownHeading.FindAllStringSubmatch(markdownFence.ReplaceAllString(page, ""), -1) {
		all[strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return all
}

// TestDocumentLinks checks that the pages, headings, files and folders that documents name exist.
func TestDocumentLinks(t *testing.T) {
	pages := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			pages[filepath.ToSlash(f)] = string(text)
		}
	}
	if len(pages) < 15 {
		t.Fatalf("there are only %d pages", len(pages))
	}
	exists := func(name string) bool {
		_, err := fs.Stat(os.DirFS("."), name)
		return err == nil
	}
	for name, text := range pages {
		for _, m := range markdownLink.FindAllStringSubmatch(text, -1) {
			file, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(file, ":") {
				continue
			}
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if page, ok := pages[target]; !exists(target) || ok && !findAnchors(page)[anchor] {
				t.Errorf("%s: the link %s leads nowhere", name, m[1])
			}
		}
		if name == "CHANGELOG.md" {
			// The changelog names files that no longer exist.
			continue
		}
		for _, m := range codePath.FindAllStringSubmatch(text, -1) {
			if !exists(strings.TrimRight(m[1], "/")) {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
}
