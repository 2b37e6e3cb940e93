package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// Node is what a node last reported about itself. A standby has no sessions, programs or connections,
// because it only forwards connections.
type Node struct {
	// ID identifies the process.
	ID      string `json:"id"`
	World   string `json:"world"`
	Name    string `json:"name"`
	Version string `json:"version"`
	// Started is the time by the node's clock.
	Started time.Time `json:"started"`
	// Addresses are those for other nodes: ssh, relay and web.
	Addresses map[string]string `json:"addresses"`
	// Public is the address for players. It may be empty.
	Public string `json:"public_address,omitempty"`
	// HostKey is the host key's fingerprint.
	HostKey string `json:"host_key"`

	Active   bool `json:"active"`
	Draining bool `json:"draining"`
	// Connections counts SSH connections.
	Connections int `json:"connections"`
	// Sessions counts sessions in full-screen and line mode.
	Sessions int `json:"sessions"`
	Programs int `json:"programs"`
	Matches  int `json:"matches"`
	People   int `json:"people"`
	// Waiting counts players who wait for any opponent.
	Waiting    int `json:"waiting"`
	Spectators int `json:"spectators"`

	// Gone is set if the node has not reported for some seconds.
	Gone bool `json:"gone"`
	// Seen is when the node last reported, by the database's clock.
	Seen time.Time `json:"-"`
}

// Nodes is the list of nodes in a PostgreSQL database. It has its own connections, because
// nodes that stand by have no open [Store].
type Nodes struct{ db *sql.DB }

// Times without a report after which a node counts as gone, and after which it is removed.
const (
	goneAfter   = `interval '6 seconds'`
	removeAfter = `interval '10 minutes'`
)

// OpenNodes returns the list in the database at a URL; see [Config]. It does not connect
// yet. The caller must close the list.
func OpenNodes(url string) (*Nodes, error) {
	c, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	c.ConnectTimeout = clusterConnectTime
	c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	setDefaultParam(c, "application_name", "broadside")
	n := &Nodes{stdlib.OpenDB(*c)}
	n.db.SetMaxOpenConns(1)
	return n, nil
}

// Close closes the connections.
func (n *Nodes) Close() error { return n.db.Close() }

// OwnAddress returns the IP address from which this program connects to the database. It is the loopback
// address if the database is on this computer.
func (n *Nodes) OwnAddress(ctx context.Context) (address string, err error) {
	defer annotate(&err, "look up this node's address")
	err = n.db.QueryRowContext(ctx, `SELECT coalesce(host(inet_client_addr()), '127.0.0.1')`).Scan(&address)
	return address, classifyError(err)
}

// Report replaces a node's report, and removes nodes that have not reported for ten minutes.
func (n *Nodes) Report(ctx context.Context, node Node) (err error) {
	defer annotate(&err, "report this node")
	status, err := json.Marshal(node)
	if err != nil {
		return err
	}
	_, err = n.db.ExecContext(ctx, `WITH removed AS (DELETE FROM node WHERE seen < clock_timestamp() - `+removeAfter+`)
		INSERT INTO node (id, world, seen, status) VALUES ($1, $2, clock_timestamp(), $3)
		ON CONFLICT (id) DO UPDATE SET world = excluded.world, seen = excluded.seen, status = excluded.status`, node.ID, node.World, string(status))
	return classifyError(err)
}

// Remove removes the node that has an ID.
func (n *Nodes) Remove(ctx context.Context, id string) (err error) {
	defer annotate(&err, "remove this node")
	_, err = n.db.ExecContext(ctx, `DELETE FROM node WHERE id = $1`, id)
	return classifyError(err)
}

// List returns the nodes of all worlds, sorted by world and name.
func (n *Nodes) List(ctx context.Context) (all []Node, err error) {
	defer annotate(&err, "list nodes")
	type row struct {
		status string
		gone   bool
		seen   time.Time
	}
	rows, err := n.db.QueryContext(ctx, `SELECT status, seen < clock_timestamp() - `+goneAfter+`, seen FROM node
		ORDER BY world, status->>'name', id`)
	list, err := scanRows(rows, err, func(r *row) []any { return []any{&r.status, &r.gone, &r.seen} })
	for _, r := range list {
		var node Node
		err = errors.Join(err, json.Unmarshal([]byte(r.status), &node))
		node.Gone, node.Seen = r.gone, r.seen
		all = append(all, node)
	}
	return all, err
}

// World is a lobby with its running matches. Worlds in one database share everything else.
type World struct {
	Name string `json:"name"`
	// Addresses are those for SSH.
	Addresses []string `json:"addresses"`
	// Active is set if a node serves the world's players.
	Active bool `json:"active"`
	People int  `json:"people"`
}

// ListWorlds returns the worlds with their nodes' addresses, sorted by name.
func (n *Nodes) ListWorlds(ctx context.Context) (all []World, err error) {
	rows, err := n.db.QueryContext(ctx, `SELECT name FROM world ORDER BY name`)
	all, err = scanRows(rows, err, func(w *World) []any { return []any{&w.Name} })
	if err != nil {
		return nil, err
	}
	nodes, err := n.List(ctx)
	for i := range all {
		w := &all[i]
		for _, node := range nodes {
			address := cmp.Or(node.Public, node.Addresses["ssh"])
			if node.World != w.Name || node.Gone {
				continue
			}
			if address != "" && !slices.Contains(w.Addresses, address) {
				w.Addresses = append(w.Addresses, address)
			}
			if node.Active {
				w.Active, w.People = true, node.People
			}
		}
	}
	return all, err
}
