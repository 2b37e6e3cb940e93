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
	"time"

	"broadside/match"
	"broadside/relay"
	"broadside/relay/client"
	"broadside/relay/program"
)

// Config configures a check.
type Config struct {
	Listener *net.TCPListener // where the client connects; closed when the check ends; nil with Stdio
	// Stdio means that the client plays on standard input and output of Command.
	Stdio bool
	// Command starts the client, and restarts it after it has ended. The address is in
	// BROADSIDE_RELAY and replaces {addr}, {host} and {port} in the words. Empty: the user
	// starts the client.
	Command []string
	Rules   match.Rules
	Seed    uint64
	// Connect is the time limit for each connection; it doesn't apply to the first one if
	// the user starts the client. 0: 20 s.
	Connect time.Duration
	// Hello is how long the check waits for a client's next directive before it sends the role.
	// 0: 150 ms like the relay, or 1 s with Stdio, because the client has to start.
	Hello time.Duration
	// Move is the time limit for a shot, a result, or closing the connection. 0: 10 s.
	Move time.Duration
	// Told is called after each situation with its result. It may be nil.
	Told func(Finding)
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
	Stderr    string   `json:"stderr,omitempty"` // the end of the standard error of a client on stdio that failed
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

// errGone is returned if the client does not connect in time.
var errGone = errors.New("the client did not connect")

// Run runs the client through all situations. It returns an error only if the check could
// not run; the client's faults are in the report.
func Run(ctx context.Context, cfg Config) (Report, error) {
	cfg.Connect, cfg.Move = cmp.Or(cfg.Connect, 20*time.Second), cmp.Or(cfg.Move, 10*time.Second)
	if cfg.Hello == 0 && cfg.Stdio {
		cfg.Hello = time.Second
	}
	cfg.Hello = cmp.Or(cfg.Hello, relay.DefaultHelloDelay)
	r := &runner{cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Seed, 1))}
	if len(cfg.Command) > 0 {
		r.starter = program.NewStarter()
		defer r.starter.Close()
		defer r.kill()
	}
	if cfg.Stdio {
		r.stdio = program.New(r.starter, program.Command{Words: cfg.Command})
		defer r.stdio.Close()
	} else {
		defer cfg.Listener.Close()
	}
	defer r.drop()
	plan := cfg.plan()
	r.report.planned = len(plan)
	for _, s := range plan {
		f, err := r.playSituation(ctx, s)
		if err != nil {
			return r.report, err
		}
		r.add(f)
		if f.Rule == ruleConnect && (r.starter == nil || cfg.Stdio) {
			break // the client cannot be reached or started
		}
	}
	return r.report, nil
}

// plan returns the situations of a check. On standard input, lines always end in \n.
func (c Config) plan() []situation {
	if !c.Stdio {
		return situations
	}
	return slices.DeleteFunc(slices.Clone(situations), func(s situation) bool { return s.eol != "\n" })
}

// runner holds the state of a check.
type runner struct {
	cfg     Config
	rng     *rand.Rand
	starter *program.Starter // nil if the user starts the client
	program *program.Process // nil if not known to be running
	stdio   *program.Program // nil if the client connects
	client  *candidate       // a connected client that continues its series, or nil
	quiet   bool             // the client sends no directives, so there is no need to wait for any
	report  Report
}

func (r *runner) add(f Finding) {
	r.report.Findings = append(r.report.Findings, f)
	switch f.Grade {
	case OK:
		r.report.Passed++
	case Warn:
		r.report.Warned++
	default:
		r.report.Failed++
	}
	if r.cfg.Told != nil {
		r.cfg.Told(f)
	}
}

