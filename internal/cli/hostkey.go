package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"broadside/internal/store"
	"broadside/sshd"
)

// Where host keys can be besides in a folder.
const (
	keysInStore       = "store"
	keysInEnvironment = "env"

	keyVariable  = "BROADSIDE_HOST_KEY_PEM" // private keys in PEM
	keyStateName = "host keys"              // in the store: the same
	keyDatabase  = "the database"
)

// keyPlace is where the host keys are: a folder, keysInStore or
// keysInEnvironment.
func (c *serveConfig) keyPlace() string {
	switch {
	case c.hostKeys != "":
		return c.hostKeys
	case c.clustered():
		return keysInStore
	}
	return c.data
}

// openHostKeys reads the host keys, and makes those that have to be there. Into
// the store go those of the data folder, if it has any and the store has none.
func (c *serveConfig) openHostKeys(ctx context.Context, shelf *store.Store) ([]sshd.HostKey, error) {
	switch place := c.keyPlace(); place {
	case keysInEnvironment:
		return keysOfEnvironment()
	case keysInStore:
		kept, err := shelf.State.Get(ctx, keyStateName)
		if err != nil {
			return nil, err
		}
		text := []byte(kept)
		if kept == "" {
			if text, err = sshd.HostKeyText(c.data); err != nil {
				return nil, err
			}
		}
		if text, err = sshd.CompleteHostKeys(text, c.ecdsa); err != nil {
			return nil, err
		}
		if kept != string(text) { // unless another server is faster
			// The nodes of a cluster need the keys before one of them is active, so their
			// own stores cannot change anything yet.
			if err := c.withStore(ctx, func(shelf *store.Store) (err error) {
				kept, err = shelf.State.SetIfUnchanged(ctx, keyStateName, kept, string(text))
				return err
			}); err != nil {
				return nil, err
			}
		}
		return sshd.ParseHostKeys(keyDatabase, []byte(kept))
	default:
		if err := os.MkdirAll(place, 0o700); err != nil {
			return nil, fmt.Errorf("the folder for the host keys cannot be made: %w: choose another with --host-keys", err)
		}
		return sshd.OpenHostKeys(place, c.ecdsa)
	}
}

// readHostKeys reads the host keys that there are.
func (c *serveConfig) readHostKeys(ctx context.Context) (keys []sshd.HostKey, err error) {
	switch place := c.keyPlace(); place {
	case keysInEnvironment:
		return keysOfEnvironment()
	case keysInStore:
		err = c.withStore(ctx, func(shelf *store.Store) error {
			text, err := shelf.State.Get(ctx, keyStateName)
			if err == nil && text != "" {
				keys, err = sshd.ParseHostKeys(keyDatabase, []byte(text))
			}
			return err
		})
		return keys, err
	default:
		return sshd.HostKeys(place)
	}
}

// changeHostKeys prepares the next host keys, or puts them in the place of the
// old ones, and tells what has changed.
func (c *serveConfig) changeHostKeys(ctx context.Context, rotate bool) (changed []string, err error) {
	switch place := c.keyPlace(); place {
	case keysInEnvironment:
		return nil, errors.New("the host keys are in the environment: change them there; of two keys of one type the second is the next one")
	case keysInStore:
		change := sshd.PrepareHostKeyText
		if rotate {
			change = sshd.RotateHostKeyText
		}
		err = c.withStore(ctx, func(shelf *store.Store) error {
			text, err := shelf.State.Get(ctx, keyStateName)
			if err != nil || text == "" {
				return err
			}
			next, n, err := change([]byte(text))
			if err != nil || n == 0 {
				return err
			}
			kept, err := shelf.State.SetIfUnchanged(ctx, keyStateName, text, string(next))
			if err == nil && kept != string(next) {
				err = errors.New("somebody else has changed the host keys just now")
			}
			if err == nil {
				changed = []string{fmt.Sprintf("host keys in %s: %d", keyDatabase, n)}
			}
			return err
		})
		return changed, err
	default:
		if rotate {
			return sshd.RotateHostKeys(place)
		}
		return sshd.PrepareHostKeys(place)
	}
}

// withStore opens the store for a moment, if there is one. A server may be at
// work on it.
func (c *serveConfig) withStore(ctx context.Context, do func(*store.Store) error) error {
	if _, err := os.Stat(filepath.Join(c.data, store.FileName)); c.store == "" && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	shelf, err := store.Open(ctx, store.Config{Folder: c.data, URL: c.store})
	if err != nil {
		return err
	}
	return errors.Join(do(shelf), shelf.Close())
}

func keysOfEnvironment() ([]sshd.HostKey, error) {
	text := os.Getenv(keyVariable)
	if text == "" {
		return nil, fmt.Errorf("the host keys are to be in the environment, but %s is empty: put a private key in PEM into it, or choose another place with --host-keys", keyVariable)
	}
	return sshd.ParseHostKeys(keyVariable, []byte(text))
}

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
				keys, err := cfg.readHostKeys(c.Context())
				if err == nil && len(keys) == 0 {
					err = errors.New("there are no host keys yet: the server makes them on its first start")
				}
				if err != nil {
					return err
				}
				return forms.write(out, keys, cfg.ssh)
			}
			if forms != (hostKeyForms{}) {
				return fmt.Errorf("hostkey %s changes the keys and prints no lines: leave out --known-hosts and --sshfp", args[0])
			}
			changed, err := cfg.changeHostKeys(c.Context(), args[0] == "rotate")
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
