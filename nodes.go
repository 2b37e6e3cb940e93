package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"broadside/commands"
	"broadside/control"
	"broadside/lobby/store"
	"broadside/words"
)

func nodesCommand() *cobra.Command {
	var options commandOptions
	var asJSON bool
	c := &cobra.Command{
		Use:   "nodes",
		Short: "Show the nodes of the service, with their sessions, matches and health",
		Long: "Asks the server that runs with the data folder on this machine for what it knows\n" +
			"of all nodes of the service, and of itself. Who runs the server may ask, and root.",
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

// nodeName is what names of nodes look like.
var nodeName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$`)

// node describes this process in reports.
func (c *serveConfig) node() (control.Node, error) {
	n := control.Node{ID: store.NewID(), Name: c.nodeName, Started: time.Now().UTC()}
	switch {
	case n.Name == "":
		n.Name, _ = os.Hostname() // a node without a name is shown by its ID
	case !nodeName.MatchString(n.Name):
		return n, fmt.Errorf("--node-name %q: a name has at most 63 letters, digits, dots, hyphens and underscores", n.Name)
	}
	return n, nil
}

// outlook is what operators see of the nodes.
type outlook struct {
	node   control.Node          // without its status
	status func() control.Status // it does not wait
}

// report is what this node knows of all.
func (o *outlook) report() control.Report {
	own := o.node
	own.Status = o.status()
	return control.Report{Asked: own.ID, At: time.Now().UTC(), Matches: own.Matches, Nodes: []control.Node{own}}
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