// playSituation plays one situation.
func (r *runner) playSituation(ctx context.Context, s situation) (Finding, error) {
	f := Finding{Situation: s.name, About: s.about, Grade: OK}
	switch err := r.meet(ctx); {
	case ctx.Err() != nil:
		return f, ctx.Err()
	case errors.Is(err, errGone):
		f.Grade, f.Rule, f.Text = Fail, ruleConnect, err.Error()
		return f, nil
	case err != nil:
		return f, fmt.Errorf("waiting for the client: %w", err)
	}
	c := r.client
	stop := context.AfterFunc(ctx, func() { c.nc.Close() })
	defer stop()
	g := game{client: c, situation: s, rng: r.rng}
	p := g.play()
	if ctx.Err() != nil {
		return f, ctx.Err()
	}
	f.Shots = g.shots
	r.quiet = !c.talks
	if p == nil {
		p = c.doubt
	}
	c.doubt = nil
	if p != nil {
		f.Grade, f.Rule, f.Text, f.Last = p.grade, p.rule, p.text, slices.Clone(c.log)
		if r.stdio != nil && p.err != nil {
			failure := r.stdio.Fail(p.err)
			f.Stderr = failure.Stderr
			if failure.Kind == program.Crash || failure.Kind == program.Flood { // the text says the rest
				f.Text = fmt.Sprintf("%s: %v", p.text, failure)
			}
		}
	}
	if g.over && (c.games > 1 || c.stdio && !c.uniform) && f.Grade != Fail {
		c.games-- // the series continues
		return f, nil
	}
	r.drop()
	if f.Grade == Fail {
		r.kill() // its state is unknown
	}
	return f, nil
}

// meet waits for the client, unless it continues its series.
func (r *runner) meet(ctx context.Context) error {
	if r.stdio != nil {
		return r.begin()
	}
	if r.client != nil {
		return nil
	}
	nc, err := r.accept(ctx)
	if err != nil {
		return err
	}
	r.welcome(nc)
	return nil
}

// begin begins the next game of a client on standard input and output. A process that still
// runs is the same client as before.
func (r *runner) begin() error {
	nc, err := r.stdio.Begin()
	if err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	if r.client == nil || r.stdio.Fresh() {
		r.welcome(nc)
		r.client.stdio = true
	} else {
		r.client.nc, r.client.lines = nc, client.NewLines(nc)
	}
	return nil
}

// welcome makes a new connection the client's.
func (r *runner) welcome(nc net.Conn) {
	r.report.Connections++
	r.client = &candidate{nc: nc, lines: client.NewLines(nc), rules: r.cfg.Rules, hello: r.cfg.Hello, move: r.cfg.Move, games: 1, quiet: r.quiet}
}

// drop closes the connection, if any.
func (r *runner) drop() {
	if r.client != nil {
		r.client.nc.Close()
		r.client = nil
	}
}

// start starts the client's program unless it is running.
func (r *runner) start() error {
	if r.program != nil && !r.program.HasEnded() {
		return nil
	}
	p, err := r.starter.Start(program.Command{Words: r.cfg.Command, Address: r.cfg.Listener.Addr().String()})
	if err != nil {
		return fmt.Errorf("starting the client: %w", err)
	}
	r.program = p
	return nil
}

// kill ends the client's program, if any.
func (r *runner) kill() {
	if r.stdio != nil {
		r.stdio.Stop()
	}
	if r.program != nil {
		r.program.Kill()
		r.program = nil
	}
}

// accept waits for the client to connect.
func (r *runner) accept(ctx context.Context) (net.Conn, error) {
	l := r.cfg.Listener
	for range 2 {
		deadline := time.Now().Add(r.cfg.Connect)
		var ended <-chan struct{}
		if r.starter != nil {
			if err := r.start(); err != nil {
				return nil, err
			}
			ended = r.program.Ended()
		} else if r.report.Connections == 0 {
			deadline = time.Time{}
		}
		if err := l.SetDeadline(deadline); err != nil {
			return nil, err
		}
		done, watched := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(watched)
			select {
			case <-ended:
			case <-ctx.Done():
			case <-done:
				return
			}
			l.SetDeadline(time.Unix(1, 0)) // wakes Accept
		}()
		nc, err := l.Accept()
		close(done)
		<-watched
		switch {
		case err == nil:
			return nc, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return nil, err
		}
		if r.program == nil || !r.program.HasEnded() {
			return nil, fmt.Errorf("%w within %v", errGone, r.cfg.Connect)
		}
		// The client may have exited after its last game. Try once more.
	}
	return nil, fmt.Errorf("%w: it ended, %w", errGone, r.program.Last())
}

// role returns the message that tells a client its side.
func role(side match.Side) client.Message {
	if side == match.First {
		return client.Message{Op: client.Defend}
	}
	return client.Message{Op: client.Assault}
}
