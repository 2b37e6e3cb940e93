package web

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// element is an element of a page with its text and that of its children.
type element struct {
	name     string
	attrs    map[string]string
	text     string
	children []*element
}

// walk calls f for an element and everything in it.
func (e *element) walk(f func(*element)) {
	f(e)
	for _, c := range e.children {
		c.walk(f)
	}
}

// findAll returns the elements with a name.
func (e *element) findAll(name string) (found []*element) {
	e.walk(func(x *element) {
		if x.name == name {
			found = append(found, x)
		}
	})
	return found
}

// parsePage parses a page of this website, which is almost XML.
func parsePage(t *testing.T, page string) *element {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	root := &element{}
	for open := []*element{root}; ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return root
		}
		if err != nil {
			t.Fatalf("%v in %s", err, page)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			top := open[len(open)-1]
			top.children = append(top.children, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, e := range open {
				e.text += string(token)
			}
		}
	}
}

// metaValues returns the values of meta elements by their names or properties.
func (e *element) metaValues() map[string]string {
	all := map[string]string{}
	for _, m := range e.findAll("meta") {
		all[m.attrs["name"]+m.attrs["property"]] = m.attrs["content"]
	}
	return all
}

// checkLabels returns an error unless a control has a name for screen readers. labels are the
// elements that have a label.
func checkLabels(e *element, labels map[string]bool) error {
	switch e.name {
	case "a", "button", "th", "h1", "h2":
		if strings.TrimSpace(e.text) == "" && e.attrs["aria-label"] == "" {
			return fmt.Errorf("<%s %v> has no name", e.name, e.attrs)
		}
	case "input":
		if e.attrs["aria-label"] == "" && !labels[e.attrs["id"]] {
			return fmt.Errorf("<input %v> has no label", e.attrs)
		}
	case "nav", "g", "svg":
		role := e.attrs["role"]
		if (e.name == "nav" || role == "grid" || role == "gridcell") && e.attrs["aria-label"] == "" {
			return fmt.Errorf("<%s %v> has no label", e.name, e.attrs)
		}
		if e.name == "svg" && role == "" && e.attrs["aria-hidden"] != "true" {
			return fmt.Errorf("a picture has no role: %v", e.attrs)
		}
	case "img":
		return errors.New("pictures are SVG")
	}
	return nil
}

// checkPage checks a page as Lighthouse does.
func checkPage(t *testing.T, name, page string) {
	t.Helper()
	fault := func(format string, args ...any) { t.Errorf("%s: %s", name, fmt.Sprintf(format, args...)) }
	root := parsePage(t, page)
	html := root.findAll("html")
	if len(html) != 1 || html[0].attrs["lang"] == "" || !strings.HasPrefix(page, "<!doctype html>") {
		fault("no document type or language")
	}
	if n := len(root.findAll("h1")); n != 1 {
		fault("%d main headings", n)
	}
	if n := len(root.findAll("main")); n != 1 {
		fault("%d main parts", n)
	}
	title := root.findAll("title")[0].text
	if n := utf8.RuneCountInString(title); n < 8 || n > 65 {
		fault("the title %q has %d characters", title, n)
	}
	metas := root.metaValues()
	if n := utf8.RuneCountInString(metas["description"]); n < 25 || n > 250 {
		fault("the description %q has %d characters", metas["description"], n)
	}
	for _, m := range []string{"viewport", "og:title", "og:description", "og:image", "og:image:alt"} {
		if metas[m] == "" {
			fault("no %s", m)
		}
	}
	if strings.Contains(metas["viewport"], "user-scalable") || strings.Contains(metas["viewport"], "maximum-scale") {
		fault("the page cannot be enlarged")
	}
	ids, labels, sheets := map[string]bool{}, map[string]bool{}, 0
	for _, l := range root.findAll("label") {
		labels[l.attrs["for"]] = true
	}
	root.walk(func(e *element) {
		if err := checkLabels(e, labels); err != nil {
			fault("%v", err)
		}
		if id := e.attrs["id"]; id != "" && ids[id] {
			fault("two elements have the ID %q", id)
		} else {
			ids[id] = true
		}
		for a, v := range e.attrs {
			if strings.HasPrefix(a, "on") || a == "style" {
				fault("inline script or style: %s=%q", a, v)
			}
			if (a == "src" || a == "href" && e.name == "link") && strings.Contains(v, "//") && e.attrs["rel"] != "canonical" {
				fault("loads %s", v)
			}
		}
		switch {
		case e.name == "style" || e.name == "script" && (e.attrs["src"] == "" || e.attrs["type"] != "module"):
			fault("inline or blocking: <%s %v>", e.name, e.attrs)
		case e.name == "link" && e.attrs["rel"] == "stylesheet":
			sheets++
		case e.name == "th" && e.attrs["scope"] == "":
			fault("a heading of a table without a scope: %s", e.text)
		}
	})
	if sheets != 1 {
		fault("%d style sheets delay the first paint", sheets)
	}
}

