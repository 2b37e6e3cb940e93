package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"broadside/internal/access"
	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/proxy"
	"broadside/internal/session"
	"broadside/internal/store"
	"broadside/internal/term"
	"broadside/internal/web"
	"broadside/lobby"
	"broadside/relay"
	"broadside/sshd"
	"broadside/sshd/command"
	"broadside/tui"
	"broadside/tui/format"
	"broadside/tui/lines"
)

// frontends are the SSH server, the relay and the website.
type frontends struct {
	service    *service
	admins     access.Admins
	bans       *connections
	front      *sshd.Server
	wire       *relay.Server
	site       *web.Server
	ssh, relay net.Listener
	web        net.Listener // nil: no website
	drawings   format.Cache // that screens share
	draining   atomic.Bool
}

// newFrontends creates the frontends. They do not listen yet.
func newFrontends(ctx context.Context, s *service) (*frontends, error) {
	f := &frontends{service: s}
	f.admins = access.NewAdmins(s.cfg.AdminFile(), s.log)
	policy, err := access.Open(ctx, access.Config{Store: s.store, Admins: f.admins, Log: s.log})
	if err != nil {
		return nil, err
	}
	f.wire = relay.New(relay.Config{
		Host: s, HelloDelay: pace(s.cfg.RelayHello), Admit: policy.Program, AdmitOwner: policy.Owner, Refused: s.meter.Refused, Log: s.log,
		Limits: s.cfg.RelayLimits, Fill: time.Duration(s.cfg.RelayFill) * time.Second, FillBot: s.cfg.RelayFillBot,
	})
	f.front, err = sshd.New(sshd.Config{
		HostKeys: s.keys, Limits: s.cfg.Limits,
		Log:      s.log,
		Access:   policy,
		Notice:   tui.Notice,
		Language: s.languageOf,
		Meter:    s.meter.SSH(),
		Commands: command.New(command.Config{
			Host: s, Relay: f.wire, Nodes: s, Log: s.log, Operator: &command.Operator{Admins: f.admins},
		}),
		App:   f.app,
		Lines: f.lines,
	})
	f.bans = &connections{Policy: policy, front: f.front, relay: f.wire}
	return f, err
}

// app opens a session and returns its screen.
func (f *frontends) app(ctx context.Context, user sshd.User) (sshd.Screen, error) {
	own, err := f.service.Open(ctx, f.clientOf(user, tui.WatchPace))
	if err != nil {
		return nil, err
	}
	settings, _ := session.Ask(ctx, own, session.GetSettings{}) // defaults if they cannot be read
	return tui.New(ctx, tui.Config{
		Session: own, Settings: settings, Width: user.Width, Height: user.Height, Terminal: term.ReadTerminal(user.Term, user.Env), Opening: openingOf(user),
		Language: i18n.FromEnviron(user.Env), Returned: user.Returned, Drawings: &f.drawings,
	}), nil
}

// lines serves a session in line mode and returns its exit status.
func (f *frontends) lines(ctx context.Context, user sshd.User, c *term.Console) int {
	own, err := f.service.Open(ctx, f.clientOf(user, lines.WatchPace))
	if err != nil {
		c.SayMessage(i18n.NewMessage("%v", phrase.Localize(err)))
		return 1
	}
	settings, _ := session.Ask(ctx, own, session.GetSettings{})
	return lines.New(ctx, lines.Config{
		Session: own, Opening: openingOf(user), Console: c, Settings: settings, Language: user.Language,
	}).Run()
}

// clientOf describes a user to the host of sessions.
func (f *frontends) clientOf(user sshd.User, watchPace time.Duration) session.Client {
	return session.Client{Address: cmp.Or(f.service.cfg.Public, user.Local), Name: user.Name, Fingerprint: user.Fingerprint, Addr: user.Addr, Conn: strconv.Itoa(user.Conn), WatchPace: watchPace}
}

