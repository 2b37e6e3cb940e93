package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"broadside/internal/server"
	"broadside/sshd"
)

// hostKeyFormats selects the output of the hostkey command. The zero value selects an
// overview.
type hostKeyFormats struct {
	knownHosts string // HOST or HOST:PORT of lines for known_hosts; empty: none
	sshfp      bool
	json       bool
}

// write prints the keys. Lines for known_hosts have the port of the listen address, unless the
// host has a port.
func (f hostKeyFormats) write(out io.Writer, keys []sshd.HostKey, listen string) error {
	if f.json {
		return printJSON(out, describeKeys(keys))
	}
	if f.knownHosts == "" && !f.sshfp {
		for _, k := range keys {
			next := ""
			if k.Next {
				next = " (next key)"
			}
			fmt.Fprintf(out, "%s%s\n  %s\n  %s\n", k.Where, next, k.Fingerprint, k.Line)
		}
		return nil
	}
	name := "@" // the name of the zone itself
	if f.knownHosts != "" {
		host, port, err := splitHost(f.knownHosts, listen)
		if err != nil {
			return err
		}
		for _, k := range keys {
			fmt.Fprintln(out, k.KnownHosts(net.JoinHostPort(host, port)))
		}
		if net.ParseIP(host) == nil {
			name = strings.TrimSuffix(host, ".") + "."
		}
	}
	if !f.sshfp {
		return nil
	}
	for _, k := range keys {
		record, ok := k.SSHFP(name)
		if !ok {
			return fmt.Errorf("%s: no SSHFP record exists for keys of type %s", k.Where, k.Type)
		}
		fmt.Fprintln(out, record)
	}
	return nil
}

// keyReport describes a host key in hostkey --json.
type keyReport struct {
	Where       string `json:"where"`
	Type        string `json:"type"`
	Fingerprint string `json:"fingerprint"`
	Key         string `json:"key"`  // as in known_hosts, without the host
	Next        bool   `json:"next"` // not in use yet
}

func describeKeys(keys []sshd.HostKey) []keyReport {
	all := make([]keyReport, len(keys))
	for i, k := range keys {
		all[i] = keyReport{k.Where, k.Type, k.Fingerprint, k.Line, k.Next}
	}
	return all
}

// splitHost splits HOST or HOST:PORT. Without a port, it returns that of the listen address.
func splitHost(address, listen string) (host, port string, err error) {
	host, port, err = net.SplitHostPort(address)
	if err != nil { // no port
		host = strings.Trim(address, "[]")
		if _, port, err = net.SplitHostPort(listen); err != nil {
			return "", "", fmt.Errorf("--ssh %q: %w", listen, err)
		}
	}
	n, err := strconv.ParseUint(port, 10, 16)
	colons := strings.Contains(host, ":") && net.ParseIP(host) == nil
	if err != nil || n == 0 || host == "" || colons || strings.ContainsAny(host, " \t\r\n,*?!#|[]@") {
		return "", "", usageError{fmt.Errorf("--known-hosts %q: write HOST or HOST:PORT, such as play.example.org:2222", address)}
	}
	return host, port, nil
}

func hostKeyCommand() *cobra.Command {
	var options commandOptions
	var formats hostKeyFormats
	c := &cobra.Command{
		Use:   "hostkey [prepare|rotate]",
		Short: "Show the host keys, or replace them without host key warnings",
		Long: "Shows the fingerprints and public keys of the host keys. --known-hosts HOST prints\n" +
			"lines for known_hosts instead, and --sshfp prints DNS records.\n\n" +
			"To replace the keys, run \"prepare\", which creates the next keys, and restart the\n" +
			"server. It then announces them to OpenSSH clients, which store them. After some\n" +
			"weeks, run \"rotate\", which replaces the current keys by the next ones, and restart\n" +
			"the server again.",
		Example:   "  broadside hostkey --known-hosts play.example.org >> ~/.ssh/known_hosts",
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), onlyValidArgs),
		ValidArgs: []string{"prepare", "rotate"},
		RunE: func(c *cobra.Command, args []string) error {
			cfg, _, err := options.load(c.Flags())
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return showHostKeys(c.Context(), c.OutOrStdout(), cfg, formats)
			}
			if formats != (hostKeyFormats{}) {
				return usageError{fmt.Errorf("hostkey %s cannot be combined with --known-hosts, --sshfp and --json", args[0])}
			}
			return changeHostKeys(c.Context(), c.OutOrStdout(), cfg, args[0])
		},
	}
	c.Flags().StringVar(&formats.knownHosts, "known-hosts", "", "print lines for known_hosts for clients that connect to HOST or HOST:PORT")
	jsonFlag(c, &formats.json)
	c.Flags().BoolVar(&formats.sshfp, "sshfp", false, "print SSHFP records for DNS, named after the host of --known-hosts or, without it, the zone itself")
	c.MarkFlagsMutuallyExclusive("json", "known-hosts")
	c.MarkFlagsMutuallyExclusive("json", "sshfp")
	options.add(c, "data", "store", "host-keys", "ssh")
	return c
}

// showHostKeys prints the host keys.
func showHostKeys(ctx context.Context, out io.Writer, cfg server.Config, formats hostKeyFormats) error {
	keys, err := cfg.ReadHostKeys(ctx)
	if err == nil && len(keys) == 0 {
		err = errors.New("there are no host keys yet: the server creates them at its first start")
	}
	if err != nil {
		return err
	}
	return formats.write(out, keys, cfg.SSH)
}

// changeHostKeys runs "hostkey prepare" or "hostkey rotate".
func changeHostKeys(ctx context.Context, out io.Writer, cfg server.Config, action string) error {
	changed, err := cfg.ChangeHostKeys(ctx, action == "rotate")
	for _, f := range changed {
		fmt.Fprintf(out, "new: %s\n", f)
	}
	if err == nil && len(changed) == 0 {
		return errors.New("there is nothing to " + action + ": broadside hostkey shows the keys")
	}
	return err
}
