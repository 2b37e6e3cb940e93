package cli

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"broadside/internal/build"
	"broadside/internal/config"
	"broadside/internal/logging"
	"broadside/internal/server"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

func serveCommand() *cobra.Command {
	var options commandOptions
	c := &cobra.Command{
		Use:   "serve",
		Short: "Start the server (the default command)",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			read := func() (server.Config, []config.Setting, error) { return options.load(c.Flags()) }
			cfg, settings, err := read()
			if err != nil {
				return err
			}
			reloads := make(chan os.Signal, 1)
			var ends []os.Signal
			if isTerminal(c.InOrStdin()) || isTerminal(c.ErrOrStderr()) {
				// SIGHUP means that the terminal was closed.
				ends = append(ends, syscall.SIGHUP)
			} else {
				signal.Notify(reloads, syscall.SIGHUP)
				defer signal.Stop(reloads)
			}
			ctx, stop := cancelOnSignal(c.Context(), ends...)
			defer stop()
			return serve(ctx, cfg, &reloader{load: read, settings: settings, signals: reloads}, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	options.addFlags(c)
	return c
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// serve runs the server until ctx ends.
func serve(ctx context.Context, cfg server.Config, r *reloader, out, errs io.Writer) error {
	log, err := logging.New(errs, cfg.LogLevel, cfg.LogFormat)
	if err != nil {
		return err
	}
	defer log.Flush()
	for _, text := range describeUnknownVariables(os.Environ()) {
		log.Warn("ignoring an environment variable", "reason", text)
	}
	cfg.Version = build.Read().String()
	s, err := server.New(ctx, cfg, log.Logger)
	if err != nil {
		return err
	}
	printWelcome(out, s)
	reloading, stop := context.WithCancel(ctx)
	var work sync.WaitGroup
	defer work.Wait()
	defer stop()
	work.Go(func() {
		for {
			select {
			case <-r.signals:
				if next, ok := r.reload(log.Logger); ok {
					s.Configure(next)
					log.SetLevel(next.LogLevel)
				}
			case <-reloading.Done():
				return
			}
		}
	})
	return s.Run(ctx)
}

// printWelcome prints how to connect to the server.
func printWelcome(out io.Writer, s *server.Server) {
	host, port := clientAddress(s.SSHAddr())
	fmt.Fprintf(out, "Broadside is running.\n\n")
	fmt.Fprintf(out, "  play       ssh -t -p %s %s\n", port, host)
	host, port = clientAddress(s.RelayAddr())
	fmt.Fprintf(out, "  programs   %s\n", net.JoinHostPort(host, port))
	a := s.WebAddr()
	if a != nil {
		host, port = clientAddress(a)
		fmt.Fprintf(out, "  website    http://%s\n", net.JoinHostPort(host, port))
	}
	fmt.Fprintf(out, "  host key   %s\n\n", s.Fingerprint())
}

// clientAddress returns the host and port at which clients on this computer reach a listener.
func clientAddress(a net.Addr) (host, port string) {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String(), ""
	}
	ip := net.ParseIP(host)
	if ip == nil || ip.IsUnspecified() {
		host = "localhost"
	}
	return host, port
}
