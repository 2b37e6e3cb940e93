package command

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"broadside/internal/export"
	"broadside/internal/narrate"
	"broadside/match"
	"broadside/sshd"
)

func listRules(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules [--json]",
		Short: c.lang.Text("list the rule sets"),
		Args:  atMost(0),
	}
	asJSON := c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		rows := [][]string{c.heads("Name", "Board", "Ships", "Rules")}
		for _, name := range match.Presets() {
			r, err := match.Preset(name)
			if err != nil {
				return sshd.UsageError{Err: err}
			}
			rows = append(rows, []string{r.Name, fmt.Sprintf("%d×%d", r.Size, r.Size), lengths(r.Fleet), strings.Join(narrate.Traits(c.lang, r), ", ")})
		}
		return c.list(*asJSON, export.Presets(), rows)
	})
	return cmd
}

// lengths returns the lengths of the ships of a fleet, such as "5 4 3 3 2".
func lengths(fleet []match.Class) string {
	all := make([]string, len(fleet))
	for i, ship := range fleet {
		all[i] = strconv.Itoa(ship.Length)
	}
	return strings.Join(all, " ")
}
