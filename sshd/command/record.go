package command

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"broadside/internal/export"
	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/session"
)

func record(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "record ID [--short]",
		Short: c.lang.Text("write a finished match, as JSON or as one short line"),
		Args:  atMost(1),
	}
	cmd.Flags().Bool("json", true, c.lang.Text("write JSON; records are always JSON"))
	short := cmd.Flags().Bool("short", false, c.lang.Text("write one short line that Prolog can read"))
	cmd.RunE = c.run(func(args []string) error {
		m, err := c.record(args)
		if err != nil {
			return err
		}
		write := export.JSON
		if *short {
			write = func(m store.Match) ([]byte, error) { return session.AppendShort(nil, &m) }
		}
		b, err := write(m)
		if err == nil {
			_, err = c.out.Write(b)
		}
		return err
	})
	return cmd
}

// record returns the match with the ID in args.
func (c *call) record(args []string) (store.Match, error) {
	id, err := one(args, "the ID of a match is missing: ssh HOST history lists them")
	if err != nil {
		return store.Match{}, err
	}
	m, err := ask(c, func(own *session.Session) (store.Match, error) { return own.Record(c.ctx, strings.ToLower(id)) })
	if errors.Is(err, store.ErrNotFound) {
		return m, i18n.Errorf("there is no match %q: ssh HOST history lists finished matches", id)
	}
	return m, err
}
