package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"broadside/bots/arena"
	"broadside/match"
	"broadside/tui/term"
)

// arenaReplayCommand returns the command that shows a recorded game.
func arenaReplayCommand() *cobra.Command {
	var picture string
	c := &cobra.Command{
		Use:   "replay DIR N",
		Short: "Show the game in line N of a folder's records",
		Example: "  broadside arena duel hard prolog --out results\n" +
			"  broadside arena replay results 7 --svg game.svg",
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[1])
			if err != nil || n < 1 {
				return usageError{fmt.Errorf("invalid game number %q: choose 1 or more", args[1])}
			}
			game, err := arena.FindRecord(args[0], n)
			if err != nil {
				return err
			}
			text, err := game.CourseText()
			if err != nil {
				return fmt.Errorf("game %d: %w", n, err)
			}
			if picture != "" {
				svg, err := game.DrawCourse()
				if err != nil {
					return fmt.Errorf("game %d: %w", n, err)
				}
				if err := os.WriteFile(picture, svg, 0o666); err != nil {
					return fmt.Errorf("write picture: %w", err)
				}
			}
			if _, err := io.WriteString(c.OutOrStdout(), text); err != nil {
				return fmt.Errorf("print game: %w", err)
			}
			return nil
		},
	}
	c.Flags().StringVar(&picture, "svg", "", "write a picture of the start positions and all shots to this file")
	return c
}

// arenaWatchCommand returns the command that shows a game while it is played.
func arenaWatchCommand() *cobra.Command {
	show := arena.Exhibition{ReadFile: os.ReadFile}
	var rules, picture, mover string
	var pace time.Duration
	c := &cobra.Command{
		Use:   "watch A B",
		Short: "Watch two bots play one game",
		Long: "Shows both boards of a game between two bots, starting with the placed fleets: on a\n" +
			"terminal after each shot, otherwise after each round. The second bot fires first.",
		Example: "  broadside arena watch hard prolog\n  broadside arena watch warship tracker --rules naval --svg game.svg",
		Args:    cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if show.Rules, err = parseArenaRules(rules); err == nil {
				err = arena.Config{
					Format: arena.Duel, Players: args, Rules: show.Rules, Games: 1,
					Placement: show.Placement, Mover: mover, ReadFile: os.ReadFile,
				}.Validate()
			}
			if err != nil {
				return usageError{err}
			}
			show.Players, show.Movers = [2]string{args[0], args[1]}, [2]string{mover, mover}
			ctx, stop := cancelOnSignal(c.Context())
			defer stop()
			s := newLiveView(c.OutOrStdout(), show.Players, picture, pace)
			g, thought, err := show.Run(ctx, func(g *match.Game) error { return s.showGame(ctx, g) })
			if ctx.Err() != nil {
				return interrupted(0)
			}
			if err != nil {
				return err
			}
			v := g.FullView()
			_, err = fmt.Fprintf(s.out, "%s\n", arena.EndingText(&v, show.Players, thought[:]))
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&rules, "rules", "classic", "rules, as in a duel")
	f.Uint64Var(&show.Seed, "seed", 1, "random seed for layouts and choices")
	f.StringVar(&show.Placement, "placement", "", "how fleets are placed: "+placementList()+" (default: each bot's own way)")
	f.StringVar(&mover, "mover", "", "how fleets move under naval: "+moverList()+" (default: each bot's own way)")
	f.DurationVar(&pace, "pace", 300*time.Millisecond, "time between two shots on a terminal")
	f.StringVar(&picture, "svg", "", "write a picture of the start positions and all shots to this file, after each round")
	addBotList(c)
	addGameCompletions(c)
	return c
}

// liveView shows a game while it is played.
type liveView struct {
	out     io.Writer
	players [2]string
	// pictureFile is where to write pictures. If it is empty, none are written.
	pictureFile string
	// pace is the time between two shots. It is 0 if out is not a terminal.
	pace time.Duration
	// palette is the terminal's. It is nil if out is not a terminal.
	palette *term.Palette
	// lines is how many lines of the terminal the next frame replaces.
	lines int
}

func newLiveView(out io.Writer, players [2]string, picture string, pace time.Duration) *liveView {
	s := &liveView{out: out, players: players, pictureFile: picture}
	if terminalWidth(out) > 0 {
		s.pace, s.palette = pace, term.PaletteFor(term.Appearance{}, term.DetectTerminal(os.Getenv("TERM"), os.Environ()))
	}
	return s
}

// showGame shows a game's current state, and then waits for the pace.
func (lv *liveView) showGame(ctx context.Context, g *match.Game) error {
	v := g.FullView()
	bothFired := v.Phase == match.Over || v.Turn == match.Second
	if lv.palette != nil || bothFired {
		if _, err := io.WriteString(lv.out, lv.formatFrame(arena.DrawBoards(&v, lv.players))); err != nil {
			return fmt.Errorf("print game: %w", err)
		}
	}
	if lv.pictureFile != "" && bothFired {
		svg, err := arena.DrawCourse(v.Rules, lv.players, g.Events())
		if err != nil {
			return err
		}
		if err := os.WriteFile(lv.pictureFile, svg, 0o666); err != nil {
			return fmt.Errorf("write picture: %w", err)
		}
	}
	select {
	case <-time.After(lv.pace):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// formatFrame returns the output that shows lines. On a terminal, it replaces the previous frame.
func (lv *liveView) formatFrame(lines []string) string {
	if lv.palette == nil {
		return ansi.Strip(strings.Join(lines, "\n")) + "\n\n"
	}
	var b strings.Builder
	if lv.lines > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", lv.lines)
	}
	lv.lines = len(lines)
	for _, line := range lines {
		fmt.Fprintf(&b, "%s\x1b[K\n", lv.palette.Paint(line))
	}
	return b.String()
}
