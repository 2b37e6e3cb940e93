package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"broadside/config"
	"broadside/lobby/cluster"
)

// leastSecret is the least length of a secret by which embedded servers know
// each other: whoever finds it out is one of them.
const leastSecret = 16

// nodeName is what names of nodes look like.
var nodeName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$`)

// clustered tells whether there may be other nodes.
func (c *serveConfig) clustered() bool {
	return c.nats != "" || c.clusterListen != "" || c.clusterPeers != ""
}

// cluster is how this node finds the others. An error is a sentence for the
// operator, without the secret.
func (c *serveConfig) cluster() (cfg cluster.Config, err error) {
	cfg = cluster.Config{Name: c.nodeName, Folder: filepath.Join(c.data, "cluster")}
	if c.nodeName != "" && !nodeName.MatchString(c.nodeName) {
		return cfg, fmt.Errorf("--node-name %q: a name has at most 63 letters, digits, dots, hyphens and underscores", c.nodeName)
	}
	if !c.clustered() {
		return cfg, nil
	}
	if c.store == "" {
		return cfg, errors.New("the nodes of a cluster share one database: use --store postgres://… on all of them")
	}
	secret, err := config.ReadSecret(c.clusterSecret)
	if err != nil {
		return cfg, fmt.Errorf("--cluster-secret: %w", err)
	}
	if c.nats != "" {
		if c.clusterListen != "" || c.clusterPeers != "" {
			return cfg, errors.New("--nats is for a cluster that runs elsewhere, --cluster-listen and --cluster-peers are for one of the nodes themselves: choose one")
		}
		cfg.URLs, err = natsServers(c.nats, secret)
		return cfg, err
	}
	cfg.Listen, cfg.Peers, cfg.Secret = c.clusterListen, list(c.clusterPeers), secret
	switch {
	case cfg.Listen == "":
		return cfg, errors.New("--cluster-peers needs --cluster-listen: the address at which the others find this node")
	case len(others(cfg)) < 2:
		return cfg, errors.New("--cluster-peers: name the addresses of two other nodes at least: a cluster of three outlasts one of them")
	}
	for _, a := range append([]string{cfg.Listen}, cfg.Peers...) {
		_, port, err := net.SplitHostPort(a)
		if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || n == 0 {
			return cfg, fmt.Errorf("--cluster-listen and --cluster-peers: %q is no address with a port, such as 10.0.0.1:6222", a)
		}
	}
	host, _, _ := net.SplitHostPort(cfg.Listen)
	switch {
	case secret == "" && !isLoopback(host):
		return cfg, fmt.Errorf("whoever reaches %s could join the cluster: set --cluster-secret, the same on all nodes", cfg.Listen)
	case secret != "" && len(secret) < leastSecret:
		return cfg, fmt.Errorf("--cluster-secret: it must have %d characters at least, for instance what openssl rand -hex 16 prints", leastSecret)
	}
	return cfg, nil
}

// others are the addresses of other nodes.
func others(cfg cluster.Config) []string {
	all := slices.DeleteFunc(slices.Clone(cfg.Peers), func(a string) bool { return a == cfg.Listen })
	slices.Sort(all)
	return slices.Compact(all)
}

// natsServers are the URLs of servers elsewhere, with the password where there
// is a user.
func natsServers(text, secret string) ([]string, error) {
	var all []string
	for _, s := range list(text) {
		u, err := url.Parse(s)
		if err != nil || u.Host == "" || !slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme) {
			return nil, errors.New("--nats: name URLs such as nats://10.0.0.1:4222, with commas between them")
		}
		if _, ok := u.User.Password(); ok {
			return nil, errors.New("--nats: a URL must have no password: put that into --cluster-secret, from a file or the environment")
		}
		if u.User != nil {
			if secret == "" {
				return nil, fmt.Errorf("--nats: set --cluster-secret, the password of %s", u.User.Username())
			}
			u.User = url.UserPassword(u.User.Username(), secret)
		}
		all = append(all, u.String())
	}
	if len(all) == 0 {
		return nil, errors.New("--nats: name at least one server")
	}
	return all, nil
}

// list is a text with commas as its parts.
func list(text string) []string {
	var all []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

func isLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// joinNotice is how long this node waits for the others before the log says so.
const joinNotice = 3 * time.Second

// join makes this process a node among the others, or the only one. It waits
// until most of them are there.
func join(ctx context.Context, cfg cluster.Config, log *slog.Logger) (cluster.Node, error) {
	notice := time.AfterFunc(joinNotice, func() {
		log.Warn("this node waits for the others", "listen", cfg.Listen, "peers", strings.Join(cfg.Peers, ","))
	})
	defer notice.Stop()
	cfg.Log = log
	node, err := cluster.Join(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("the node cannot join the others: %w", err)
	}
	return node, nil
}
