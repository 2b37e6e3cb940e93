package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"broadside/match"
	"broadside/relay/client"
)

// connection is one connection to the relay. It belongs to the lane's goroutine.
type connection struct {
	*lane
	rwc     io.ReadWriteCloser
	relay   *listener        // of the relay's lines
	game    *game            // the current or last one; nil before
	entered bool             // a role has arrived, or a game is continued
	resumes bool             // the relay has not answered yet whether the game continues
	asking  bool             // the relay has not answered the directives of a continued game yet
	hang    <-chan time.Time // when the program is too late; nil if nothing is due
	waiting <-chan time.Time // fires when a notice about waiting is due; nil in a game
	fault   string           // the relay's last error about the program
}

// end closes the connection. A quiet program that waits for its next game keeps running, and so does
// one whose game can continue on another connection.
func (c *connection) end() {
	c.rwc.Close()
	c.relay.stop()
	switch {
	case c.game == nil || c.game.over:
	case c.game.code != "":
		c.held = c.game
	default:
		c.program.Stop()
	}
}

// run plays until the connection or the series ends.
func (c *connection) run(ctx context.Context) error {
	resume := "resume"
	if c.resumes {
		resume = fmt.Sprintf("resume %s %d", c.game.code, c.game.heard)
	} else {
		c.waiting = time.After(FirstNotice)
	}
	c.send(c.cfg.directives(c.left, c.early, resume))
	for {
		var lines <-chan said
		if c.game != nil && !c.game.ended && !c.resumes {
			lines = c.game.said
		}
		var done bool
		var err error
		select {
		case s := <-c.relay.said:
			done, err = c.fromRelay(ctx, s)
		case s := <-lines:
			err = c.fromProgram(s)
		case <-c.hang:
			err = c.lose(os.ErrDeadlineExceeded)
		case <-c.waiting:
			c.cfg.Notice(WaitingText(c.cfg.Versus, c.cfg.Ladder))
			c.waiting = nil
		case <-ctx.Done():
			return ctx.Err()
		}
		if done || err != nil {
			return err
		}
	}
}

// fromRelay handles a line of the relay. It reports whether the series has ended.
func (c *connection) fromRelay(ctx context.Context, s said) (done bool, err error) {
	switch {
	case s.err != nil:
		return false, c.cut(s.err)
	case s.line[0] == '%':
		c.met.Store(true)
		c.answered = true
		if done, err = c.directive(s.line); done || err != nil {
			return done, err
		}
		if c.talks && c.game != nil && !c.isOwn(s.line) {
			return false, c.pass(s.line)
		}
		return false, nil
	}
	m, err := client.Parse([]byte(s.line))
	if err != nil {
		return false, fmt.Errorf("the server sent %.40q: %w", s.line, err)
	}
	switch g := c.game; {
	case m.Op == client.Defend || m.Op == client.Assault:
		if err := c.startGame(ctx, m.Op == client.Assault); err != nil {
			return false, err
		}
	case g == nil || g.over:
		return false, fmt.Errorf("the server sent %s before a role", s.line)
	case m.Op == client.Start:
		g.started = true
		c.waiting = nil
		c.due(g.attacks)
	case m.Op == client.Attack:
		c.due(true)
	case m.Op == client.Result && m.Result == match.LastSunk:
		g.decided, g.won = true, true
	}
	if m.Op != client.Defend && m.Op != client.Assault {
		c.game.heard++
	}
	return false, c.pass(s.line)
}

// isOwn reports whether a directive of the relay is for the bridge and not for the program.
func (c *connection) isOwn(line string) bool {
	verb := verbOf(line)
	own := verb == "seat" || c.asking && verb == "ok"
	if line == "% ok ready" {
		c.asking = false
	}
	return own
}

// resume continues the game. The relay has received the given number of the program's messages.
func (c *connection) resume(arrived string) error {
	g := c.game
	n, err := strconv.Atoi(arrived)
	if err != nil || n < 0 || n > len(g.sent) {
		return fmt.Errorf("the server has received %.20q messages of %d", arrived, len(g.sent))
	}
	c.resumes, c.entered = false, true
	for _, line := range g.sent[n:] {
		c.send(line + "\n")
	}
	c.due(g.waits)
	return nil
}

// startGame begins the game of a role.
func (c *connection) startGame(ctx context.Context, attacks bool) error {
	if c.begun == nil {
		if err := c.begin(ctx); err != nil {
			return err
		}
	}
	c.game, c.begun, c.entered, c.fault = c.begun, nil, true, ""
	c.game.attacks = attacks
	return nil
}

// due starts or stops the time for the program's next line.
func (c *connection) due(now bool) {
	c.game.waits = now
	if c.hang = nil; now {
		c.hang = time.After(c.cfg.Move)
	}
}

// pass sends a line to the program.
func (c *connection) pass(line string) error {
	if err := c.program.SendLine(line); err != nil && !c.game.over && !c.game.decided {
		return c.lose(err)
	}
	return nil
}

