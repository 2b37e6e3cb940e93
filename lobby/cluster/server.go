package cluster

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// user is the name under which servers of a cluster log in to each other, with
// [Config.Secret] as the password.
const user = "broadside"

// startPatience is how long an embedded server may take to start. It does not
// wait for other servers.
const startPatience = 20 * time.Second

// Config says how [Join] finds the other nodes. Its zero value makes the only
// node of a cluster, with a server of its own that opens no port.
type Config struct {
	Name string // for people and, of an embedded server, for its peers: no two have the same. Empty: the name of the host
	// Service is what those have in common that serve the same people: a-z, A-Z,
	// 0-9, "_" and "-". Empty: broadside.
	Service string

	// URLs are the NATS servers of a cluster with JetStream that runs elsewhere,
	// such as nats://user:password@host:4222. None: a server is embedded.
	URLs []string

	// Listen is the address HOST:PORT where the embedded server waits for those of
	// other nodes, and Peers are the addresses of the others, two at least; its
	// own may be among them. Empty: there are no other nodes.
	Listen string
	Peers  []string
	Secret string // the same for all; must be set unless Listen is a loopback address
	// Folder is where the embedded server has a folder "nats". If it is one of
	// several, that has everything the cluster knows and stays: servers that come
	// back bring it along, also if all of them were gone. Else there are a few
	// small files in it, which are removed at the end. Empty: a temporary one.
	Folder string

	Log *slog.Logger // nil: no log
}

// complete returns the config with what was left out, or an error for what can't
// be.
func (c Config) complete() (Config, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Name == "" {
		var err error
		if c.Name, err = os.Hostname(); err != nil {
			return c, fmt.Errorf("a node needs a name: %w", err)
		}
	}
	if c.Service == "" {
		c.Service = "broadside"
	}
	if err := checkKey(c.Service); err != nil || slices.Contains([]byte(c.Service), '.') {
		return c, fmt.Errorf("the service can't be called %q", c.Service)
	}
	c.Peers = slices.DeleteFunc(slices.Clone(c.Peers), func(p string) bool { return p == c.Listen })
	slices.Sort(c.Peers)
	c.Peers = slices.Compact(c.Peers)
	switch {
	case len(c.URLs) > 0 && (c.Listen != "" || len(c.Peers) > 0):
		return c, errors.New("either there are servers elsewhere, or the embedded ones form a cluster, not both")
	case c.Listen == "" && len(c.Peers) > 0:
		return c, errors.New("a server with peers needs an address to listen at")
	case c.Listen != "" && len(c.Peers) < 2:
		return c, errors.New("a cluster has three servers at least, so that it outlasts one of them: name two peers or more")
	}
	for _, address := range append(c.Peers, c.Listen) {
		if address == "" {
			continue
		}
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			return c, fmt.Errorf("a server's address: %w", err)
		}
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return c, fmt.Errorf("a server's address: %s: there is no port %q", address, port)
		}
		if address == c.Listen && c.Secret == "" && !loopback(host) {
			return c, fmt.Errorf("whoever reaches %s could join: a secret has to be set", c.Listen)
		}
	}
	return c, nil
}

// loopback says whether only this machine can reach a host.
func loopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// embedded is a NATS server in this process.
type embedded struct {
	*server.Server
	folder   string
	stays    bool   // the folder does
	password string // of its clients, if it listens for any
}

