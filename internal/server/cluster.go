package server

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"broadside/internal/sanitize"
)

// Clustered reports whether the process is a node of a cluster.
func (c *Config) Clustered() bool { return c.Cluster != "" }

// nodeAddress returns the address at which other nodes reach a listener of this one.
func (c *Config) nodeAddress(listener net.Addr) string {
	host, _, _ := net.SplitHostPort(c.Cluster)
	_, port, _ := net.SplitHostPort(listener.String())
	if host == "" { // a single server
		return listener.String()
	}
	return net.JoinHostPort(host, port)
}

// CheckCluster checks the options of a node. Its error is meant for the operator.
func (c *Config) CheckCluster() error {
	if n := c.NodeName; n != "" && (len(n) > 63 || strings.ContainsRune("_.-", rune(n[0])) || !sanitize.Plain(n, "_.-")) {
		return fmt.Errorf("--node-name %q: use at most 63 letters, digits, dots, hyphens and underscores, beginning with a letter or digit", c.NodeName)
	}
	if !c.Clustered() {
		return nil
	}
	if c.Store == "" {
		return errors.New("--cluster requires a database that all nodes share: set --store postgres://… on every node")
	}
	host, port, err := net.SplitHostPort(c.Cluster)
	n, bad := strconv.ParseUint(port, 10, 16)
	if a, no := netip.ParseAddr(host); err != nil || bad != nil || n == 0 || host == "" || no == nil && a.IsUnspecified() {
		return fmt.Errorf("--cluster %q is not an address that other nodes can connect to: use one such as 10.0.0.1:7411", c.Cluster)
	}
	return nil
}
