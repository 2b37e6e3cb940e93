package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/build"
)

// versionOut is the JSON of the server's build.
type versionOut struct {
	Version string `json:"version"` // such as v1.2.3, or devel
	Commit  string `json:"commit"`  // empty if it is not known, like Date
	Date    string `json:"date"`    // of the commit, in RFC 3339
}

func version(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version [--json]",
		Short: c.lang.Text("show the server's version"),
		Args:  atMost(0),
	}
	asJSON := c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		b := build.Read()
		return c.list(*asJSON, versionOut(b), [][]string{{b.String()}})
	})
	return cmd
}
