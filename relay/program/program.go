package program

import (
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// floodLimit is how many bytes a program may write to standard error without an answer.
const floodLimit = 1 << 20

// maxSent is how much of a game is repeated to a program that is started again.
const maxSent = 4096

// Program is a command that plays one game after another. Its methods must be called from one
// goroutine; its connections may be used from several.
type Program struct {
	starter *Starter
	command Command
	readers sync.WaitGroup // of standard output, one for each process

	mu      sync.Mutex
	process *process // guarded by mu: the last one started; nil before
	game    *game    // guarded by mu: the current one; nil between games
}

// process is a running or ended process.
type process struct {
	*Process
	stdin, stdout *os.File
	played        bool        // guarded by the program's mu: it was started in an earlier game
	gone          atomic.Bool // it takes no part in further games
}

// end kills the process and waits for it.
func (x *process) end() {
	x.Kill()
	x.stdin.Close()
	x.stdout.Close() // a process that left the group may keep it open
}

// game is the connection of one game. The process is at its far end.
type game struct {
	far     net.Conn
	written chan struct{} // closed when nothing more is written to standard input

	heard bool   // guarded by the program's mu: the process has sent something in this game
	sent  []byte // guarded by the program's mu: what the process was sent until then
}

// New returns a program. The command's Address must be empty, and the caller must call
// [Program.Close].
func New(starter *Starter, command Command) *Program {
	command.Flood = floodLimit
	return &Program{starter: starter, command: command}
}

// Begin returns the connection for the next game. It starts the process unless it is still
// running after the last game. A process that ends without output in its second game or later
// is started again and sent the same lines, because it may have ended after the last game.
//
// Closing the connection or its write side closes the program's standard input, and the next
// game starts another process. If the last game ended early, call [Program.Stop] before Begin,
// because the program's next line may belong to that game.
func (p *Program) Begin() (net.Conn, error) {
	p.endGame()
	if x := p.current(); x != nil && x.gone.Load() {
		x.end()
	}
	near, far := net.Pipe()
	g := &game{far: far, written: make(chan struct{})}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.process != nil {
		p.process.played = true
	}
	if p.process == nil || p.process.gone.Load() {
		if err := p.launchLocked(); err != nil {
			return nil, fmt.Errorf("it cannot be started: %w", err)
		}
	}
	p.game = g
	go p.write(g) // endGame waits for it
	return &conn{near, func() { p.hangUp(g) }}, nil
}

// Fresh reports whether the current game is the first one of the process.
func (p *Program) Fresh() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.process != nil && !p.process.played
}

// conn is the near end of a game.
type conn struct {
	net.Conn
	hangUp func()
}

// CloseWrite closes the program's standard input.
func (c *conn) CloseWrite() error {
	c.hangUp()
	return nil
}

// Stop ends the process, if there is one. The next game starts another one.
func (p *Program) Stop() {
	if x := p.current(); x != nil {
		x.gone.Store(true)
		x.end()
	}
	p.endGame()
}

// Close ends the process and waits for it.
func (p *Program) Close() {
	p.Stop()
	p.readers.Wait()
}

// current returns the process that was started last, or nil.
func (p *Program) current() *process {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.process
}

// readTime is how long a program has to read the last lines of a game.
const readTime = 5 * time.Second

// endGame closes the connection of the current game. The process keeps running if it reads
// its input.
func (p *Program) endGame() {
	p.mu.Lock()
	g, x := p.game, p.process
	p.game = nil
	p.mu.Unlock()
	if g == nil {
		return
	}
	g.far.Close()
	late := time.NewTimer(readTime)
	defer late.Stop()
	select {
	case <-g.written:
	case <-late.C:
		x.gone.Store(true)
		x.end()
		<-g.written
	}
}

// launchLocked starts the process. It must be called with mu held.
func (p *Program) launchLocked() error {
	theirIn, stdin, err := os.Pipe()
	if err != nil {
		return err
	}
	defer theirIn.Close()
	stdout, theirOut, err := os.Pipe()
	if err != nil {
		stdin.Close()
		return err
	}
	defer theirOut.Close()
	c := p.command
	c.Stdin, c.Stdout = theirIn, theirOut
	started, err := p.starter.Start(c)
	if err != nil {
		stdin.Close()
		stdout.Close()
		return err
	}
	x := &process{Process: started, stdin: stdin, stdout: stdout}
	p.process = x
	p.readers.Go(func() { p.read(x) })
	return nil
}

// read passes the output of a process on to the current game, until the process ends.
func (p *Program) read(x *process) {
	defer x.end()
	buf := make([]byte, 1024)
	for {
		n, err := x.stdout.Read(buf)
		if n > 0 {
			x.Answered()
			if g := p.hear(); g != nil {
				g.far.Write(buf[:n]) // fails if the game has ended
			}
		}
		if err != nil {
			p.ended(x)
			return
		}
	}
}

// hear returns the current game, or nil, after output of the process.
func (p *Program) hear() *game {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.game != nil {
		p.game.heard, p.game.sent = true, nil
	}
	return p.game
}

// ended handles the end of a process's output. During a game, it starts the process again
// or closes the connection.
func (p *Program) ended(x *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	stopped := x.gone.Swap(true)
	if g := p.game; g != nil && x == p.process && (stopped || x.Flooded() || !p.reviveLocked()) {
		g.far.Close()
	}
}

// reviveLocked starts a process that may have ended after an earlier game, once the current
// game has begun. It returns false if the process has failed. It must be called with mu held.
func (p *Program) reviveLocked() bool {
	x, g := p.process, p.game
	if !x.played || g.heard {
		return false
	}
	if len(g.sent) == 0 {
		return true // write starts it
	}
	if p.launchLocked() != nil {
		return false
	}
	_, err := p.process.stdin.Write(g.sent) // less than the buffer of a pipe
	return err == nil
}

// write passes the data sent by a game on to the process, until the game ends.
func (p *Program) write(g *game) {
	defer close(g.written)
	buf := make([]byte, 1024)
	for {
		n, err := g.far.Read(buf)
		if n > 0 {
			if stdin := p.deliver(g, buf[:n]); stdin != nil {
				stdin.Write(buf[:n]) // if it fails, the process ends, or has closed its input
			}
		}
		if err != nil {
			p.hangUp(g)
			return
		}
	}
}

// deliver returns the standard input of the process, or nil if the process has been sent the
// bytes already.
func (p *Program) deliver(g *game, b []byte) *os.File {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !g.heard {
		g.sent = append(g.sent, b...)
		g.heard = len(g.sent) > maxSent // no longer to be repeated
	}
	if p.game == g && p.process.gone.Load() && !g.heard {
		if !p.reviveLocked() {
			g.far.Close()
		}
		return nil
	}
	return p.process.stdin
}

// hangUp closes the standard input of the process, unless the game has ended.
func (p *Program) hangUp(g *game) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.game == g {
		g.heard = true // the process is not started again
		p.process.gone.Store(true)
		p.process.stdin.Close()
	}
}
