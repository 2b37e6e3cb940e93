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
	// Listener is where the client connects, unless Stdio is set. It is closed when the check ends.
	Listener *net.TCPListener
	// Stdio means that the client plays on Command's standard input and output.
	Stdio bool
	// Command starts the client, as in [program.Config]. If it is empty, the user starts the client.
	Command []string
	Rules   match.Rules
	Seed    uint64
	// Connect is the time limit for each connection. It doesn't apply to the first one if
	// the user starts the client. 0 means 20 s.
	Connect time.Duration
	// Hello is the time for the client's directives, as in [program.Config].
	Hello time.Duration
	// Move is the time limit for a shot, a result, or closing the connection. 0 means 10 s.
	Move time.Duration
	// OnFinding is called after each situation with its result. It may be nil.
	OnFinding func(Finding)
}

// Grade says whether a client has passed a situation.
type Grade string

// The grades.
const (
	OK Grade = "ok"
	// Warn means legal but not recommended.
	Warn Grade = "warn"
	Fail Grade = "fail"
)

// Finding is the detailed result of one situation.
type Finding struct {
	// Situation is the situation's name.
	Situation string `json:"situation"`
	About     string `json:"about"`
	Grade     Grade  `json:"grade"`
	// Rule is the broken rule's name.
	Rule string `json:"rule,omitempty"`
	// Text explains the finding.
	Text string `json:"text,omitempty"`
	// Shots is the number of shots that the client fired.
	Shots int `json:"shots"`
	// Last has the last lines, with "> " before those sent to the client.
	Last []string `json:"last,omitempty"`
	// Stderr is the end of the client's standard error if the client failed.
	Stderr string `json:"stderr,omitempty"`
}

// Report is the result of a check.
type Report struct {
	Findings []Finding `json:"findings"`
	Passed   int       `json:"passed"`
	Warned   int       `json:"warned"`
	Failed   int       `json:"failed"`
	// Connections counts processes with Stdio.
	Connections int `json:"connections"`
	planned     int
}

// Rules that a client can break.
const (
	// ruleConnect says to connect, and reconnect for the next game.
	ruleConnect = "connect"
	// ruleGrammar says to send only commands.
	ruleGrammar = "grammar"
	// ruleTurn says to send only on your turn.
	ruleTurn = "turn"
	// ruleCell says to fire at cells on the board.
	ruleCell = "cell"
	// ruleAnswer says to answer for the cell that was fired at.
	ruleAnswer = "answer"
	// ruleTruth says to send results that agree with a legal fleet.
	ruleTruth = "truth"
	// ruleTime says to respond in time.
	ruleTime = "time"
	// ruleEnd says to stay during a game, and stop when it is over.
	ruleEnd = "end"
	// ruleShots says to find all ships and waste no shots.
	ruleShots = "shots"
	// ruleSpeak says to send valid directives.
	ruleSpeak = "directive"
)

// violation is the error of a client that breaks a rule.
type violation struct {
	rule string
	*program.Fault
}

// Unwrap returns the fault.
func (v *violation) Unwrap() error { return v.Fault }

func newViolation(rule, format string, args ...any) error {
	return &violation{rule, &program.Fault{Err: fmt.Errorf(format, args...)}}
}

// brokenRule returns the rule that a client has broken, given the error that it caused.
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

// runner runs a client through the situations.
type runner struct {
	cfg     Config
	rng     *rand.Rand
	program *program.Program
	request *program.Request
	// gamesLeft is how many games of its series the client still plays on its connection.
	gamesLeft int
	lastLines []string
	// warning is the situation's first one, or nil.
	warning *Finding
	report  Report
}

// Run runs the client through all situations. It returns an error only if ctx ends. The client's
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
	// On standard input, lines always end in \n.
	if cfg.Stdio {
		plan = slices.DeleteFunc(slices.Clone(plan), func(s situation) bool { return s.lineEnding != "" })
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
	if r.cfg.OnFinding != nil {
		r.cfg.OnFinding(f)
	}
}

// maxLast is the maximum number of lines in a finding.
const maxLast = 8

// logLine adds a line to the log. A refused directive causes a warning.
func (r *runner) logLine(line string) {
	r.lastLines = append(r.lastLines, program.EscapeLine(line))
	r.lastLines = r.lastLines[max(0, len(r.lastLines)-maxLast):]
	answer, refused := strings.CutPrefix(line, "> % error ")
	if refused {
		r.warn(ruleSpeak, "the directive was refused: %s", answer)
	}
}

// warn records a warning unless there already is one.
func (r *runner) warn(rule, format string, args ...any) {
	if r.warning == nil {
		r.warning = &Finding{Grade: Warn, Rule: rule, Text: fmt.Sprintf(format, args...), Last: slices.Clone(r.lastLines)}
	}
}

func (r *runner) playSituation(ctx context.Context, s situation) Finding {
	r.warning = nil
	g := game{runner: r, situation: s}
	err := r.awaitClient(ctx)
	if err == nil {
		err = g.playGame()
	}
	r.gamesLeft--
	f := Finding{Grade: OK}
	if r.warning != nil {
		f = *r.warning
	}
	if err != nil {
		r.gamesLeft = 0
		fault := r.program.Fail(err)
		f = Finding{Grade: Fail, Rule: brokenRule(err), Text: fault.Err.Error(), Stderr: fault.Stderr}
		f.Last = slices.Clone(r.lastLines)
	} else if !g.over || r.gamesLeft == 0 {
		r.gamesLeft = 0
		r.program.FinishGame(g.over)
	}
	f.Situation, f.About, f.Shots = s.name, s.about, g.clientShots
	return f
}

// awaitClient waits for the client's connection and directives, unless it continues its series.
func (r *runner) awaitClient(ctx context.Context) error {
	if r.gamesLeft > 0 {
		return nil
	}
	if err := r.program.StartGame(ctx); err != nil {
		return &violation{ruleConnect, r.program.Fail(err)}
	}
	if r.program.IsFirstGame() {
		r.report.Connections++
		r.lastLines = nil
	}
	var err error
	r.request, err = r.program.AwaitReady(program.Policy{Rules: r.cfg.Rules, Open: true})
	r.gamesLeft = r.request.Games
	return err
}

// checkSilence returns an error if the client sends something within silenceTime. when is the end of a
// sentence about it.
func (r *runner) checkSilence(when string) error {
	m, err := r.program.Receive(silenceTime)
	switch {
	case err == nil:
		return newViolation(ruleTurn, "the program sent %v %s", m, when)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil
	}
	return err
}
