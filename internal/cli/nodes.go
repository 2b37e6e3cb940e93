package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/control"
	"broadside/internal/i18n"
	"broadside/sshd/command"
)

func nodesCommand() *cobra.Command {
	var options commandOptions
	var asJSON bool
	c := &cobra.Command{
		Use:   "nodes",
		Short: "List the nodes of the service, with their roles, sessions and state",
		Long: "Asks the server that runs with the data folder on this machine about all nodes of\n" +
			"the service. Only the server's user and root may ask.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, _, err := options.load(c.Flags())
			if err != nil {
				return err
			}
			r, err := control.Ask(c.Context(), cfg.data)
			if err != nil {
				return err
			}
			if asJSON {
				b, err := json.MarshalIndent(r, "", "  ")
				if err != nil {
					return fmt.Errorf("writing JSON: %w", err)
				}
				_, err = fmt.Fprintf(c.OutOrStdout(), "%s\n", b)
				return err
			}
			return command.WriteNodes(c.OutOrStdout(), i18n.English, r)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	options.flags(c.Flags())
	return c
}

// openControl makes the socket in the data folder. Where there can be none, the
// server runs without: nil.
func openControl(folder string, log *slog.Logger) (*control.Listener, error) {
	l, err := control.Listen(folder)
	if err != nil && !errors.Is(err, control.ErrRunning) {
		log.Warn("broadside nodes cannot ask this server", "error", err)
		return nil, nil
	}
	return l, err
}

// serveControl answers at the socket until stop is called.
func serveControl(l *control.Listener, report func() control.Report, log *slog.Logger) (stop func()) {
	if l == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() {
		if err := control.Serve(ctx, l, report, log); err != nil {
			log.Error("broadside nodes cannot ask this server any more", "error", err)
		}
	})
	return func() {
		cancel()
		work.Wait()
	}
}

// gatePace is how soon a node learns of what operators have done at another.
const gatePace = 2 * time.Second

// followGate takes over bans and the lockdown as operators at other nodes have set
// them, and ends the connections of banned players, until stop is called.
func followGate(bans *connections, log *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() {
		t := time.NewTicker(gatePace)
		defer t.Stop()
		for {
			select {
			case <-t.C:
			case <-ctx.Done():
				return
			}
			changed, err := bans.Refresh(ctx)
			if err != nil && ctx.Err() == nil {
				log.Debug("bans and the lockdown could not be read", "error", err)
			}
			if changed {
				bans.cutBanned(partingBanned)
			}
		}
	})
	return func() {
		cancel()
		work.Wait()
	}
}

// partingBanned is what people read whom an operator at another node has banned.
var partingBanned = i18n.Mean("An operator has ended your session.")
