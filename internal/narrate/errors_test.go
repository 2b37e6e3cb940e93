package narrate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"broadside/internal/i18n"
	"broadside/match"
)

// allProblems returns a problem for each sentence of package match and the packages below it.
func allProblems(t *testing.T) []error {
	sentences := regexp.MustCompile("(?:NewProblem\\(|match.Sentence = | Sentence = )([\"`].*?[\"`])[,)\n]")
	var all []error
	for _, folder := range []string{"../../match/*.go", "../../match/*/*.go"} {
		files, err := filepath.Glob(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range sentences.FindAllStringSubmatch(string(source), -1) {
				sentence, err := strconv.Unquote(m[1])
				if err != nil {
					t.Fatal(err)
				}
				var args []any
				for _, verb := range regexp.MustCompile("%[a-z]").FindAllString(sentence, -1) {
					if verb == "%d" {
						args = append(args, 7)
					} else {
						args = append(args, "X")
					}
				}
				all = append(all, match.NewProblem(match.Sentence(sentence), args...))
			}
		}
	}
	if len(all) < 45 {
		t.Fatalf("found %d sentences, want at least 45", len(all))
	}
	carrier, cutter := match.Class{Name: "carrier", Length: 5}, match.Class{Name: "cutter", Length: 2}
	line := match.NewProblem("line %d: %v", 7, match.NewProblem("the %s is off the board", carrier))
	return append(all,
		match.NewProblem("the %s would be too close to another of your ships, the %s", carrier, cutter),
		match.NewProblem("the %s would be on %s, where one of the last %d shots fell", carrier, match.NewCell(2, 1), 3),
		match.NewProblem("player %d: %v", 2, line))
}

// TestErrorsHaveMessages checks that an error's English message equals its text, and that other languages have a
// message.
func TestErrorsHaveMessages(t *testing.T) {
	for _, err := range allProblems(t) {
		has, ok := Localize(err).(i18n.LocalizedError)
		if !ok {
			t.Errorf("%q has no message", err)
			continue
		}
		if got := has.LocalizedMessage().Text(i18n.English); got != err.Error() {
			t.Errorf("message of %q = %q, want the same", err, got)
		}
		if got := ErrorText(i18n.MustParse("de"), err); got == err.Error() {
			t.Errorf("%q is not translated", got)
		}
		wrapped, german := fmt.Errorf("wrapped: %w", err), i18n.MustParse("de")
		if ErrorText(german, wrapped) != ErrorText(german, err) || !errors.Is(Localize(wrapped), err) {
			t.Errorf("%q loses its message when it is wrapped", err)
		}
	}
	for _, err := range []error{nil, errors.New("plain"), i18n.Errorf("the-match-has-ended")} {
		if got := Localize(err); got != err {
			t.Errorf("Localize(%v) = %v, want the same", err, got)
		}
	}
}

// internalErrors are errors that no player sees.
var internalErrors = []string{"ErrOutcomeUnknown"}

// TestErrorValuesHaveMessages checks that each error value of the packages match/live and ratelimit has a message
// in this package.
func TestErrorValuesHaveMessages(t *testing.T) {
	known := map[string]bool{}
	for sentinel := range sentinels {
		known[sentinel.Error()] = true
	}
	declared := regexp.MustCompile("(?m)\\b(Err\\w+) *= errors\\.New\\([\"`]([^`\n]*)[\"`]\\)")
	found := 0
	for _, folder := range []string{"../../match/live", "../ratelimit"} {
		names, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range declared.FindAllStringSubmatch(string(source), -1) {
				if found++; !known[m[2]] && !slices.Contains(internalErrors, m[1]) {
					t.Errorf("%s: %s has no message", name, m[1])
				}
			}
		}
	}
	if found < 8 {
		t.Errorf("found %d errors, want at least 8", found)
	}
}
