package check

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"broadside/internal/sanitize"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/relay"
	"broadside/relay/client"
	"broadside/relay/program"
)

// Rules that a client can break.
const (
	ruleConnect = "connect"   // it connects, and reconnects for the next game
	ruleGrammar = "grammar"   // its lines are commands
	ruleTurn    = "turn"      // it sends only on its turn
	ruleCell    = "cell"      // its shots are on the board
	ruleAnswer  = "answer"    // its results are for the cell that was shot at
	ruleTruth   = "truth"     // its results agree with a legal fleet
	ruleTime    = "time"      // it responds in time
	ruleEnd     = "end"       // it stops when the game is over
	ruleShots   = "shots"     // it finds all ships and wastes no shots
	ruleSpeak   = "directive" // its directives are valid
)

// problem is a client's fault.
type problem struct {
	grade Grade
	rule  string
	text  string
	err   error // of the connection or of a line; nil if that is not the cause
}

func wrong(rule, format string, args ...any) *problem {
	return &problem{grade: Fail, rule: rule, text: fmt.Sprintf(format, args...)}
}

// because sets the cause of a problem.
func (p *problem) because(err error) *problem {
	p.err = err
	return p
}

// candidate is a connected client that is being checked.
type candidate struct {
	nc         net.Conn
	stdio      bool // the connection is standard input and output of a process
	lines      *client.Lines
	rules      match.Rules
	hello      time.Duration
	move       time.Duration
	talks      bool           // the client has sent a directive
	ready      bool           // it has sent ready
	quiet      bool           // it is known not to send directives
	uniform    bool           // it lets the check place its fleet
	layout     match.Layout   // its fleet if the check manages it; otherwise nil
	commits    bool           // it commits to its fleets
	commitment string         // the commitment for the next game, or empty
	opening    *match.Command // the revealed fleet; nil until it is revealed
	games      int            // remaining games of its series, including this one
	asked      bool           // it has requested the rules
	greeted    bool
	log        []string // the last lines
	doubt      *problem // the first warning
}

// A finding has at most maxLast lines, and a quoted line at most maxQuoted characters.
const maxLast, maxQuoted = 8, 120

func (c *candidate) note(mark, line string) {
	c.log = append(c.log, mark+program.Clean(line))
	c.log = c.log[max(0, len(c.log)-maxLast):]
}

// warn records a warning unless there already is one.
func (c *candidate) warn(rule, format string, args ...any) {
	if c.doubt == nil {
		c.doubt = wrong(rule, format, args...)
		c.doubt.grade = Warn
	}
}

// listen waits at most d for the client's next message. It processes directives.
func (c *candidate) listen(d time.Duration) (client.Message, error) {
	if err := c.nc.SetReadDeadline(time.Now().Add(d)); err != nil {
		return client.Message{}, err
	}
	for {
		line, err := c.lines.Next()
		if err != nil {
			return client.Message{}, err
		}
		c.note("< ", string(line))
		if line[0] != '%' {
			m, err := client.Parse(line)
			if err != nil {
				err = fmt.Errorf("it sent %s: %w", sanitize.Quote(string(line), maxQuoted), err)
			}
			return m, err
		}
		if err := c.handleDirective(string(line)); err != nil {
			return client.Message{}, err
		}
		if c.ready && !c.greeted {
			return client.Message{}, nil
		}
	}
}

// handleDirective processes a directive as the server would.
func (c *candidate) handleDirective(line string) error {
	words := strings.Fields(line[1:])
	verb, rest := "", ""
	if len(words) > 0 {
		verb, rest = strings.ToLower(words[0]), strings.Join(words[1:], " ")
	}
	c.talks = true
	answer := "ok " + strings.TrimSpace(verb+" "+rest)
	switch {
	case verb == "ready":
		c.ready = true
	case verb == "commit":
		answer = c.commit(line, strings.ToLower(rest))
	case verb == "reveal":
		answer = c.reveal(line, rest)
	case c.greeted:
		answer = "error late " + verb + " has to come before your first role: reconnect"
		c.warn(ruleSpeak, "%q comes too late to have an effect", line)
	case verb == "hello", verb == "token":
		answer = "ok " + verb
	case verb == "vs":
		c.ready = true
	case verb == "rules":
		rules, err := match.Preset(rest)
		if err != nil {
			answer = "error rules " + err.Error()
			c.warn(ruleSpeak, "%v", err)
			break
		}
		c.rules, c.asked = rules, true
	case verb == "layout":
		answer = c.setLayout(rest)
	case verb == "rated" || verb == "casual":
	case verb == "games":
		n, err := strconv.Atoi(rest)
		if err != nil || n < 1 {
			answer = "error games say how many games the series has"
			c.warn(ruleSpeak, "%q does not say how many", line)
			break
		}
		c.games = n
	default:
		answer = relay.Unimplemented(verb)
		c.warn(ruleSpeak, "%q is no directive", line)
	}
	return c.write("% "+answer, "\n", false)
}

