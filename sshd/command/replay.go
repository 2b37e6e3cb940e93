package command

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"broadside/internal/export"
	"broadside/internal/i18n"
	"broadside/match"
)

func replay(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "replay ID [--cast]",
		Short: c.lang.Text("show a finished match, as text or as an animation"),
		Args:  atMost(1),
	}
	cast := cmd.Flags().Bool("cast", false, c.lang.Text("write an asciicast, for asciinema"))
	cmd.RunE = c.run(func(args []string) error {
		m, err := c.record(args)
		if err != nil {
			return err
		}
		if *cast {
			err = export.Cast(c.lang, c.out, m)
		} else {
			var text string
			if text, err = export.Text(c.lang, m); err == nil {
				_, err = io.WriteString(c.out, text)
			}
		}
		if errors.Is(err, match.ErrHistory) {
			c.cfg.Log.Error("a match cannot be played again", "match", m.ID, "error", err)
			return i18n.Errorf("the record of this match is damaged and cannot be shown")
		}
		return err
	})
	return cmd
}
