package cli

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

func healthCheckCommand() *cobra.Command {
	var options commandOptions
	c := &cobra.Command{
		Use:   "healthcheck",
		Short: "Check whether the server runs",
		Long: "Requests /healthz at the address of metrics-listen. The exit status is 0 if the server\n" +
			"answers, even as a standby, and 1 if it does not. Containers run this command.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, _, err := options.load(c.Flags())
			if err != nil {
				return err
			}
			if cfg.Metrics == "" {
				return errors.New("the server has no address for health checks: set --metrics-listen 127.0.0.1:9464, for it " +
					"and for this command")
			}
			client := http.Client{Timeout: 5 * time.Second}
			response, err := client.Get("http://" + cfg.Metrics + "/healthz")
			if err != nil {
				return fmt.Errorf("the server does not answer: %w", err)
			}
			defer response.Body.Close()
			if response.StatusCode != http.StatusOK {
				text, _ := io.ReadAll(io.LimitReader(response.Body, 200))
				return fmt.Errorf("the server answers %s: %s", response.Status, text)
			}
			return nil
		},
	}
	options.addFlags(c, "metrics-listen")
	return c
}
