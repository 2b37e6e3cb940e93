package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/spf13/cobra"

	"broadside/commands"
	"broadside/control"
	"broadside/lobby"
	"broadside/lobby/cluster"
	"broadside/words"
)

func nodesCommand() *cobra.Command {
	var options commandOptions
	var asJSON bool
	c := &cobra.Command{
		Use:   "nodes",
		Short: "Show the nodes of the service, with their sessions, matches and health",
		Long: "Asks the server that runs with the data folder on this machine for what it knows\n" +
			"of all nodes of the service, and of itself. Who runs the server may ask, and root.\n" +
			"A lease is a match that a node runs, wherever its players are.",
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
			return commands.WriteNodes(c.OutOrStdout(), words.English, r)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	options.flags(c.Flags())
	return c
}

// outlook is what operators see of the nodes.
type outlook struct {
	node   cluster.Node
	hall   *lobby.Lobby
	status func() control.Status // of this node; it does not wait
}

// report is what this node knows of all.
func (o *outlook) report() control.Report {
	return control.Look(o.node, o.status(), o.hall.Census().Matches)
}

// health is for the metrics.
func (o *outlook) health() (nodes int, healthy bool) {
	return len(o.node.Peers()), o.node.Healthy() == nil
}

// serveControl answers at the socket in the data folder until stop is called.
// Where there can be no socket, the server runs without.
func serveControl(folder string, report func() control.Report, log *slog.Logger) (stop func(), err error) {
	l, err := control.Listen(folder)
	switch {
	case errors.Is(err, control.ErrRunning):
		return nil, err
	case err != nil:
		log.Warn("broadside nodes cannot ask this server", "error", err)
		return func() {}, nil
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
	}, nil
}

// trouble is why a node cannot change what all share; empty if it can.
func trouble(n cluster.Node) string {
	if err := n.Healthy(); err != nil {
		return err.Error()
	}
	return ""
}
