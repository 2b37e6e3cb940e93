package server

import (
	"fmt"
	"strings"

	"broadside/internal/sanitize"
)

// maxName is the maximum length of the name of a node or a world.
const maxName = 63

// CheckNodeOptions checks the node's name and world. The error is meant for the operator.
func (c *Config) CheckNodeOptions() error {
	for _, option := range []struct{ flag, name string }{{"--node-name", c.NodeName}, {"--world", c.World}} {
		n := option.name
		if n != "" && (len(n) > maxName || strings.ContainsRune("_.-", rune(n[0])) || !sanitize.HasOnlyAlphanumerics(n, "_.-")) {
			return fmt.Errorf("%s %q: use at most %d letters, digits, dots, hyphens and underscores, and start with a "+
				"letter or digit", option.flag, n, maxName)
		}
	}
	if c.Store == "" && c.World != "" && c.World != DefaultWorld {
		return fmt.Errorf("--world %q: several worlds share a PostgreSQL database: set --store postgres://…, or leave "+
			"out --world", c.World)
	}
	return nil
}
