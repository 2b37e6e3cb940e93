package program

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/relay/client"
)

// Policy says what a program may ask for.
type Policy struct {
	// Rules are the rules for a program that does not ask for others.
	Rules match.Rules
	// Open grants everything that a server would grant. Otherwise the program plays one game by
	// Rules against an opponent that has been chosen. It keeps its fleet or gets a random one.
	Open bool
}

// Request is what a program has asked for with directives.
type Request struct {
	UsesDirectives bool
	Ready          bool
	Rules          match.Rules
	// Uniform means that the host holds the program's fleet and answers for it. The fleet is Layout,
	// or random if that is nil.
	Uniform bool
	Layout  match.Layout
	// Games is the length of the program's series. It is at least 1.
	Games int
	// Forward are the granted directives that a server would have to know, too.
	Forward []string

	hasChosenRules bool
}

// directives are all directives of the protocol, in the order in which errors list them.
var directives = []struct {
	verb string
	// open directives are granted only by an open policy.
	open bool
	// repeat means that the answer repeats the arguments.
	repeat bool
	// forward means that a server would have to know the directive.
	forward bool
	apply   func(r *Request, policy Policy, args string) error
}{
	{verb: "hello", apply: acceptDirective},
	{verb: "token", apply: acceptDirective, open: true},
	{verb: "rules", apply: (*Request).setRules, repeat: true, forward: true},
	// Like ladder and resume, pace needs a server.
	{verb: "pace"},
	{verb: "vs", apply: (*Request).setOpponent, repeat: true},
	{verb: "ladder"},
	{verb: "layout", apply: (*Request).setLayout, forward: true},
	{verb: "resume"},
	{verb: "games", apply: (*Request).setGames, repeat: true},
	{verb: "rated", apply: acceptDirective, open: true, forward: true},
	{verb: "casual", apply: acceptDirective, open: true, forward: true},
	{verb: "ready", apply: (*Request).setReady},
}

// UnknownDirective is the answer to a directive that the protocol does not have.
var UnknownDirective = func() string {
	var verbs []string
	for _, d := range directives {
		verbs = append(verbs, d.verb)
	}
	last := len(verbs) - 1
	return "error unknown directive: there are " + strings.Join(verbs[:last], ", ") + " and " + verbs[last]
}()

// LateDirective returns the answer to a directive that comes after the first role.
func LateDirective(verb string) string {
	return "error late " + verb + " has to come before your first role: reconnect"
}

// applyDirective carries out a directive and returns the answer.
func (r *Request) applyDirective(line string, policy Policy) string {
	r.UsesDirectives = true
	sent := client.ParseDirective([]byte(line))
	args := strings.Join(sent.Args, " ")
	for _, d := range directives {
		if d.verb != sent.Verb {
			continue
		}
		if d.apply == nil || d.open && !policy.Open {
			return "error " + d.verb + " is not available here: leave it out"
		}
		if err := d.apply(r, policy, args); err != nil {
			return fmt.Sprintf("error %s %v", d.verb, err)
		}
		if d.forward {
			r.Forward = append(r.Forward, line)
		}
		if d.repeat {
			return "ok " + d.verb + " " + args
		}
		return "ok " + d.verb
	}
	return UnknownDirective
}

func acceptDirective(*Request, Policy, string) error { return nil }

func (r *Request) setReady(Policy, string) error {
	r.Ready = true
	return nil
}

func (r *Request) setRules(policy Policy, name string) error {
	rules := policy.Rules
	if name != rules.Name {
		if !policy.Open {
			return fmt.Errorf("the rules are %s", rules.Name)
		}
		var err error
		if rules, err = match.Preset(name); err != nil {
			return err
		}
	}
	r.Rules, r.hasChosenRules = rules, true
	return nil
}

func (r *Request) setOpponent(policy Policy, opponent string) error {
	r.Ready = true
	if !policy.Open && opponent != "any" {
		return errors.New("your opponent has been chosen")
	}
	return nil
}

func (r *Request) setLayout(policy Policy, ships string) error {
	if ships != "uniform" && !policy.Open {
		return errors.New("there is only layout uniform")
	}
	if ships == "uniform" {
		r.Uniform, r.Layout = true, nil
		return nil
	}
	layout, err := ParseLayout(r.Rules, ships)
	if err != nil {
		return err
	}
	r.Uniform, r.Layout = true, layout
	return nil
}

// ParseLayout parses one fleet in the format of layout files, with semicolons between its lines.
func ParseLayout(r match.Rules, ships string) (match.Layout, error) {
	all, err := layoutfile.Parse(r, strings.ReplaceAll(ships, ";", "\n"))
	if err != nil {
		return nil, err
	}
	if len(all) > 1 {
		return nil, errors.New("two fleets: send one")
	}
	return all[0], nil
}

func (r *Request) setGames(policy Policy, count string) error {
	n, err := strconv.Atoi(count)
	switch {
	case err != nil || n < 1:
		return errors.New("say how many games the series has")
	case n > 1 && !policy.Open:
		return errors.New("there is one game on a connection: say games 1, and connect again for the next")
	}
	r.Games = n
	return nil
}

// ErrNoSalvo is the error of a program that would not understand several shots in a turn.
var ErrNoSalvo = errors.New("the program has not asked for several shots in a turn")

// AwaitReady carries out the directives of a new process or connection. It blocks until the program is
// ready or its time for directives is over, unless the program has already played without directives.
func (p *Program) AwaitReady(policy Policy) (*Request, error) {
	s := p.currentStream()
	r := &s.request
	if s.directivesOver {
		return r, nil
	}
	r.Rules, r.Games = policy.Rules, 1
	for end := time.Now().Add(p.cfg.Hello); !r.Ready && !p.skipsHello; {
		line, err := p.ReadLine(max(1, time.Until(end)))
		if errors.Is(err, os.ErrDeadlineExceeded) {
			break
		}
		if err != nil {
			return r, err
		}
		if line[0] != '%' {
			m, err := parseMessage(line)
			if err == nil {
				err = fmt.Errorf("the program sent %v before it had a role: %w", m, client.ErrOutOfTurn)
			}
			return r, err
		}
		if err := p.SendLine("% " + r.applyDirective(line, policy)); err != nil {
			return r, err
		}
	}
	s.directivesOver = true
	if r.Rules.Salvo && !r.hasChosenRules {
		return r, fmt.Errorf("%w: send %% rules %s", ErrNoSalvo, r.Rules.Name)
	}
	return r, nil
}

// AnswerLateDirective answers a directive that comes after the first role. It refuses all but ready.
func (p *Program) AnswerLateDirective(line string) error {
	p.currentStream().request.UsesDirectives = true
	verb := client.ParseDirective([]byte(line)).Verb
	if verb == "ready" {
		return p.SendLine("% ok ready")
	}
	return p.SendLine("% " + LateDirective(verb))
}
