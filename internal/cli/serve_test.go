package cli

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"broadside/internal/config"
	"broadside/internal/server"
)

// TestReloadWithoutChanges checks that reloading the same configuration logs no change.
func TestReloadWithoutChanges(t *testing.T) {
	load := func() (server.Config, []config.Setting, error) {
		var c server.Config
		s, err := c.OptionTable().Load(nil, func(string) (string, bool) { return "", false }, "")
		return c, s, err
	}
	_, settings, err := load()
	if err != nil {
		t.Fatal(err)
	}
	r := &reloader{settings: settings, load: load}
	var log strings.Builder
	if next, ok := r.reload(slog.New(slog.NewTextHandler(&log, nil))); !ok || next.Drain != 30*time.Second {
		t.Errorf("reload.read() = %+v, %v, want a drain of 30s", next, ok)
	}
	if got := log.String(); strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, `level=INFO msg="configuration reloaded"`+"\n") {
		t.Errorf("the log is %q, want one line", got)
	}
}