// listen opens the listeners, or uses the sockets that systemd passed.
func (f *frontends) listen() error {
	cfg, log := f.service.cfg, f.service.log
	trusted, err := proxy.ParseTrusted(cfg.Proxies)
	if err != nil {
		return fmt.Errorf("--proxy-protocol: %w", err)
	}
	passed, err := sockets()
	if err != nil {
		return err
	}
	if f.ssh, err = listen("SSH", cfg.SSH, "--ssh", passed["ssh"], trusted, log); err != nil {
		return err
	}
	if f.relay, err = listen("the relay", cfg.Relay, "--relay", passed["relay"], trusted, log); err != nil {
		return err
	}
	if cfg.Web == "" && passed["web"] == nil {
		return nil
	}
	if f.web, err = listen("the website", cfg.Web, "--web", passed["web"], trusted, log); err != nil {
		return err
	}
	return f.openSite()
}

// openSite creates the website, whose pages name the addresses of the other frontends.
func (f *frontends) openSite() error {
	cfg := f.service.cfg
	proxies, err := proxy.ParseTrusted(cfg.WebProxies)
	if err != nil {
		return fmt.Errorf("--web-proxies: %w", err)
	}
	f.site = web.New(web.Config{
		Host: f.service, Log: f.service.log, Admit: f.bans.Address, Limits: cfg.WebLimits, Proxies: proxies,
		Address: cfg.Public, Ladder: cfg.Ladder, SSH: f.ssh.Addr(), Relay: f.relay.Addr(), Fingerprint: f.front.Fingerprint(),
	})
	return nil
}

// closeListeners closes the listeners that are open.
func (f *frontends) closeListeners() (err error) {
	for _, l := range []net.Listener{f.ssh, f.relay, f.web} {
		if l == nil {
			continue
		}
		if e := l.Close(); !errors.Is(e, net.ErrClosed) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// describe adds the figures of the frontends to a report.
func (f *frontends) describe(n *store.Node) {
	n.Connections, n.Sessions = f.front.Traffic()
	n.Programs, _, _ = f.wire.Traffic()
	n.HostKey, n.Draining = f.front.Fingerprint(), f.draining.Load()
	n.Addresses = map[string]string{}
	for name, l := range map[string]net.Listener{"ssh": f.ssh, "relay": f.relay, "web": f.web} {
		if l != nil {
			n.Addresses[name] = f.service.cfg.nodeAddress(l.Addr())
		}
	}
}

// ready returns nil if clients can use this process, and otherwise the reason.
func (f *frontends) ready(ctx context.Context) error {
	if f.draining.Load() {
		return lobby.ErrClosing
	}
	return f.service.ready(ctx)
}

// configure applies the options that can change while the server runs.
func (f *frontends) configure(cfg Config) {
	if err := f.front.SetLimits(cfg.Limits); err != nil {
		f.service.log.Error("invalid limits, keeping the current ones", "error", err)
	}
	f.wire.SetLimits(cfg.RelayLimits)
	if f.site != nil {
		f.site.SetLimits(cfg.WebLimits)
	}
}

// leaveTime is how long sessions and connections have to end by themselves once the
// matches have ended.
const leaveTime = 5 * time.Second

// shutdown stops accepting connections, waits until matches have ended or continue on
// another node, or until ctx ends, and then ends sessions and connections.
func (f *frontends) shutdown(ctx context.Context) {
	f.draining.Store(true)
	f.closeListeners()
	parting := f.service.drain(ctx)
	var programs sync.WaitGroup
	programs.Go(func() { f.wire.Drain(ctx) })
	leaving, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	err := f.front.Shutdown(leaving, parting)
	programs.Wait()
	leaving, cancel = context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	if f.site != nil {
		err = errors.Join(err, f.site.Shutdown(leaving))
	}
	if err := errors.Join(err, f.wire.Shutdown(leaving)); err != nil {
		f.service.log.Warn("connections did not end in time", "error", err)
	}
}
