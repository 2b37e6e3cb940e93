package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"broadside/internal/server"
	"broadside/internal/store"
)

// Requirements of nodes.
const (
	leastPostgres = 14
	clockSkew     = 2 * time.Second
)

// cluster checks whether this process can be a node.
func (d *doctor) cluster(cfg server.Config) {
	if err := cfg.CheckNode(); err != nil {
		d.fail("node", err.Error(), "see docs/scaling.md")
		return
	}
	if cfg.Store == "" {
		return
	}
	if active := d.clusterDatabase(cfg); active == "" {
		d.ok("active node", "no node is active")
	} else {
		d.ok("active node", active)
	}
}

// clusterDatabase checks the requirements of nodes on the database, and the nodes. It returns
// the name of the active node, or an empty string if no node is active.
func (d *doctor) clusterDatabase(cfg server.Config) (active string) {
	ctx, cancel := context.WithTimeout(d.ctx, 5*time.Second)
	defer cancel()
	c, err := pgx.ParseConfig(cfg.Store)
	if err != nil {
		return "" // reported by database
	}
	const setting = "1234567"
	c.RuntimeParams["options"] += " -c idle_session_timeout=" + setting
	c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	conn, err := pgx.ConnectConfig(ctx, c)
	var refused *pgconn.PgError
	switch {
	case errors.Is(err, pgconn.ErrReadOnlyConnection):
		d.fail("cluster", err.Error(), "name the primary server in --store, or all servers: nodes use the one that accepts writes")
		return ""
	case err != nil && !errors.As(err, &refused):
		return "" // unreachable, reported by database
	case err != nil:
		d.fail("cluster", err.Error(), fmt.Sprintf("nodes need a direct connection to PostgreSQL %d or newer: name the server itself in --store, not a connection pooler such as PgBouncer", leastPostgres))
		return ""
	}
	defer conn.Close(context.WithoutCancel(ctx))
	d.nodeRequirements(ctx, conn, setting)
	if !d.storeIsNew { // the tables do not exist before the first start
		return ""
	}
	return d.nodes(ctx, cfg)
}

// nodes checks whether this machine reaches the nodes, and returns the name of the active one of
// this world.
func (d *doctor) nodes(ctx context.Context, cfg server.Config) (active string) {
	list, err := store.OpenNodes(cfg.Store)
	if err != nil {
		return "" // reported by database
	}
	defer list.Close()
	all, err := list.List(ctx)
	if err != nil {
		d.fail("nodes", err.Error(), "give the user of --store all rights on the table node")
		return ""
	}
	for _, n := range all {
		if n.Gone {
			d.warn("node", n.Name+" no longer reports", "see its log; if it was removed, ignore this")
			continue
		}
		if n.Active && n.World == cfg.World {
			active = n.Name
		}
		for _, address := range slices.Sorted(maps.Values(n.Addresses)) {
			dialer := net.Dialer{Timeout: 2 * time.Second}
			nc, err := dialer.DialContext(ctx, "tcp", address)
			if err != nil {
				d.fail("node", n.Name+": "+err.Error(), "let the other nodes connect to this address: a node that stands by passes connections on")
				continue
			}
			_ = nc.Close() // only a check
			d.ok("node", n.Name+" answers at "+address)
		}
	}
	return active
}

// nodeRequirements checks the database server's version, settings and clock. setting is the
// value of idle_session_timeout that the connection requested.
func (d *doctor) nodeRequirements(ctx context.Context, conn *pgx.Conn, setting string) {
	var version, got string
	var now time.Time
	err := conn.QueryRow(ctx, `SELECT current_setting('server_version_num'), coalesce((SELECT setting FROM pg_settings WHERE name = 'idle_session_timeout'), ''),
		clock_timestamp()`).Scan(&version, &got, &now)
	number, _ := strconv.Atoi(version) // 0 if it is not a number
	switch {
	case err != nil:
		d.fail("cluster", err.Error(), "")
	case number < leastPostgres*10000:
		d.fail("cluster", fmt.Sprintf("the database server is PostgreSQL %d", number/10000), fmt.Sprintf("nodes need PostgreSQL %d or newer", leastPostgres))
	case got != setting:
		d.fail("cluster", "connection settings do not reach PostgreSQL", "name the server itself in --store, not a connection pooler such as PgBouncer")
	default:
		d.ok("cluster", fmt.Sprintf("direct connection to PostgreSQL %d", number/10000))
	}
	if skew := time.Since(now).Abs(); err == nil && skew > clockSkew {
		d.warn("clock", fmt.Sprintf("the clock differs by %v from that of the database server", skew.Round(time.Second)), "synchronize the clocks of all machines with NTP")
	}
}
