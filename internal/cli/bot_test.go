package cli

import (
	"strings"
	"testing"
)

func TestHelpSaysHowBotsShoot(t *testing.T) {
	if about := describeBots(); !strings.Contains(about, "easy                      at random\n") {
		t.Errorf("the bots are %s", about)
	}
}
