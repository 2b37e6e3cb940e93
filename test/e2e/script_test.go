package e2e

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/cli"
	"broadside/internal/test/sshtest"
)

// TestScripts checks the scripts in testdata. The package comment describes their commands.
func TestScripts(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("test/e2e/testdata/*/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	player, err := filepath.Abs("examples/player.py")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files: folders,
		Setup: func(e *testscript.Env) error {
			// A binary that measures coverage finds its variables there.
			e.Vars = append(os.Environ(), e.Vars...)
			e.Setenv("PLAYER", player)
			s := &script{t: e.T().(testing.TB), env: e, log: sshtest.NewOutput(), people: map[string]*person{}}
			e.Values[script{}.key()] = s
			e.Defer(s.close)
			return nil
		},
		Cmds: scriptCommands,
	})
}

// script is a running script.
type script struct {
	t   testing.TB
	env *testscript.Env
	// server is nil while none runs.
	server *testServer
	log    *sshtest.Output
	people map[string]*person
	// language is the clients' variable LANG.
	language string
}

type scriptKey struct{}

func (script) key() any { return scriptKey{} }

// person is a player or a program.
type person struct {
	options sshtest.Options
	// At most one of these is not nil. Line mode and programs have a line.
	terminal *sshtest.Terminal
	line     *lineClient
}

