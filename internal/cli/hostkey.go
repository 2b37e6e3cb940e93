package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/server"
)

// keyReport describes a host key in hostkey --json.
type keyReport struct {
	// Type is a key type such as ssh-ed25519.
	Type        string `json:"type"`
	Fingerprint string `json:"fingerprint"`
	// Key is the public key as in known_hosts, without the host.
	Key string `json:"key"`
}

func hostKeyCommand() *cobra.Command {
	used := []string{"data", "store", "host-keys"}
	return makeReportCommand(&cobra.Command{
		Use:   "hostkey",
		Short: "Show the host keys",
		Long: "Shows the public host keys, each with its fingerprint. While the server runs,\n" +
			"\"ssh-keyscan -p 2222 HOST\" prints them as lines for known_hosts, and with -D as\n" +
			"DNS records.",
		Args: cobra.NoArgs,
	}, used, func(ctx context.Context, cfg server.Config, _ []string) (any, string, error) {
		keys, err := cfg.ReadHostKeys(ctx)
		if err == nil && len(keys) == 0 {
			err = errors.New("there are no host keys yet: the server creates them at its first start")
		}
		var reports []keyReport
		var text strings.Builder
		for _, k := range keys {
			public := k.PublicKey()
			line := strings.TrimSpace(string(gossh.MarshalAuthorizedKey(public)))
			r := keyReport{Type: public.Type(), Fingerprint: gossh.FingerprintSHA256(public), Key: line}
			reports = append(reports, r)
			fmt.Fprintln(&text, r.Key, r.Fingerprint)
		}
		return reports, text.String(), err
	})
}
