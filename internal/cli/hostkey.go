package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	gossh "golang.org/x/crypto/ssh"
)

// keyReport describes a host key in hostkey --json.
type keyReport struct {
	Type        string `json:"type"` // such as "ssh-ed25519"
	Fingerprint string `json:"fingerprint"`
	Key         string `json:"key"` // as in known_hosts, without the host
}

func hostKeyCommand() *cobra.Command {
	var options commandOptions
	var asJSON bool
	c := &cobra.Command{
		Use:   "hostkey",
		Short: "Show the host keys",
		Long: "Shows the public host keys, each with its fingerprint. While the server runs,\n" +
			"\"ssh-keyscan -p 2222 HOST\" prints them as lines for known_hosts, and with -D as\n" +
			"DNS records.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, _, err := options.load(c.Flags())
			if err != nil {
				return err
			}
			keys, err := cfg.ReadHostKeys(c.Context())
			if err != nil {
				return err
			}
			if len(keys) == 0 {
				return errors.New("there are no host keys yet: the server creates them at its first start")
			}
			reports := make([]keyReport, len(keys))
			for i, k := range keys {
				reports[i] = describeKey(k.PublicKey())
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), reports)
			}
			for _, r := range reports {
				fmt.Fprintln(c.OutOrStdout(), r.Key, r.Fingerprint)
			}
			return nil
		},
	}
	jsonFlag(c, &asJSON)
	options.add(c, "data", "store", "host-keys")
	return c
}

func describeKey(k gossh.PublicKey) keyReport {
	line := strings.TrimSpace(string(gossh.MarshalAuthorizedKey(k)))
	return keyReport{Type: k.Type(), Fingerprint: gossh.FingerprintSHA256(k), Key: line}
}