// startServer starts a server. The config is complete.
func startServer(c Config) (*embedded, error) {
	folder, err := c.Folder, error(nil)
	if folder == "" {
		folder, err = os.MkdirTemp("", "broadside-cluster-")
	} else {
		folder = filepath.Join(folder, "nats")
		if c.Listen == "" { // what a process left that was killed
			err = os.RemoveAll(folder)
		}
		if err == nil {
			err = os.MkdirAll(folder, 0o700)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the cluster's folder: %w", err)
	}
	s := &embedded{folder: folder, stays: c.Folder != "" && c.Listen != ""}
	options, err := c.options(folder)
	if err == nil {
		s.password = options.Password
		s.Server, err = server.NewServer(options)
	}
	if err != nil {
		s.close()
		return nil, fmt.Errorf("the cluster's server: %w", err)
	}
	s.SetLoggerV2(serverLog{c.Log.With("part", "nats")}, false, false, false)
	s.Start()
	if !s.ReadyForConnections(startPatience) || c.Listen != "" && s.ClusterAddr() == nil {
		s.close()
		return nil, errors.New("the cluster's server does not start: the log says why, if the address is in use, for instance")
	}
	return s, nil
}

// options returns what the server is told.
func (c Config) options(folder string) (*server.Options, error) {
	o := &server.Options{
		ServerName:             c.Name,
		DontListen:             true,
		NoSigs:                 true,
		JetStream:              true,
		StoreDir:               folder,
		DisableJetStreamBanner: true,
		MaxPayload:             2 * MaxData,
		PingInterval:           5 * time.Second,
		MaxPingsOut:            2,
	}
	if c.Listen == "" {
		o.SyncInterval = time.Hour // there is little on the disk, and it is not read again
		return o, nil
	}
	// A server looks for others only once it listens for clients. There are none
	// but this process.
	o.DontListen, o.Host, o.Port = false, "127.0.0.1", server.RANDOM_PORT
	o.Username, o.Password = user, rand.Text()
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return nil, err
	}
	o.Cluster = server.ClusterOpts{
		Name:         c.Service,
		Host:         host,
		Username:     user,
		Password:     c.Secret,
		NoAdvertise:  true, // everybody knows everybody
		PingInterval: 2 * time.Second,
		MaxPingsOut:  2,
		// A server that was cut off is only called again once what was on its way to it
		// has been given up.
		WriteDeadline: DeadAfter,
		PoolSize:      -1,
	}
	if o.Cluster.Port, err = strconv.Atoi(port); err != nil {
		return nil, err
	}
	if c.Secret == "" {
		o.Cluster.Username = ""
	}
	for _, peer := range c.Peers {
		route := &url.URL{Scheme: "nats-route", Host: peer}
		if c.Secret != "" {
			route.User = url.UserPassword(user, c.Secret)
		}
		o.Routes = append(o.Routes, route)
	}
	return o, nil
}

// current says whether the server has everything that the cluster knows.
func (s *embedded) current(streams ...string) bool {
	if !s.JetStreamIsClustered() {
		return true
	}
	for _, stream := range streams {
		// Of more than three servers not all have every stream.
		if s.JetStreamIsStreamAssigned(server.DEFAULT_GLOBAL_ACCOUNT, stream) &&
			!s.JetStreamIsStreamCurrent(server.DEFAULT_GLOBAL_ACCOUNT, stream) {
			return false
		}
	}
	return s.JetStreamIsCurrent()
}

// close ends the server and removes its files, unless they stay.
func (s *embedded) close() {
	if s.Server != nil {
		s.Shutdown()
		s.WaitForShutdown()
	}
	if s.stays {
		return
	}
	_ = os.RemoveAll(s.folder) // what can't be removed is small, and temporary
}

// serverLog hands what the server says to a log.
type serverLog struct{ log *slog.Logger }

func (l serverLog) Noticef(format string, v ...any) { l.log.Debug(fmt.Sprintf(format, v...)) }
func (l serverLog) Warnf(format string, v ...any) {
	if !strings.HasPrefix(format, "Plaintext passwords") { // they are in memory only
		l.log.Warn(fmt.Sprintf(format, v...))
	}
}
func (l serverLog) Errorf(format string, v ...any) { l.log.Warn(fmt.Sprintf(format, v...)) }
func (l serverLog) Fatalf(format string, v ...any) { l.log.Error(fmt.Sprintf(format, v...)) }
func (l serverLog) Debugf(string, ...any)          {}
func (l serverLog) Tracef(string, ...any)          {}
