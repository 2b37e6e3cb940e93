package server

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"

	"broadside/internal/election"
	"broadside/internal/proxy"
	"broadside/internal/ratelimit"
)

// systemdListeners returns the listeners that systemd passed, by name: ssh, relay and web. Without names,
// they must be in this order. Clients that connect during a restart wait for the next process.
func systemdListeners() (map[string]net.Listener, error) {
	files := activation.Files(true)
	byName := map[string]net.Listener{}
	order := []string{"ssh", "relay", "web"}
	for i, f := range files {
		name := f.Name()
		if !slices.Contains(order, name) && i < len(order) {
			name = order[i]
		}
		l, err := net.FileListener(f)
		// The listener has a copy of the file.
		f.Close()
		if err == nil && byName[name] != nil {
			l.Close()
			err = fmt.Errorf("two sockets are named %s", name)
		}
		if err != nil {
			for _, l := range byName {
				l.Close()
			}
			return nil, fmt.Errorf("cannot listen on a socket passed by systemd: %w", err)
		}
		byName[name] = l
	}
	return byName, nil
}

// notifyManager reports the process's state to the service manager, if there is one.
func notifyManager(log *slog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("cannot notify the service manager", "state", state, "error", err)
	}
}

// notifyWatchdog notifies the service manager's watchdog, if it is enabled, until ctx ends.
// check must return unless the process hangs.
func notifyWatchdog(ctx context.Context, log *slog.Logger, check func()) {
	every, err := daemon.SdWatchdogEnabled(false)
	if err != nil || every <= 0 {
		return
	}
	t := time.NewTicker(every / 2)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			check()
			notifyManager(log, daemon.SdNotifyWatchdog)
		case <-ctx.Done():
			return
		}
	}
}

// openListener listens at the address that a flag sets. Errors say what it is for.
func openListener(purpose, address, flag string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen for %s: %w: choose another address with %s", purpose, err, flag)
	}
	return l, nil
}

// openListeners listens at the addresses for clients, or uses the sockets that systemd passed.
func (s *Server) openListeners(cfg Config) error {
	trusted, err := proxy.ParseTrusted(cfg.Proxies)
	if err != nil {
		return fmt.Errorf("--proxy-protocol: %w", err)
	}
	passed, err := systemdListeners()
	if err != nil {
		return err
	}
	var node func(netip.Addr) bool
	if s.registry != nil {
		node = s.registry.isPeer
	}
	newListener := func(name, purpose, address string, all, perAddress int, proxies []netip.Prefix) (*election.Listener, error) {
		l := passed[name]
		if l == nil {
			var err error
			if l, err = openListener(purpose, address, "--"+name); err != nil {
				return nil, err
			}
		}
		return s.forwarder.NewListener(name, proxy.Listen(l, trusted, node), ratelimit.NewCount(all, perAddress), proxies), nil
	}
	ssh, programs, web := cfg.Limits, cfg.RelayLimits, cfg.WebLimits
	if s.listeners.ssh, err = newListener("ssh", "SSH", cfg.SSH, ssh.MaxConns, ssh.MaxConnsPerAddr, nil); err != nil {
		return err
	}
	s.listeners.relay, err = newListener("relay", "the relay", cfg.Relay, programs.MaxConns, programs.MaxConnsPerAddr, nil)
	if err != nil {
		return err
	}
	if cfg.Web == "" && passed["web"] == nil {
		return nil
	}
	proxies, err := proxy.ParseTrusted(cfg.WebProxies)
	if err != nil {
		return fmt.Errorf("--web-proxies: %w", err)
	}
	s.listeners.web, err = newListener("web", "the website", cfg.Web, web.MaxConns, web.MaxConnsPerAddr, proxies)
	return err
}
