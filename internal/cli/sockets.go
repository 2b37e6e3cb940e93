package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"broadside/internal/proxy"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"
)

// sockets are listeners that whoever started the process holds open, as systemd
// does, by name: "ssh" and "relay". Without names the first is for SSH, the
// second for the relay. A restart refuses nobody then: who connects in between
// waits for the next process.
func sockets() (map[string]net.Listener, error) {
	files := activation.Files(true)
	byName := map[string]net.Listener{}
	order := []string{"ssh", "relay"}
	for i, f := range files {
		name := f.Name()
		if !slices.Contains(order, name) && i < len(order) {
			name = order[i]
		}
		l, err := net.FileListener(f)
		f.Close() // the listener has a copy
		if err == nil && byName[name] != nil {
			l.Close()
			err = fmt.Errorf("there are two for %s", name)
		}
		if err != nil {
			for _, l := range byName {
				l.Close()
			}
			return nil, fmt.Errorf("a socket that was handed over cannot be listened on: %w", err)
		}
		byName[name] = l
	}
	return byName, nil
}

// tell tells who started the process how it is, if they want to know.
func tell(log *slog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("the service manager cannot be told", "state", state, "error", err)
	}
}

// keepWatchdog tells the service manager that the process lives, as often as it
// wants to know, until stop is called. Alive must return if the process does
// what it should.
func keepWatchdog(log *slog.Logger, alive func()) (stop func()) {
	every, err := daemon.SdWatchdogEnabled(false)
	if err != nil || every <= 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() {
		t := time.NewTicker(every / 2)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				alive()
				tell(log, daemon.SdNotifyWatchdog)
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		cancel()
		work.Wait()
	}
}

// listen opens a door, unless it was handed over open. Balancers that are trusted say where their clients are.
func listen(what, address, flag string, handed net.Listener, trusted []netip.Prefix, log *slog.Logger) (net.Listener, error) {
	l := handed
	if l == nil {
		var err error
		if l, err = net.Listen("tcp", address); err != nil {
			return nil, fmt.Errorf("cannot listen for %s: %w: choose another address with %s", what, err, flag)
		}
	}
	if len(trusted) > 0 {
		l = proxy.Listen(l, trusted, log)
	}
	return l, nil
}

// printWelcome tells how to connect.
func printWelcome(out io.Writer, ssh, relay net.Addr, fingerprint string) {
	host, port := reach(ssh)
	fmt.Fprintf(out, "Broadside is open.\n\n")
	fmt.Fprintf(out, "  play       ssh -t -p %s %s\n", port, host)
	host, port = reach(relay)
	fmt.Fprintf(out, "  programs   %s\n", net.JoinHostPort(host, port))
	fmt.Fprintf(out, "  host key   %s\n\n", fingerprint)
}

// reach is how somebody on this machine reaches an address listened on.
func reach(a net.Addr) (host, port string) {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String(), ""
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "localhost"
	}
	return host, port
}
