package e2e

import (
	"strings"
	"testing"

	"broadside/internal/server"
)

// TestClusterOptions checks that an error about the options of a node names the option.
func TestClusterOptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cfg  server.Config
		want string // in the error; empty: none
	}{
		{server.Config{}, ""},
		{server.Config{NodeName: "one"}, ""},
		{server.Config{NodeName: "one two"}, "--node-name"},
		{server.Config{Cluster: "10.0.0.1:7411"}, "set --store postgres://"},
		{server.Config{Store: "p", Cluster: "10.0.0.1:7411"}, ""},
		{server.Config{Store: "p", Cluster: "node1.example.org:7411"}, ""},
		{server.Config{Store: "p", Cluster: "[fd00::1]:7411"}, ""},
		{server.Config{Store: "p", Cluster: "10.0.0.1"}, "such as 10.0.0.1:7411"},
		{server.Config{Store: "p", Cluster: "10.0.0.1:0"}, "such as 10.0.0.1:7411"},
		{server.Config{Store: "p", Cluster: ":7411"}, "such as 10.0.0.1:7411"},
		{server.Config{Store: "p", Cluster: "0.0.0.0:7411"}, "such as 10.0.0.1:7411"},
		{server.Config{Store: "p", Cluster: "[::]:7411"}, "such as 10.0.0.1:7411"},
	} {
		if err := c.cfg.CheckCluster(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.cfg, err, c.want)
		}
	}
	if place := (&server.Config{Data: "d", Cluster: "x:1"}).KeyPlace(); place != server.KeysInStore {
		t.Errorf("the host keys of a node are in %s", place)
	}
	if place := (&server.Config{Data: "d"}).KeyPlace(); place != "d" {
		t.Errorf("the host keys of a single server are in %s", place)
	}
}

// TestRemovedClusterOptions checks that removed options name their replacement, without
// showing secrets.
func TestRemovedClusterOptions(t *testing.T) {
	t.Parallel()
	for _, option := range []string{"nats", "cluster-listen", "cluster-peers", "cluster-secret"} {
		_, err := try(t.Context(), "serve", "--data", t.TempDir(), "--"+option, "sesame")
		if err == nil || !strings.Contains(err.Error(), "--"+option) || !strings.Contains(err.Error(), "no longer exists") ||
			!strings.Contains(err.Error(), "--cluster ADDRESS") || strings.Contains(err.Error(), "sesame") {
			t.Errorf("--%s: %v", option, err)
		}
	}
}