// scriptCommands are the commands of scripts. Only see, match, ssh and end can be negated.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"server":   func(ts *testscript.TestScript, _ bool, args []string) { stateOf(ts).start(ts, args) },
	"stop":     func(ts *testscript.TestScript, _ bool, _ []string) { stateOf(ts).stop() },
	"draining": func(ts *testscript.TestScript, _ bool, _ []string) { stateOf(ts).server.stop() },
	"log": func(ts *testscript.TestScript, _ bool, args []string) {
		s := stateOf(ts)
		s.log.WaitText(s.t, joinArgs(args))
	},
	"get": func(ts *testscript.TestScript, _ bool, args []string) {
		_, page := get(stateOf(ts).t, ts.Getenv("SITE")+args[0])
		io.WriteString(ts.Stdout(), page)
	},
	"guest": func(ts *testscript.TestScript, _ bool, args []string) {
		for _, name := range args {
			stateOf(ts).people[name] = &person{options: sshtest.Options{User: name}}
		}
	},
	"ssh": runSSH,
	"await": func(ts *testscript.TestScript, _ bool, args []string) {
		s, last := stateOf(ts), len(args)-1
		expr := regexp.MustCompile("(?m)" + args[last])
		for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
			out := s.server.runCommand(s.t, s.person(args[0]).options, joinArgs(args[1:last]))
			if groups := expr.FindStringSubmatch(out); groups != nil {
				setGroups(ts, expr, groups)
				return
			}
			if time.Now().After(deadline) {
				ts.Fatalf("no match in\n%s", out)
			}
		}
	},
	"screen": func(ts *testscript.TestScript, _ bool, args []string) {
		stateOf(ts).person(args[0]).open(stateOf(ts), joinArgs(args[1:]))
	},
	"enter": func(ts *testscript.TestScript, _ bool, args []string) {
		for _, name := range args {
			p := stateOf(ts).person(name)
			p.open(stateOf(ts), "")
			createAccount(p.terminal)
			p.terminal.WaitText(name + " (you)")
		}
	},
	"keys": func(ts *testscript.TestScript, _ bool, args []string) { terminalOf(ts, args).Press(args[1:]...) },
	"type": func(ts *testscript.TestScript, _ bool, args []string) { terminalOf(ts, args).Type(joinArgs(args[1:])) },
	"paste": func(ts *testscript.TestScript, _ bool, args []string) {
		terminalOf(ts, args).Type("\x1b[200~" + ts.ReadFile(args[1]) + "\x1b[201~")
	},
	"see": func(ts *testscript.TestScript, neg bool, args []string) {
		if neg {
			terminalOf(ts, args).WaitGone(joinArgs(args[1:]))
		} else {
			terminalOf(ts, args).WaitText(args[1:]...)
		}
	},
	"hides": func(ts *testscript.TestScript, _ bool, args []string) {
		for _, hidden := range args[1:] {
			if screen := terminalOf(ts, args).Screen(); strings.Contains(screen, hidden) {
				ts.Fatalf("%q is shown:\n%s", hidden, screen)
			}
		}
	},
	"match": func(ts *testscript.TestScript, neg bool, args []string) {
		expr := regexp.MustCompile("(?m)" + joinArgs(args[1:]))
		p := stateOf(ts).person(args[0])
		switch {
		case p.terminal == nil:
			setGroups(ts, expr, p.line.await(expr))
		case !neg:
			setGroups(ts, expr, p.terminal.WaitMatch(joinArgs(args[1:])))
		default:
			if screen := p.terminal.Screen(); expr.MatchString(screen) {
				ts.Fatalf("the screen matches:\n%s", screen)
			}
		}
	},
	"find": func(ts *testscript.TestScript, _ bool, args []string) {
		expr, out := regexp.MustCompile("(?m)"+joinArgs(args)), ts.ReadFile("stdout")
		groups := expr.FindStringSubmatch(out)
		if groups == nil {
			ts.Fatalf("no match in\n%s", out)
		}
		setGroups(ts, expr, groups)
	},
	"place": func(ts *testscript.TestScript, _ bool, args []string) {
		for _, name := range args {
			place(terminalOf(ts, []string{name}))
		}
	},
	"fire": func(ts *testscript.TestScript, _ bool, args []string) {
		for _, cell := range args[1:] {
			aim(terminalOf(ts, args), cell)
		}
	},
	"finish": func(ts *testscript.TestScript, _ bool, args []string) {
		var players sync.WaitGroup
		for _, name := range args {
			p := terminalOf(ts, []string{name})
			players.Go(func() { finishMatch(p) })
		}
		players.Wait()
	},
	"line": func(ts *testscript.TestScript, _ bool, args []string) {
		stateOf(ts).person(args[0]).talk(stateOf(ts), joinArgs(args[1:]))
	},
	"program": func(ts *testscript.TestScript, _ bool, args []string) {
		s := stateOf(ts)
		s.people[args[0]] = &person{line: s.server.connectProgramFrom(s.t, joinArgs(args[1:])).asLineClient(args[0])}
	},
	"operator": func(ts *testscript.TestScript, _ bool, args []string) {
		key := stateOf(ts).person(args[0]).options.Signer.PublicKey()
		ts.Check(os.WriteFile(ts.MkAbs("data/admin_keys"), gossh.MarshalAuthorizedKey(key), 0o600))
	},
	"say": func(ts *testscript.TestScript, _ bool, args []string) { lineOf(ts, args).send(joinArgs(args[1:])) },
	"hear": func(ts *testscript.TestScript, _ bool, args []string) {
		lineOf(ts, args).await(quoteRegexp(joinArgs(args[1:])))
	},
	"hangup": func(ts *testscript.TestScript, _ bool, args []string) {
		for _, name := range args {
			stateOf(ts).person(name).hangup()
		}
	},
	"end": func(ts *testscript.TestScript, neg bool, args []string) {
		if status := stateOf(ts).person(args[0]).end(); (status != 0) != neg {
			ts.Fatalf("the session of %s ends with status %d", args[0], status)
		}
	},
}

func stateOf(ts *testscript.TestScript) *script {
	s := ts.Value(scriptKey{}).(*script)
	s.language = ts.Getenv("LANG")
	return s
}

func joinArgs(args []string) string { return strings.Join(args, " ") }

func quoteRegexp(text string) *regexp.Regexp { return regexp.MustCompile(regexp.QuoteMeta(text)) }

// terminalOf returns the terminal of the player in the first argument.
func terminalOf(ts *testscript.TestScript, args []string) *sshtest.Terminal {
	p := stateOf(ts).person(args[0])
	if p.terminal == nil {
		ts.Fatalf("%s has no terminal", args[0])
	}
	return p.terminal
}

// lineOf returns the lines of the player or program in the first argument, who connects if necessary.
func lineOf(ts *testscript.TestScript, args []string) *lineClient {
	p := stateOf(ts).person(args[0])
	if p.line == nil {
		p.talk(stateOf(ts), "")
	}
	return p.line
}

