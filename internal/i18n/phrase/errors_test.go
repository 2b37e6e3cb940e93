package phrase

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/match/layoutfile"
)

// mistakes returns an error for each problem that typed errors of package match know.
func mistakes() []error {
	carrier, cutter := match.Class{Name: "carrier", Length: 5}, match.Class{Name: "cutter", Length: 2}
	cell := match.At(2, 1)
	var all []error
	for p := match.NotPlaced; p <= match.Touches; p++ {
		all = append(all, &match.LayoutError{Class: carrier, Problem: p, Other: cutter})
	}
	all = append(all, &match.LayoutError{Class: carrier, Problem: match.Touches, Other: cutter, Contact: match.TouchCorners})
	for h := match.FewAfloat; h <= match.UnderFire; h++ {
		all = append(all, &match.MoveError{Class: carrier, Why: h, Other: cutter, Cell: cell})
	}
	for p := match.WrongShipCount; p <= match.TooDense; p++ {
		all = append(all, &match.RulesError{Problem: p, Ships: 11, Size: 5, Min: 6, Max: 26, Class: carrier, Contact: 9, Clock: -time.Second})
	}
	for p := match.NotCell; p <= match.FileTooLong; p++ {
		all = append(all, &match.TextError{Problem: p, Text: "X", Choices: []string{"a", "b"}, Class: carrier, From: cell, To: cell, Size: 12, Max: 10})
	}
	wrong := &layoutfile.LineError{Line: 7, Err: &match.LayoutError{Class: carrier, Problem: match.OffBoard}}
	return append(all, wrong, &layoutfile.FleetError{Player: 2, Err: wrong})
}

// TestMessages checks that the English message of an error equals its text, and that other
// languages have a message.
func TestMessages(t *testing.T) {
	for _, err := range mistakes() {
		has, ok := Localize(err).(i18n.Localized)
		if !ok {
			t.Errorf("%q has no message", err)
			continue
		}
		if got := has.Localized().In(i18n.English); got != err.Error() {
			t.Errorf("%q has the message %q", err, got)
		}
		if got := Error(i18n.MustParse("de"), err); got == err.Error() {
			t.Errorf("%q is not translated", got)
		}
		if wrapped := fmt.Errorf("wrapped: %w", err); Error(i18n.MustParse("de"), wrapped) != Error(i18n.MustParse("de"), err) || !errors.Is(Localize(wrapped), err) {
			t.Errorf("%q is lost when it is wrapped", err)
		}
	}
	for _, err := range []error{nil, errors.New("plain"), i18n.Errorf("the-match-has-ended")} {
		if got := Localize(err); got != err {
			t.Errorf("%v became %v", err, got)
		}
	}
}

// unseen lists errors that no player sees.
var unseen = []string{"ErrHistory", "ErrUnsettled"}

// TestEveryErrorValueHasAMessage reads the packages whose errors have their messages in
// this package.
func TestEveryErrorValueHasAMessage(t *testing.T) {
	known := map[string]bool{}
	for sentinel := range sentinels {
		known[sentinel.Error()] = true
	}
	declared := regexp.MustCompile("(?m)\\b(Err\\w+) *= errors\\.New\\([\"`]([^`\n]*)[\"`]\\)")
	found := 0
	for _, folder := range []string{"../../../match", "../../../match/live", "../../ratelimit"} {
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
				if found++; !known[m[2]] && !slices.Contains(unseen, m[1]) {
					t.Errorf("%s: %s has no message", name, m[1])
				}
			}
		}
	}
	if found < 25 {
		t.Errorf("only %d errors were found", found)
	}
}
