package cli

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"broadside/sshd"
)

// hostKeyForms are the forms in which the hostkey command prints keys, besides
// its overview.
type hostKeyForms struct {
	knownHosts string // the host that clients connect to, or host:port; empty: no such lines
	sshfp      bool
}

// write prints the keys. The port of a known host is the server's own unless
// the host has one.
func (f hostKeyForms) write(out io.Writer, keys []sshd.HostKey, listen string) error {
	if f.knownHosts == "" && !f.sshfp {
		for _, k := range keys {
			next := ""
			if k.Next {
				next = " (the next one)"
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

// splitHost splits what a client connects to, HOST or HOST:PORT, and takes the
// port from the address the server listens at if there is none.
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
		return "", "", fmt.Errorf("--known-hosts %q: write HOST or HOST:PORT, such as play.example.org:2222", address)
	}
	return host, port, nil
}

func hostKeyCommand() *cobra.Command {
	var options commandOptions
	var forms hostKeyForms
	c := &cobra.Command{
		Use:   "hostkey [prepare|rotate]",
		Short: "Show the host keys, or change them without frightening anybody",
		Long: "Shows the fingerprints of the host keys, and the public keys. --known-hosts HOST\n" +
			"prints lines for known_hosts instead, and --sshfp prints DNS records.\n\n" +
			"To change them: \"prepare\" makes the next ones, which the server tells of from\n" +
			"its next start on, so that OpenSSH's clients learn them. After some weeks\n" +
			"\"rotate\" puts them in the place of the old ones, from the next start on.",
		Example:   "  broadside hostkey --known-hosts play.example.org >> ~/.ssh/known_hosts",
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"prepare", "rotate"},
		RunE: func(c *cobra.Command, args []string) error {
			cfg, _, err := options.load(c.Flags())
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			if len(args) == 0 {
				keys, err := cfg.ReadHostKeys(c.Context())
				if err == nil && len(keys) == 0 {
					err = errors.New("there are no host keys yet: the server makes them on its first start")
				}
				if err != nil {
					return err
				}
				return forms.write(out, keys, cfg.SSH)
			}
			if forms != (hostKeyForms{}) {
				return fmt.Errorf("hostkey %s changes the keys and prints no lines: leave out --known-hosts and --sshfp", args[0])
			}
			changed, err := cfg.ChangeHostKeys(c.Context(), args[0] == "rotate")
			for _, f := range changed {
				fmt.Fprintf(out, "new: %s\n", f)
			}
			if err == nil && len(changed) == 0 {
				return errors.New("there is nothing to " + args[0] + ": broadside hostkey shows what there is")
			}
			return err
		},
	}
	c.Flags().StringVar(&forms.knownHosts, "known-hosts", "", "print lines for known_hosts; HOST or HOST:PORT is what clients connect to")
	c.Flags().BoolVar(&forms.sshfp, "sshfp", false, "print SSHFP records for DNS, named after the host of --known-hosts or the zone itself")
	options.flags(c.Flags())
	return c
}