// setGroups sets the variables named by groups of an expression.
func setGroups(ts *testscript.TestScript, expr *regexp.Regexp, groups []string) {
	for i, name := range expr.SubexpNames() {
		if name != "" {
			ts.Setenv(name, groups[i])
		}
	}
}

func (s *script) person(name string) *person {
	p := s.people[name]
	if p == nil {
		p = &person{options: sshtest.Options{User: name, Signer: sshtest.NewSigner(s.t)}}
		s.people[name] = p
	}
	if s.language != "" {
		p.options.Env = map[string]string{"LANG": s.language}
	}
	return p
}

// start starts a server in this process, as the command does.
func (s *script) start(ts *testscript.TestScript, options []string) {
	s.stop()
	args := append([]string{
		"serve", "--ssh=127.0.0.1:0", "--relay=127.0.0.1:0", "--web=127.0.0.1:0", "--data=" + s.env.WorkDir + "/data",
		"--log-format=logfmt", "--drain=100ms", "--relay-hello=50ms", "--bot-pace=1ms", "--guest-talk",
	}, options...)
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	h := &testServer{data: s.env.WorkDir + "/data", stop: cancel, stopped: make(chan error, 1)}
	go func() {
		c := cli.NewCommand()
		c.SetOut(in)
		c.SetErr(s.log)
		c.SetArgs(args)
		c.SilenceErrors, c.SilenceUsage = true, true
		err := c.ExecuteContext(ctx)
		in.Close()
		h.stopped <- err
	}()
	h.readAddresses(out)
	go io.Copy(io.Discard, out)
	if h.hostKey == "" {
		cancel()
		s.t.Fatalf("the server does not start: %v\n%s", <-h.stopped, s.log)
	}
	s.server = h
	for name, value := range map[string]string{
		"SSH": h.ssh, "PORT": h.ssh[strings.LastIndex(h.ssh, ":")+1:], "RELAY": h.relay, "SITE": h.site, "HOSTKEY": h.hostKey,
	} {
		ts.Setenv(name, value)
	}
}

// stop shuts the server down.
func (s *script) stop() {
	if s.server == nil {
		return
	}
	s.server.close(s.t)
	s.server = nil
}

func (s *script) close() {
	for _, p := range s.people {
		if p.terminal != nil {
			p.terminal.Close()
		}
	}
	s.stop()
}

// open opens a terminal.
func (p *person) open(s *script, command string) {
	o := p.options
	o.Command = command
	p.terminal = sshtest.Dial(s.t, s.server.ssh, o)
}

// talk opens line mode.
func (p *person) talk(s *script, command string) {
	p.terminal, p.line = nil, s.server.openLineModeAs(s.t, p.options, command)
}

func (p *person) hangup() {
	if p.terminal != nil {
		p.terminal.Hangup()
		p.terminal = nil
		return
	}
	p.line.close()
	p.line = nil
}

// end ends the input of line mode, and waits for the end of the session. Its last screen can still be seen.
func (p *person) end() (status int) {
	if p.terminal != nil {
		return p.terminal.Wait()
	}
	if p.line.session != nil {
		p.line.in.Close()
	}
	status, _ = p.line.awaitEnd()
	p.line = nil
	return status
}

// runSSH runs a command without a terminal, whose input may be a file.
func runSSH(ts *testscript.TestScript, neg bool, args []string) {
	s := stateOf(ts)
	client, err := sshtest.Connect(s.server.ssh, s.person(args[0]).options)
	ts.Check(err)
	defer client.Close()
	session, err := client.NewSession()
	ts.Check(err)
	for name, value := range s.person(args[0]).options.Env {
		ts.Check(session.Setenv(name, value))
	}
	session.Stdout, session.Stderr = ts.Stdout(), ts.Stderr()
	if n := len(args); n > 2 && args[n-2] == "<" {
		session.Stdin = strings.NewReader(ts.ReadFile(args[n-1]))
		args = args[:n-2]
	}
	err = session.Run(joinArgs(args[1:]))
	var exit *gossh.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Check(err)
	}
	if (err != nil) != neg {
		ts.Fatalf("%s ends with %v", joinArgs(args), err)
	}
}
