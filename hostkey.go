package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"broadside/sshd"
)

func hostKeyCommand() *cobra.Command {
	var options commandOptions
	c := &cobra.Command{
		Use:   "hostkey [prepare|rotate]",
		Short: "Show the host keys, or change them without frightening anybody",
		Long: "Shows the host keys, as fingerprints and as lines for known_hosts.\n\n" +
			"To change them: \"prepare\" makes the next ones, which the server tells of from\n" +
			"its next start on, so that OpenSSH's clients learn them. After some weeks\n" +
			"\"rotate\" puts them in the place of the old ones, from the next start on.",
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"prepare", "rotate"},
		RunE: func(c *cobra.Command, args []string) error {
			cfg, _, err := options.load(c.Flags())
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			if len(args) == 0 {
				keys, err := sshd.HostKeys(cfg.data)
				if err == nil && len(keys) == 0 {
					err = errors.New("there are no host keys yet: the server makes them on its first start")
				}
				for _, k := range keys {
					next := ""
					if k.Next {
						next = " (the next one)"
					}
					fmt.Fprintf(out, "%s%s\n  %s\n  %s\n", k.File, next, k.Fingerprint, k.Line)
				}
				return err
			}
			change := sshd.PrepareHostKeys
			if args[0] == "rotate" {
				change = sshd.RotateHostKeys
			}
			files, err := change(cfg.data)
			for _, f := range files {
				fmt.Fprintf(out, "new: %s\n", f)
			}
			if err == nil && len(files) == 0 {
				return errors.New("there is nothing to " + args[0] + ": broadside hostkey shows what there is")
			}
			return err
		},
	}
	options.flags(c.Flags())
	return c
}
