package spelling_test

import (
	"strings"
	"testing"

	"broadside/internal/spelling"
)

func TestNearest(t *testing.T) {
	names := []string{"help", "play", "join", "leaderboard"}
	for word, want := range map[string]string{
		"help": "help", "hlep": "help", "HELP": "help", "plya": "play", "pla": "play", "leaderbord": "leaderboard", "joint": "join",
		"": "", "x": "", "rm": "", "sudo": "", "\xff": "", strings.Repeat("help", 1000): "",
	} {
		if got := spelling.Nearest(word, names); got != want {
			t.Errorf("%.20q is like %q, want %q", word, got, want)
		}
	}
}
