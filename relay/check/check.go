package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"broadside/match"
	"broadside/relay/client"
	"broadside/relay/program"
)

// Config configures a check.
type Config struct {
	Listener *net.TCPListener // where the client connects; closed when the check ends; nil with Stdio
	// Stdio means that the client plays on standard input and output of Command.
	Stdio bool
	// Command starts the client, and restarts it after it has ended: see [program.Config]. Empty: the
	// user starts the client.
	Command []string
	Rules   match.Rules
	Seed    uint64
	// Connect is the time limit for each connection; it doesn't apply to the first one if
	// the user starts the client. 0: 20 s.
	Connect time.Duration
	// Hello is the time for the client's directives. 0: as in [program.Config].
	Hello time.Duration
	// Move is the time limit for a shot, a result, or closing the connection. 0: 10 s.
	Move time.Duration
	// Report is called after each situation with its result. It may be nil.
	Report func(Finding)
}

// Grade is the result of a situation.
type Grade string

// The grades.
const (
	OK   Grade = "ok"
	Warn Grade = "warn" // legal but not recommended
	Fail Grade = "fail"
)

// Finding is the detailed result of one situation.
type Finding struct {
	Situation string   `json:"situation"` // its name
	About     string   `json:"about"`
	Grade     Grade    `json:"grade"`
	Rule      string   `json:"rule,omitempty"`   // name of the broken rule
	Text      string   `json:"text,omitempty"`   // explanation
	Shots     int      `json:"shots"`            // fired by the client
	Last      []string `json:"last,omitempty"`   // the last lines; "> " marks lines sent to the client
	Stderr    string   `json:"stderr,omitempty"` // the end of the standard error of a client that failed
}

// Report is the result of a check.
type Report struct {
	Findings    []Finding `json:"findings"`
	Passed      int       `json:"passed"`
	Warned      int       `json:"warned"`
	Failed      int       `json:"failed"`
	Connections int       `json:"connections"` // processes, with Stdio
	planned     int       // situations
}

// Rules that a client can break.
const (
	ruleConnect = "connect"   // it connects, and reconnects for the next game
	ruleGrammar = "grammar"   // its lines are commands
	ruleTurn    = "turn"      // it sends only on its turn
	ruleCell    = "cell"      // its shots are on the board
	ruleAnswer  = "answer"    // its results are for the cell that was shot at
	ruleTruth   = "truth"     // its results agree with a legal fleet
	ruleTime    = "time"      // it responds in time
	ruleEnd     = "end"       // it stays during a game and stops when the game is over
	ruleShots   = "shots"     // it finds all ships and wastes no shots
	ruleSpeak   = "directive" // its directives are valid
)

// violation is the error of a client that breaks a rule, other than those of the connection.
type violation struct {
	rule string
	*program.Fault
}

// Unwrap returns the fault.
func (v *violation) Unwrap() error { return v.Fault }

func newViolation(rule, format string, args ...any) error {
	return &violation{rule, &program.Fault{Err: fmt.Errorf(format, args...)}}
}

// brokenRule returns the rule that a client breaks by causing an error.
func brokenRule(err error) string {
	var v *violation
	switch reason := client.BreachReason(err); {
	case errors.As(err, &v):
		return v.rule
	case errors.Is(err, program.ErrNoSalvo):
		return ruleSpeak
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, program.ErrUnread):
		return ruleTime
	case reason == match.OutOfTurn:
		return ruleTurn
	case reason == match.Hangup:
		return ruleEnd
	}
	return ruleGrammar
}

// runner holds the state of a check.
type runner struct {
	cfg     Config
	rng     *rand.Rand
	program *program.Program
	request *program.Request
	left    int      // games of the client's series that are still to be played on its connection
	log     []string // the last lines
	warning *Finding // the first one of the situation, or nil
	report  Report
}

// Run runs the client through all situations. It returns an error only if ctx ends; the client's
// faults are in the report.
func Run(ctx context.Context, cfg Config) (Report, error) {
	cfg.Move = cmp.Or(cfg.Move, 10*time.Second)
	r := &runner{cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Seed, 1))}
	r.program = program.New(program.Config{
		Words: cfg.Command, Stdio: cfg.Stdio, Listener: cfg.Listener,
		Connect: cmp.Or(cfg.Connect, 20*time.Second), Hello: cfg.Hello, Move: cfg.Move, Log: r.logLine,
	})
	if cfg.Listener != nil {
		defer cfg.Listener.Close()
	}
	defer r.program.Close()
	plan := situations
	if cfg.Stdio { // where lines always end in \n
		plan = slices.DeleteFunc(slices.Clone(plan), func(s situation) bool { return s.eol != "\n" })
	}
	r.report.planned = len(plan)
	for _, s := range plan {
		f := r.playSituation(ctx, s)
		if ctx.Err() != nil {
			return r.report, ctx.Err()
		}
		r.addFinding(f)
		if f.Rule == ruleConnect {
			break
		}
	}
	return r.report, nil
}

func (r *runner) addFinding(f Finding) {
	r.report.Findings = append(r.report.Findings, f)
	switch f.Grade {
	case OK:
		r.report.Passed++
	case Warn:
		r.report.Warned++
	default:
		r.report.Failed++
	}
	if r.cfg.Report != nil {
		r.cfg.Report(f)
	}
}

// A finding has at most maxLast lines.
const maxLast = 8

// logLine adds a line to the log. A refused directive is a warning.
func (r *runner) logLine(line string) {
	r.log = append(r.log, program.EscapeLine(line))
	r.log = r.log[max(0, len(r.log)-maxLast):]
	answer, refused := strings.CutPrefix(line, "> % error ")
	if refused {
		r.warn(ruleSpeak, "its directive was refused: %s", answer)
	}
}

// warn records a warning unless there already is one.
func (r *runner) warn(rule, format string, args ...any) {
	if r.warning == nil {
		r.warning = &Finding{Grade: Warn, Rule: rule, Text: fmt.Sprintf(format, args...), Last: slices.Clone(r.log)}
	}
}

// playSituation plays one situation.
func (r *runner) playSituation(ctx context.Context, s situation) Finding {
	r.warning = nil
	g := game{runner: r, situation: s}
	err := r.awaitClient(ctx)
	if err == nil {
		err = g.play()
	}
	r.left--
	f := Finding{Grade: OK}
	if r.warning != nil {
		f = *r.warning
	}
	if err != nil {
		r.left = 0
		fault := r.program.Fail(err)
		f = Finding{Grade: Fail, Rule: brokenRule(err), Text: fault.Err.Error(), Stderr: fault.Stderr}
		f.Last = slices.Clone(r.log)
	} else if !g.over || r.left == 0 {
		r.left = 0
		r.program.FinishGame(g.over)
	}
	f.Situation, f.About, f.Shots = s.name, s.about, g.shots
	return f
}

// awaitClient waits for the client, unless it continues its series.
func (r *runner) awaitClient(ctx context.Context) error {
	if r.left > 0 {
		return nil
	}
	if err := r.program.StartGame(ctx); err != nil {
		return &violation{ruleConnect, r.program.Fail(err)}
	}
	if r.program.IsFirstGame() {
		r.report.Connections++
		r.log = nil
	}
	var err error
	r.request, err = r.program.AwaitReady(program.Policy{Rules: r.cfg.Rules, Open: true})
	r.left = r.request.Games
	return err
}

// checkSilence checks that the client sends nothing for a short time.
func (r *runner) checkSilence(when string) error {
	m, err := r.program.Receive(silenceTime)
	switch {
	case err == nil:
		return newViolation(ruleTurn, "it sent %v %s", m, when)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil
	}
	return err
}