// commit processes the directive commit and returns the answer.
func (c *candidate) commit(line, commitment string) string {
	if !match.ValidCommitment(commitment) {
		c.warn(ruleSpeak, "%q has no SHA-256", line)
		return "error commit say commit and a SHA-256 in 64 hexadecimal digits"
	}
	c.commits, c.commitment = true, commitment
	return "ok commit"
}

// reveal processes the directive reveal and returns the answer.
func (c *candidate) reveal(line, args string) string {
	salt, ships, _ := strings.Cut(args, " ")
	all, err := layoutfile.Parse(c.rules, strings.ReplaceAll(ships, ";", "\n"))
	if err != nil || !match.ValidSalt(salt) {
		c.warn(ruleSpeak, "%q cannot be read: %v", line, err)
		return "error reveal say reveal, the salt and the ships with ; between them"
	}
	reveal := match.Reveal(match.First, salt, all[0])
	c.opening = &reveal
	return "ok reveal"
}

// setLayout processes the directive layout and returns the answer.
func (c *candidate) setLayout(layout string) string {
	if layout == "uniform" {
		c.uniform = true
		return "ok layout"
	}
	all, err := layoutfile.Parse(c.rules, strings.ReplaceAll(layout, ";", "\n"))
	if err != nil {
		c.warn(ruleSpeak, "%v", err)
		return "error layout " + err.Error()
	}
	c.uniform, c.layout = true, all[0]
	return "ok layout"
}

// await processes directives from the client until so returns true.
func (c *candidate) await(so func() bool, what string) *problem {
	for !so() {
		if err := c.nc.SetReadDeadline(time.Now().Add(c.move)); err != nil {
			return left(err)
		}
		line, err := c.lines.Next()
		if err != nil {
			return wrong(ruleSpeak, "no %s came: %v", what, err)
		}
		c.note("< ", string(line))
		if line[0] != '%' {
			return wrong(ruleTurn, "it sent %q, but its %s is due", line, what)
		}
		if err := c.handleDirective(string(line)); err != nil {
			return left(err)
		}
	}
	return nil
}

// write sends a line; if bytewise is set, each byte separately.
func (c *candidate) write(line, eol string, bytewise bool) error {
	for l := range strings.SplitSeq(line, "\n") {
		c.note("> ", l)
	}
	text := strings.ReplaceAll(line, "\n", eol) + eol
	if err := c.nc.SetWriteDeadline(time.Now().Add(c.move)); err != nil {
		return err
	}
	if !bytewise {
		_, err := io.WriteString(c.nc, text)
		return err
	}
	for i := range len(text) {
		if _, err := io.WriteString(c.nc, text[i:i+1]); err != nil {
			return err
		}
		if i == len(text)/2 { // one pause keeps the network from merging all bytes
			time.Sleep(time.Millisecond)
		}
	}
	return nil
}

// expect waits for the client's next message, which must have the given opcode.
func (c *candidate) expect(op client.Op) (client.Message, *problem) {
	what := map[client.Op]string{client.Attack: "shot", client.Result: "answer"}[op]
	m, err := c.listen(c.move)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return m, wrong(ruleTime, "no %s came within %v", what, c.move).because(err)
	case relay.Breach(err) != match.Hangup:
		return m, wrong(ruleGrammar, "instead of its %s, %v", what, err).because(err)
	case err != nil:
		return m, wrong(ruleEnd, "it closed the connection in the middle of the game, instead of its %s", what).because(err)
	case m.Op != op:
		return m, wrong(ruleTurn, "it sent %v, but its %s is due", m, what)
	}
	return m, nil
}

// silent checks that the client sends nothing for d.
func (c *candidate) silent(d time.Duration, when string) *problem {
	m, err := c.listen(d)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil
	case err == nil:
		return wrong(ruleTurn, "it sent %v %s", m, when)
	case relay.Breach(err) != match.Hangup:
		return wrong(ruleGrammar, "%s: %v", when, err).because(err)
	}
	return wrong(ruleEnd, "it closed the connection %s", when).because(err)
}
