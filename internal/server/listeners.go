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

	"broadside/internal/proxy"
)

// sockets returns the listeners passed by systemd, by name: "ssh", "relay" and "web".
// Without names, they are expected in this order. Clients that connect during a
// restart wait for the next process.
func sockets() (map[string]net.Listener, error) {
	files := activation.Files(true)
	byName := map[string]net.Listener{}
	order := []string{"ssh", "relay", "web"}
	for i, f := range files {
		name := f.Name()
		if !slices.Contains(order, name) && i < len(order) {
			name = order[i]
		}
		l, err := net.FileListener(f)
		f.Close() // the listener has a copy
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

// notify reports the state of the process to the service manager, if there is one.
func notify(log *slog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("cannot notify the service manager", "state", state, "error", err)
	}
}

// keepWatchdog notifies the service manager's watchdog, if it is enabled, until ctx ends.
// check must return unless the process hangs.
func keepWatchdog(ctx context.Context, log *slog.Logger, check func()) {
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
			notify(log, daemon.SdNotifyWatchdog)
		case <-ctx.Done():
			return
		}
	}
}

// listen returns the passed listener, or opens one if it is nil. Trusted load balancers
// report their clients' addresses.
func listen(what, address, flag string, passed net.Listener, trusted []netip.Prefix, log *slog.Logger) (net.Listener, error) {
	l := passed
	if l == nil {
		var err error
		if l, err = net.Listen("tcp", address); err != nil {
			return nil, fmt.Errorf("cannot listen for %s: %w: choose another address with %s", what, err, flag)
		}
	}
	if len(trusted) > 0 {
		l = proxy.Listen(l, trusted, nil, log)
	}
	return l, nil
}
