package cli

import (
	"log/slog"
	"testing"
	"time"

	"broadside/internal/config"
	"broadside/internal/server"
)

func TestReloadWithoutChanges(t *testing.T) {
	var cfg server.Config
	load := func() (server.Config, []config.Setting, error) {
		var c server.Config
		s, err := c.Table().Load(nil, func(string) (string, bool) { return "", false }, "")
		return c, s, err
	}
	_, settings, err := load()
	if err != nil {
		t.Fatal(err)
	}
	r := &reload{settings: settings, load: load}
	if next, ok := r.read(slog.New(slog.DiscardHandler)); !ok || next.Drain != 30*time.Second || cfg.Drain != 0 {
		t.Errorf("%+v, %v", next, ok)
	}
}
