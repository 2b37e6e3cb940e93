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
	Rules match.Rules // unless the program asks for others
	// Open grants everything that a server would grant. Otherwise the program plays one game by
	// Rules against an opponent that has been chosen, and its fleet, if it does not keep one, is random.
	Open bool
}

// Request is what a program has asked for with directives.
type Request struct {
	Spoke   bool // it has sent a directive
	Ready   bool
	Rules   match.Rules
	Uniform bool         // the host holds its fleet and answers for it
	Layout  match.Layout // the fleet, if Uniform; nil: a random one
	Games   int          // length of its series; at least 1

	chosen bool // the program has asked for Rules
}

// directive is a directive that programs may send before their first role. Its function returns
// what the answer repeats of its arguments.
type directive struct {
	verb string
	open bool // only an open host grants it
	do   func(r *Request, policy Policy, args string) (said string, err error)
}

// directives are all directives of the protocol. do is nil for those that only a server grants.
var directives = []directive{
	{"hello", false, func(*Request, Policy, string) (string, error) { return "", nil }},
	{"token", true, func(*Request, Policy, string) (string, error) { return "", nil }},
	{"rules", false, (*Request).setRules},
	{"vs", false, (*Request).setOpponent},
	{"ladder", true, nil},
	{"layout", false, (*Request).setLayout},
	{"resume", true, nil},
	{"games", false, (*Request).setGames},
	{"rated", true, func(*Request, Policy, string) (string, error) { return "", nil }},
	{"casual", true, func(*Request, Policy, string) (string, error) { return "", nil }},
	{"ready", false, func(r *Request, _ Policy, _ string) (string, error) { r.Ready = true; return "", nil }},
}

// apply carries out a directive and returns the answer.
func (r *Request) apply(d client.Directive, policy Policy) string {
	r.Spoke = true
	var verbs []string
	for _, entry := range directives {
		verbs = append(verbs, entry.verb)
		if entry.verb != d.Verb {
			continue
		}
		if entry.do == nil || entry.open && !policy.Open {
			return "error " + d.Verb + " is not available here: leave it out"
		}
		said, err := entry.do(r, policy, strings.Join(d.Args, " "))
		if err != nil {
			return fmt.Sprintf("error %s %v", d.Verb, err)
		}
		return strings.TrimSpace("ok " + d.Verb + " " + said)
	}
	last := len(verbs) - 1
	return "error unknown directive: there are " + strings.Join(verbs[:last], ", ") + " and " + verbs[last]
}

func (r *Request) setRules(policy Policy, name string) (string, error) {
	rules, err := match.Preset(name)
	switch {
	case name == policy.Rules.Name:
		rules = policy.Rules
	case !policy.Open:
		return "", fmt.Errorf("the rules are %s", policy.Rules.Name)
	case err != nil:
		return "", err
	}
	r.Rules, r.chosen = rules, true
	return name, nil
}

func (r *Request) setOpponent(policy Policy, opponent string) (string, error) {
	r.Ready = true
	if !policy.Open && opponent != "any" {
		return "", errors.New("your opponent has been chosen")
	}
	return opponent, nil
}

func (r *Request) setLayout(policy Policy, ships string) (string, error) {
	if ships == "uniform" {
		r.Uniform, r.Layout = true, nil
		return "", nil
	}
	if !policy.Open {
		return "", errors.New("there is only layout uniform")
	}
	all, err := layoutfile.Parse(r.Rules, strings.ReplaceAll(ships, ";", "\n"))
	if err != nil {
		return "", err
	}
	r.Uniform, r.Layout = true, all[0]
	return "", nil
}

func (r *Request) setGames(policy Policy, count string) (string, error) {
	n, err := strconv.Atoi(count)
	switch {
	case err != nil || n < 1:
		return "", errors.New("say how many games the series has")
	case n > 1 && !policy.Open:
		return "", errors.New("there is one game on a connection: say games 1, and connect again for the next")
	}
	r.Games = n
	return count, nil
}

// ErrNoSalvo is the error of a program that would not understand several shots in a turn.
var ErrNoSalvo = errors.New("it has not asked for several shots in a turn with % rules")

// Greet carries out the directives of a new process or connection, until it is ready or the time
// for directives is over. A program that has played without directives is not waited for.
func (p *Program) Greet(policy Policy) (*Request, error) {
	s := p.current()
	r := &s.request
	if s.greeted {
		return r, nil
	}
	r.Rules, r.Games = policy.Rules, 1
	for end := time.Now().Add(p.cfg.helloTime()); !r.Ready && !p.quiet; {
		line, err := p.ReadLine(max(1, time.Until(end)))
		if errors.Is(err, os.ErrDeadlineExceeded) {
			break
		}
		if err != nil {
			return r, err
		}
		if line[0] != '%' {
			m, err := parse(line)
			if err == nil {
				err = fmt.Errorf("it sent %v before it had a role: %w", m, client.ErrOutOfTurn)
			}
			return r, err
		}
		if err := p.SendLine("% " + r.apply(client.ParseDirective([]byte(line)), policy)); err != nil {
			return r, err
		}
	}
	s.greeted = true
	if r.Rules.Salvo && !r.chosen {
		return r, fmt.Errorf("%w %s", ErrNoSalvo, r.Rules.Name)
	}
	return r, nil
}

// refuse answers a directive that comes after the first role.
func (p *Program) refuse(line string) error {
	p.current().request.Spoke = true
	verb := client.ParseDirective([]byte(line)).Verb
	if verb == "ready" {
		return p.SendLine("% ok ready")
	}
	return p.SendLine("% error late " + verb + " has to come before your first role: reconnect")
}