// TestPagesPassChecklist checks all pages in all languages, with a match running and with its replay.
func TestPagesPassChecklist(t *testing.T) {
	t.Parallel()
	s := openSite(t, Limits{RequestRate: 1 << 20, RequestBurst: 1 << 20})
	s.playLadder()
	first, second, id := s.startMatch()
	paths := []string{"/", "/live", "/leaderboard", "/leaderboard?rules=salvo&of=people", "/ladder", "/ladder/whale", "/daily", "/puzzles", "/@hard", "/programs", "/nothing", "/m/" + id}
	check := func() {
		for _, lang := range []string{"en", "de", "fr", "es"} {
			for _, path := range paths {
				sep := "?"
				if strings.Contains(path, "?") {
					sep = "&"
				}
				path += sep + "lang=" + lang
				want := http.StatusOK
				if strings.HasPrefix(path, "/nothing?") {
					want = http.StatusNotFound
				}
				response, page := s.get(path)
				if response.StatusCode != want {
					t.Errorf("%s: got %s, want %d", path, response.Status, want)
				}
				checkPage(t, path, page)
				if response.Header.Get("Content-Language") != lang {
					t.Errorf("%s is in %q", path, response.Header.Get("Content-Language"))
				}
				if _, packed := s.get(path, "Accept-Encoding", "gzip"); len(packed) > 30<<10 {
					t.Errorf("%s has %d bytes, compressed", path, len(packed))
				}
			}
		}
	}
	check()
	s.finishMatch(first, second, id)
	paths = []string{"/m/" + id, "/m/" + id + "?shot=0&heat=1", "/live", "/"}
	check()
}

// luminance returns the relative luminance of a colour, as the WCAG define it.
func luminance(hex string) float64 {
	hex = strings.TrimPrefix(hex, "#")
	if len(hex) == 3 {
		hex = strings.Repeat(hex[:1], 2) + strings.Repeat(hex[1:2], 2) + strings.Repeat(hex[2:], 2)
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			return math.NaN()
		}
		v := float64(n) / 255
		if v <= 0.03928 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

// TestColoursHaveContrast compares the colours of texts with their backgrounds, in dark and light.
func TestColoursHaveContrast(t *testing.T) {
	sheet, err := assetFiles.ReadFile("assets/style.css")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(sheet), "@import") || strings.Contains(string(sheet), "@font-face") || strings.Contains(string(sheet), "url(") {
		t.Error("the style sheet loads something")
	}
	roots := regexp.MustCompile(`:root\{([^}]*)\}`).FindAllStringSubmatch(string(sheet), -1)
	if len(roots) != 2 {
		t.Fatalf("%d sets of colours", len(roots))
	}
	for i, theme := range []string{"dark", "light"} {
		colours := map[string]string{}
		for _, m := range regexp.MustCompile(`--([\w-]+):(#[0-9a-f]+)`).FindAllStringSubmatch(roots[i][1], -1) {
			colours[m[1]] = m[2]
		}
		for at, texts := range map[string][]string{
			"ground": {"text", "muted", "info", "mark"}, "card": {"text", "muted", "info", "mark"}, "bar": {"on-bar"}, "key": {"on-key"}, "raised": {"on-key"},
			"accent": {"on-accent"}, "miss": {"on-miss"}, "hit": {"on-hit"}, "sunk": {"on-sunk"}, "ship": {"on-ship"}, "ded": {"on-ded"},
		} {
			for _, text := range texts {
				a, b := luminance(colours[text]), luminance(colours[at])
				if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); math.IsNaN(ratio) || ratio < 4.5 {
					t.Errorf("%s: %s on %s has a contrast of %.1f", theme, text, at, ratio)
				}
			}
		}
	}
	if !slices.IsSorted([]float64{luminance("#000"), luminance("#777"), luminance("#fff")}) {
		t.Error("the luminance is wrong")
	}
}
