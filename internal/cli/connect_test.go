package cli

import (
	"io"
	"strings"
	"testing"

	"broadside/relay/bridge"
	"broadside/relay/client"
)

// TestConnectRefuses checks command lines that cannot work. The connections of one program in a tournament
// would replace each other.
func TestConnectRefuses(t *testing.T) {
	for want, cfg := range map[string]connectConfig{
		"one game of a tournament at a time": {
			games: "forever", bridge: bridge.Config{Series: client.Directives{Versus: "tournament K3F-97W-QXM"}, Parallel: 2},
		},
		"choose 1 or more, or forever": {games: "many", bridge: bridge.Config{Parallel: 1}},
		"--parallel 0: choose 1":       {games: "1"},
		"read token":                   {games: "1", bridge: bridge.Config{Parallel: 1}, tokenFile: "testdata/nothing"},
		"--identity are for --ssh":     {games: "1", bridge: bridge.Config{Parallel: 1}, identityFile: "key"},
		"users, --program and":         {games: "1", bridge: bridge.Config{Parallel: 1}, program: "kraken"},
	} {
		err := connectProgram(t.Context(), io.Discard, io.Discard, "127.0.0.1:1", cfg)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestServerNames(t *testing.T) {
	for server, want := range map[string]string{
		"localhost": "localhost:54321", "::1": "[::1]:54321", "[::1]": "[::1]:54321", "example.org:7": "example.org:7",
	} {
		if got := addDefaultPort(server, "54321"); got != want {
			t.Errorf("withPort(%q) = %s, want %s", server, got, want)
		}
	}
	for server, want := range map[string][2]string{
		"alias": {"alias"}, "ann@example.org": {"ann@example.org"}, "example.org:7": {"example.org", "7"},
		"a@b@example.org:7": {"a@b@example.org", "7"}, "ann@[::1]:7": {"ann@::1", "7"},
	} {
		if host, port := splitServer(server); host != want[0] || port != want[1] {
			t.Errorf("splitServer(%q) = %s, %s, want %s", server, host, port, want)
		}
	}
}
