// Package testprogram is a program of the line protocol for tests. It plays well except for one
// fault, which the test chooses.
package testprogram

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"

	"broadside/bots"
	"broadside/match"
	"broadside/relay/client"
)

// The variables of the program's environment. pids is a file to which it adds the ids of its process
// and of a child process.
const variable, pids = "BROADSIDE_TEST_PROGRAM", "BROADSIDE_TEST_PIDS"

// FaultEnv returns the variable that makes a test binary the program.
func FaultEnv(fault string) string { return variable + "=" + fault }

// PIDFileEnv returns the variable with the file for process ids.
func PIDFileEnv(file string) string { return pids + "=" + file }

// RunIfRequested makes the test binary the program, and exits, if it has the variable of [FaultEnv]. Tests call it first
// in TestMain.
func RunIfRequested() {
	fault, found := os.LookupEnv(variable)
	if !found {
		return
	}
	file := os.Getenv(pids)
	if file != "" {
		startChild(file)
	}
	switch fault {
	case "absent":
		fmt.Fprintln(os.Stderr, "no licence \x1b[31mfound")
		os.Exit(3)
	case "asleep":
		time.Sleep(time.Hour)
	}
	address := os.Getenv("BROADSIDE_RELAY")
	if fault == "salvo" { // no fault
		for playSalvo(address) == nil {
		}
		os.Exit(0)
	}
	if address == "" {
		Play(stdio{os.Stdin, os.Stdout}, fault)
		os.Exit(0)
	}
	for {
		nc, err := net.Dial("tcp", address)
		if err != nil {
			os.Exit(0)
		}
		Play(nc, fault)
		nc.Close()
		if fault == "one game" {
			os.Exit(0)
		}
	}
}

type stdio struct {
	io.Reader
	io.Writer
}

// playSalvo plays one game with several shots in a turn.
func playSalvo(address string) error {
	rules := match.Salvo()
	_, err := client.Play(context.Background(), address, rules, newBot(rules, rand.New(rand.NewPCG(rand.Uint64(), 1))))
	return err
}

func newBot(rules match.Rules, rng *rand.Rand) bots.Bot {
	bot, err := bots.New("hard", bots.Config{Rules: rules, Rand: rng})
	if err != nil {
		panic(err)
	}
	return bot
}

// startChild starts a child process, which is to end with this one, and adds both ids to a file.
func startChild(file string) {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	child := exec.Command("sleep", "1000")
	if err := child.Start(); err != nil {
		panic(err)
	}
	fmt.Fprintf(f, "%d\n%d\n", os.Getpid(), child.Process.Pid)
}

// player is the program's state. It makes its fault with the fifth shot, or the third one if
// the fault is about answers, unless its name says otherwise.
type player struct {
	io.ReadWriter
	fault    string
	bot      bots.Bot
	fleet    *match.Fleet
	chart    match.Chart
	attacked map[match.Cell]bool
	attacks  bool // it attacks first
	shots    int  // in this game
	games    int  // ended
}

// Play plays games on a stream until it ends. An empty fault is none.
func Play(rw io.ReadWriter, fault string) {
	p := &player{ReadWriter: rw, fault: fault}
	switch fault {
	case "mute":
		time.Sleep(time.Hour)
	case "greets with text":
		io.WriteString(rw, "welcome to my program\n")
	case "unknown directive":
		io.WriteString(rw, "% dance\n")
	case "uniform": // no fault: the host holds its fleet
		io.WriteString(rw, "% hello broadside/1 name=other\n% layout uniform\n% ready\n")
	}
	next := p.lineReader()
	for {
		line, err := next()
		if err != nil {
			return
		}
		if len(line) == 0 || line[0] == '%' {
			continue
		}
		m, err := client.Parse(line)
		if err != nil || !p.handle(m) {
			return
		}
	}
}

