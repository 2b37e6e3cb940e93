package i18n

import (
	"fmt"
	"regexp"
	"testing"
)

// verb is a verb of package fmt; the first group is the argument's number, the
// second the verb.
var verb = regexp.MustCompile(`%[-+ #0]*(?:\d+)?(?:\.\d+)?(?:\[(\d+)\])?(?:\d+)?([a-zA-Z%])`)

// verbs are the verbs of a text by argument, counted from 1.
func verbs(text string) map[int]string {
	all := map[int]string{}
	next := 1
	for _, m := range verb.FindAllStringSubmatch(text, -1) {
		if m[2] == "%" {
			continue
		}
		if m[1] != "" {
			fmt.Sscan(m[1], &next)
		}
		all[next] = m[2]
		next++
	}
	return all
}

// Verbs is verbs, for the tests that read the program.
var Verbs = verbs

// Has tells whether a text is in the catalogs.
func Has(text string) bool {
	_, plain := german[Text(text)]
	_, counted := plurals[Text(text)]
	return plain || counted
}

// Keys are the texts in the catalogs.
func Keys() []string {
	var all []string
	for k := range german {
		all = append(all, string(k))
	}
	for k := range plurals {
		all = append(all, string(k))
	}
	return all
}

// same tells whether two texts take the same arguments.
func same(a, b string) bool { return fmt.Sprint(verbs(a)) == fmt.Sprint(verbs(b)) }

func TestCatalogsAgree(t *testing.T) {
	for key, said := range german {
		if !same(string(key), said) {
			t.Errorf("%q and %q differ in what goes into them", key, said)
		}
		if said == "" {
			t.Errorf("%q has no German", key)
		}
		if _, ok := plurals[key]; ok {
			t.Errorf("%q is in two catalogs", key)
		}
	}
	parts := map[Text]int{}
	for _, part := range germanParts {
		for key := range part {
			if parts[key]++; parts[key] == 2 {
				t.Errorf("%q is in two parts of the German catalog", key)
			}
		}
	}
	for key, all := range plurals {
		for l, f := range all {
			if !same(string(key), f.other) || !same(string(key), f.one) {
				t.Errorf("%q differs from %q or %q in what goes into them", key, f.one, f.other)
			}
			if verbs(string(key))[f.by] != "d" {
				t.Errorf("%q in %s has no number as argument %d", key, Language(l), f.by)
			}
		}
	}
}
