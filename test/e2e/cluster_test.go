package e2e

import (
	"strings"
	"testing"

	"broadside/internal/server"
)

// TestNodeOptions checks that an error about the options of a node names the option.
func TestNodeOptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cfg  server.Config
		want string
	}{
		{server.Config{}, ""},
		{server.Config{NodeName: "one"}, ""},
		{server.Config{NodeName: "one two"}, "--node-name"},
		{server.Config{World: "main"}, ""},
		{server.Config{World: "north"}, "set --store postgres://"},
		{server.Config{Store: "p", World: "north"}, ""},
		{server.Config{Store: "p", World: "the north"}, "--world"},
	} {
		if err := c.cfg.CheckNodeOptions(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.cfg, err, c.want)
		}
	}
	if place := (&server.Config{Data: "d", Store: "p"}).HostKeyLocation(); place != server.KeysInStore {
		t.Errorf("the host keys of a node are in %s", place)
	}
	if place := (&server.Config{Data: "d"}).HostKeyLocation(); place != "d" {
		t.Errorf("the host keys of a single server are in %s", place)
	}
}
