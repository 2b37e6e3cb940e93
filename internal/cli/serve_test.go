package cli

import (
	"broadside/internal/config"
	"log/slog"
	"testing"
	"time"
)

func TestReloadWithoutChanges(t *testing.T) {
	var cfg serveConfig
	load := func() (serveConfig, []config.Setting, error) {
		var c serveConfig
		s, err := c.table().Load(nil, func(string) (string, bool) { return "", false }, "")
		return c, s, err
	}
	_, settings, err := load()
	if err != nil {
		t.Fatal(err)
	}
	r := &reload{settings: settings, load: load}
	if next, ok := r.read(slog.New(slog.DiscardHandler)); !ok || next.drain != 30*time.Second || cfg.drain != 0 {
		t.Errorf("%+v, %v", next, ok)
	}
}
