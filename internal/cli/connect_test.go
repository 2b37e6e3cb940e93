package cli

import (
	"io"
	"strings"
	"testing"

	"broadside/relay/bridge"
	"broadside/relay/client"
)

// TestConnectOnceToCup checks that a program cannot be in a cup with several connections, which
// would replace each other.
func TestConnectOnceToCup(t *testing.T) {
	cfg := connectConfig{games: "forever", bridge: bridge.Config{Series: client.Directives{Versus: "cup K3F-97W-QXM"}, Parallel: 2}}
	err := connect(t.Context(), io.Discard, io.Discard, "127.0.0.1:1", cfg)
	if err == nil || !strings.Contains(err.Error(), "one game of a cup at a time") {
		t.Error(err)
	}
}