// fromProgram handles a line of the program.
func (c *connection) fromProgram(s said) error {
	g := c.game
	switch {
	case s.err != nil && (g.over || g.decided): // the program may end after a game
		g.ended = true
		return nil
	case s.err != nil:
		return c.lose(s.err)
	case s.line[0] == '%':
		return c.fromDirective(s.line)
	case g.over || g.decided:
		return nil
	}
	m, err := client.Parse([]byte(s.line))
	if err != nil {
		return c.lose(fmt.Errorf("it sent %.40q: %w", s.line, err))
	}
	c.plays.Store(true)
	switch {
	case m.Op == client.Result && m.Result == match.LastSunk:
		g.decided, g.won = true, false
		c.due(false)
	case m.Op == client.Attack:
		c.due(false)
	}
	g.sent = append(g.sent, s.line)
	c.send(s.line + "\n")
	return nil
}

// fromDirective handles a directive of the program. It answers those that must come before the
// first role.
func (c *connection) fromDirective(line string) error {
	c.talks = true
	switch verb := verbOf(line); {
	case verb == "ready":
		c.send(line + "\n")
		return nil
	case ours(verb) || slices.Contains(c.early, line):
		return c.pass("% ok " + verb)
	default:
		return c.pass("% error late " + verb + " has to come as soon as the program starts, with ready after it")
	}
}

// lose ends a game in which the program failed. The relay sees that the program has left.
func (c *connection) lose(err error) error {
	g := c.game
	err = c.fail(err)
	g.over = true
	if g.started && !g.decided {
		c.finish(false)
	}
	return c.failed(err)
}

// directive handles a directive from the relay. It reports whether the series has ended.
func (c *connection) directive(line string) (done bool, err error) {
	words := strings.Fields(line[1:])
	if len(words) < 2 {
		return verbOf(line) == "end", nil
	}
	switch words[0] {
	case "ok":
		c.admitted = c.admitted || words[1] == "vs"
		if c.resumes && words[1] == "resume" && len(words) > 2 {
			return false, c.resume(words[2])
		}
	case "seat":
		if c.game != nil {
			c.game.code = words[1]
		}
	case "error":
		if c.resumes && words[1] == "gone" {
			c.abandon()
			return false, errLost
		}
		text := strings.Join(words[2:], " ")
		if words[1] == "over" && c.admitted { // the cup has ended since
			c.endCup()
			return true, nil
		}
		return false, c.refusal(words[1], text)
	case "end":
		if words[1] == "over" {
			c.endCup()
		}
		return true, nil
	case "result":
		if c.game != nil && !c.game.over {
			return false, c.scored(words[1], words[min(2, len(words)-1)])
		}
	}
	return false, nil
}

// endCup ends the series because the cup is over.
func (c *connection) endCup() { c.left, c.result.CupOver = 0, true }

// refusal handles an error directive of the relay.
func (c *connection) refusal(code, text string) error {
	switch {
	case code == "ignored":
	case code == "unrated":
		c.cfg.Notice("the server says: " + text)
	case !c.entered || code == "refused":
		return c.refuse(code, text)
	default:
		c.fault = text
	}
	return nil
}

// scored counts the game that has ended, with the relay's result.
func (c *connection) scored(outcome, reason string) error {
	g := c.game
	g.over = true
	late := c.hang != nil // only if the relay answers for its fleet
	c.due(false)
	c.waiting = time.After(NextNotice)
	early := reason != match.FleetSunk.String()
	if early || late { // its next line may belong to this game
		c.program.Stop()
		g.ended = true
	}
	why, _ := match.ParseReason(reason)
	switch {
	case outcome == "void": // played again
	case outcome == "lost" && why.Breach():
		c.finish(false)
		err := c.failed(errors.New(cmp.Or(c.fault, reason)))
		if isFatal(err) {
			return err
		}
		c.cfg.Notice(err.Error())
	default:
		c.finish(outcome == "won")
		c.refused, c.faults = 0, 0
	}
	if early && c.left > 0 {
		c.send("% ready\n")
	}
	return nil
}

// abandon ends a game that cannot continue.
func (c *connection) abandon() {
	g := c.game
	g.code = ""
	switch {
	case g.decided:
		g.over = true
		c.finish(g.won)
	case g.started:
		c.program.Stop()
		g.over = true
	}
}

// cut handles the end of the connection.
func (c *connection) cut(err error) error {
	if g := c.game; g != nil && !g.over && g.code == "" {
		c.abandon()
	}
	if errors.Is(err, io.EOF) {
		return errLost
	}
	return fmt.Errorf("%w: %w", errLost, err)
}

// send sends lines to the relay. An error is left to the reader, because the relay's last lines
// may have arrived before it.
func (c *connection) send(lines string) { io.WriteString(c.rwc, lines) }
