//go:build release

package release

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSite checks that the site has every page in its menu, and can search them.
func TestSite(t *testing.T) {
	menu, err := os.ReadFile("../../deploy/site/mkdocs.yml")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../site/html/search/search_index.json")
	if err != nil {
		t.Fatalf("%v: run deploy/site/build", err)
	}
	var index struct{ Docs []struct{ Location string } }
	decodeJSON(t, bytes.NewReader(text), &index)
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) < 10 {
		t.Fatalf("the pages are %q: %v", pages, err)
	}
	for _, page := range pages {
		name := filepath.Base(page)
		if name == "README.md" {
			continue // the menu replaces it
		}
		html := strings.TrimSuffix(name, ".md") + ".html"
		if !strings.Contains(string(menu), ": "+name+"\n") {
			t.Errorf("the menu in deploy/site/mkdocs.yml has no %s", name)
		}
		if !slices.ContainsFunc(index.Docs, func(d struct{ Location string }) bool { return d.Location == html }) {
			t.Errorf("the search does not find %s", html)
		}
	}
}
