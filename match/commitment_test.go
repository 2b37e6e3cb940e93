package match_test

import (
	"os/exec"
	"strings"
	"testing"

	"broadside/internal/test/need"
	"broadside/match"
)

func TestCommitment(t *testing.T) {
	l := match.Layout{
		{Stern: match.At(0, 0), Heading: match.East, Length: 5},
		{Stern: match.At(9, 9), Heading: match.North, Length: 4},
	}
	opening := match.Opening("salt", l)
	if want := "salt A1E5 J10N4"; opening != want {
		t.Errorf("the opening is %q, want %q", opening, want)
	}
	sum := match.Commitment(opening)
	for _, other := range []string{match.Opening("Salt", l), match.Opening("salt", l[:1]), opening + "\n"} {
		if match.Commitment(other) == sum {
			t.Errorf("%q has the commitment of %q", other, opening)
		}
	}
	c := exec.Command(need.Tool(t, "sha256sum"))
	c.Stdin = strings.NewReader(opening)
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	if theirs, _, _ := strings.Cut(string(out), " "); theirs != sum {
		t.Errorf("the commitment is %s, sha256sum says %s", sum, theirs)
	}
}