// lineReader returns a function that reads the next line.
func (p *player) lineReader() func() ([]byte, error) {
	switch p.fault {
	case "only newlines":
		reader := bufio.NewReader(p)
		return func() ([]byte, error) {
			b, err := reader.ReadBytes('\n')
			return []byte(strings.TrimSpace(string(b))), err
		}
	case "a read is a line":
		buf := make([]byte, 100)
		return func() ([]byte, error) {
			n, err := p.Read(buf)
			line, _, _ := strings.Cut(string(buf[:n]), "\n")
			return []byte(line), err
		}
	}
	return client.NewLines(p).Next
}

func (p *player) send(m client.Message) { p.Write(m.Append(nil)) }

// handle handles one message. It returns false if the program ends.
func (p *player) handle(m client.Message) bool {
	switch m.Op {
	case client.Defend, client.Assault:
		if p.fault == "ends late" && p.games > 0 {
			return false
		}
		p.startGame(m.Op == client.Assault)
	case client.Start:
		if p.attacks && p.fault != "early" {
			p.fire()
		}
	case client.Attack:
		return p.answerAndFire(m.Cell)
	case client.Result:
		p.chart.Record(m.Cell, m.Result)
		if m.Result == match.LastSunk {
			p.games++
			return p.fault != "one game"
		}
	}
	return true
}

func (p *player) startGame(attacks bool) {
	rng, rules := rand.New(rand.NewPCG(rand.Uint64(), 1)), match.Classic()
	p.bot, p.fleet, p.chart = newBot(rules, rng), match.NewFleet(rules.RandomLayout(rng)), match.NewChart(rules)
	p.attacks, p.attacked, p.shots = attacks, map[match.Cell]bool{}, 0
	if attacks && p.fault == "early" {
		p.fire()
	}
}

// fire attacks one cell.
func (p *player) fire() {
	p.shots++
	if p.fault == "slow" {
		time.Sleep(20 * time.Millisecond)
	}
	cell := p.bot.Fire(&p.chart)
	if p.shots == 5 {
		switch p.fault {
		case "crash":
			fmt.Fprintln(os.Stderr, "no fuel")
			os.Exit(3)
		case "hang":
			return
		case "flood":
			for {
				fmt.Fprintln(os.Stderr, strings.Repeat("x", 1000))
			}
		case "no message":
			io.WriteString(p, "BANG\n")
			return
		case "long line":
			io.WriteString(p, strings.Repeat("x", 1000)+"\n")
			return
		case "no full stop":
			fmt.Fprintf(p, "(1,[%d,%d])\n", cell.X, cell.Y)
			return
		case "result instead of a shot":
			p.send(client.Message{Op: client.Result, Cell: cell, Result: match.Miss})
			return
		case "off the board":
			cell = match.NewCell(10, 3)
		case "same cell again":
			cell = p.chart.Shots.Nth(0)
		case "two shots":
			p.send(client.Message{Op: client.Attack, Cell: cell})
		}
	}
	p.send(client.Message{Op: client.Attack, Cell: cell})
}

// answerAndFire sends the result of an attack, and attacks. It returns false if the program ends.
func (p *player) answerAndFire(cell match.Cell) bool {
	if p.fault == "uniform" {
		p.fire()
		return true
	}
	m := client.Message{Op: client.Result, Cell: cell, Result: p.fleet.Fire(cell)}
	over := m.Result == match.LastSunk
	switch third := p.shots == 3; {
	case p.fault == "all water":
		m.Result = match.Miss
	case p.fault == "all hits":
		m.Result = match.Hit
	case p.fault == "all sunk":
		m.Result = match.Sunk
	case p.fault == "never the last" && over:
		m.Result = match.Sunk
	case p.fault == "a hit once" && p.attacked[cell]:
		m.Result = match.Miss
	case p.fault == "no result" && third:
		m.Result = 7
	case p.fault == "another cell" && third:
		m.Cell = match.NewCell(int(cell.Y), int(cell.X+1)%10)
	case p.fault == "shot before answer" && third:
		p.fire()
	}
	p.attacked[cell] = true
	p.send(m)
	switch {
	case p.fault == "leaves" && p.shots == 3:
		return false
	case !over || p.fault == "goes on":
		p.fire()
	}
	if over {
		p.games++
	}
	return !over || p.fault != "one game"
}
