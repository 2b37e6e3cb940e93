package command

import (
	"math/rand/v2"

	"github.com/spf13/cobra"

	"broadside/bots"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/sshd"
)

func play(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:         "play [--vs BOT] [--rules RULES] [--casual]",
		Short:       c.lang.Text("play now: the next opponent, or a bot"),
		Args:        atMost(0),
		Annotations: map[string]string{sshd.OpensScreen: ""},
	}
	vs := cmd.Flags().String("vs", "", c.lang.Text("bot to play (default: next available player)"))
	rules := c.flags(cmd).rules()
	casual := cmd.Flags().Bool("casual", false, c.lang.Text("play casual matches, which change no ratings"))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		r, err := match.Preset(*rules)
		if err != nil {
			return sshd.UsageError{Err: err}
		}
		o := session.Opening{Play: true, Bot: *vs, Rules: r}
		if *casual {
			o.Stakes = lobby.Casual
		}
		if cmd.Flags().Changed("vs") {
			if _, err := bots.New(o.Bot, bots.Config{Rules: r, Rand: rand.New(rand.NewPCG(0, 0))}); err != nil {
				return sshd.UsageError{Err: err}
			}
		}
		sshd.Open(cmd, o)
		return nil
	}
	return cmd
}
