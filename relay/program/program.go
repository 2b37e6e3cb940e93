package program

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"broadside/internal/sanitize"
	"broadside/match"
	"broadside/relay/client"
)

// Config describes a program and how it plays.
type Config struct {
	// Words are the program's command. If there are none, the user starts it, and it connects to
	// Listener.
	Words []string
	// Dir is the working directory. Empty means that of this process.
	Dir string
	// Env has additional variables, as NAME=VALUE.
	Env []string
	// Stdio means that the program plays on standard input and output. Otherwise it connects for each game
	// to the address in the variable BROADSIDE_RELAY, which also replaces {addr}, {host} and {port} in
	// Words.
	Stdio bool
	// Listener is where the program connects. If it is nil, each process has its own port.
	Listener *net.TCPListener
	// Connect is the time limit for connecting. It does not apply to the first connection of a
	// program that the user starts.
	Connect time.Duration
	// Hello is the time for directives. 0 means 150 ms, or a second for a program on standard input and
	// output, because it has to start.
	Hello time.Duration
	// Move is the time limit for reading what the program is sent. 0 means a minute.
	Move time.Duration
	// Log is called with each line of the program after "< ", and with each line of SendLine after "> ".
	// It may be nil.
	Log func(line string)
}

// Program is a program that plays one game after another. Its methods must be called from one
// goroutine, except that Send, SendLine and Write may be called while ReadLine waits.
type Program struct {
	cfg Config
	// listener is nil for standard input and output, and before the first process.
	listener *net.TCPListener
	// skipsHello means that the program has played without directives.
	skipsHello bool
	readers    sync.WaitGroup

	// mu guards the fields below.
	mu sync.Mutex
	// process and stream are the newest ones, or nil.
	process *process
	stream  *stream
	// game is nil between games.
	game *game
}

// stream is a program's connection, or the standard input and output of its process.
type stream struct {
	duplex
	request        Request
	directivesOver bool
	gamesStarted   int
	// ended means that no other game starts on this stream. The program's mu guards it.
	ended bool
}

// duplex is a stream of bytes in both directions.
type duplex interface {
	io.ReadWriteCloser
	CloseWrite() error
}

// game has the lines that a program sends in one game.
type game struct {
	ctx context.Context
	// release ends the wait for ctx.
	release func() bool
	lines   chan string
	// err is set before lines is closed.
	err error
	// over is closed at the end of the game.
	over chan struct{}

	// canRestart means that the program has not sent a line yet, and could get the bytes in sent again.
	// The program's mu guards canRestart and sent.
	canRestart bool
	sent       []byte
}

// maxSent limits the bytes that a restarted program gets again, so that they fit into a pipe.
const maxSent = 4096

// New returns a program, which must be closed. It is started for its first game.
func New(cfg Config) *Program {
	hello := 150 * time.Millisecond
	if cfg.Stdio {
		hello = time.Second
	}
	cfg.Hello, cfg.Move = cmp.Or(cfg.Hello, hello), cmp.Or(cfg.Move, time.Minute)
	return &Program{cfg: cfg, listener: cfg.Listener}
}

// StartGame starts a game and ends the last one. It starts the program unless it is
// still running, and waits for its connection unless it plays on standard input and output. The
// game ends with ctx, whose error is then returned here and by ReadLine. Other errors are faults of
// the program.
//
// A process on standard input and output that ends without a line in its second game or later is
// restarted and sent the same lines, because it may have ended after the last game.
func (p *Program) StartGame(ctx context.Context) error {
	p.endGame()
	s := p.currentStream()
	if s != nil && !p.cfg.Stdio {
		s.Close()
	}
	var nc *net.TCPConn
	if !p.cfg.Stdio {
		var err error
		if nc, err = p.awaitConnection(ctx); err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case nc != nil:
		p.openStreamLocked(nc)
	case p.stream == nil || p.stream.ended:
		if err := p.launchOnPipesLocked(); err != nil {
			return err
		}
	}
	p.stream.gamesStarted++
	p.game = &game{ctx: ctx, lines: make(chan string), over: make(chan struct{}), canRestart: true}
	p.game.release = context.AfterFunc(ctx, func() { p.closeStream(p.currentStream()) })
	return nil
}

// IsFirstGame reports whether the game is the first one of its process or connection.
func (p *Program) IsFirstGame() bool { return p.currentStream().gamesStarted == 1 }

// currentStream returns the newest stream, or nil.
func (p *Program) currentStream() *stream {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stream
}

// openStreamLocked starts reading a new stream.
func (p *Program) openStreamLocked(d duplex) {
	s := &stream{duplex: d}
	p.stream = s
	p.readers.Go(func() { p.readLines(s) })
}

// launchOnPipesLocked starts the process of a program on standard input and output.
func (p *Program) launchOnPipesLocked() error {
	if p.stream != nil {
		p.stream.Close()
	}
	d, err := startOnPipes(p.newCommand(p.cfg.Words))
	if err != nil {
		return newStartFault(err)
	}
	p.process = d.process
	p.openStreamLocked(d)
	return nil
}

func (p *Program) newCommand(words []string, env ...string) *exec.Cmd {
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Env = p.cfg.Dir, slices.Concat(os.Environ(), p.cfg.Env, env)
	return cmd
}

func newStartFault(err error) *Fault {
	return &Fault{Kind: Start, Reason: match.Hangup, Err: fmt.Errorf("cannot start the program: %w", err)}
}

// readLines delivers a stream's lines until it ends.
func (p *Program) readLines(s *stream) {
	for lines := client.NewLines(s); ; {
		line, err := lines.Next()
		if err != nil {
			p.handleStreamEnd(s, err)
			return
		}
		p.deliverLine(s, string(line))
	}
}

// deliverLine delivers a line to the current game, if there is one.
func (p *Program) deliverLine(s *stream, line string) {
	p.mu.Lock()
	g := p.game
	if g == nil || s != p.stream {
		p.mu.Unlock()
		return
	}
	g.canRestart, g.sent = false, nil
	if p.process != nil {
		p.process.stderr.reset()
	}
	p.mu.Unlock()
	select {
	case g.lines <- line:
	case <-g.over:
	}
}

// handleStreamEnd handles the end of a stream. During a game, it restarts the process or ends the
// game's lines.
func (p *Program) handleStreamEnd(s *stream, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	stopped := s.ended
	s.ended = true
	if p.game == nil || s != p.stream {
		return
	}
	if stopped || client.BreachReason(err) != match.Hangup || !p.restartLocked() {
		p.game.err = err
		close(p.game.lines)
	}
}

// restartLocked restarts a process that may have ended because of an earlier game, although the current
// one has started. It returns false if the process has failed.
func (p *Program) restartLocked() bool {
	old := p.stream
	if !p.cfg.Stdio || old.gamesStarted < 2 || !p.game.canRestart || p.process.stderr.hasFlooded() {
		return false
	}
	if p.launchOnPipesLocked() != nil {
		return false
	}
	p.stream.gamesStarted, p.stream.request, p.stream.directivesOver = 1, old.request, old.directivesOver
	// This does not block. If it fails, the stream ends.
	p.stream.Write(p.game.sent)
	return true
}

// ReadLine waits for the program's next line and returns it without its line ending. The error is
// [os.ErrDeadlineExceeded] after limit. A limit of 0 means no limit.
func (p *Program) ReadLine(limit time.Duration) (string, error) {
	p.mu.Lock()
	g := p.game
	p.mu.Unlock()
	if g == nil {
		return "", net.ErrClosed
	}
	var late <-chan time.Time
	if limit > 0 {
		late = time.After(limit)
	}
	select {
	case line, ok := <-g.lines:
		if ok {
			p.log("< " + line)
			return line, nil
		}
		return "", cmp.Or(g.ctx.Err(), g.err)
	case <-g.over:
		return "", net.ErrClosed
	case <-late:
		return "", os.ErrDeadlineExceeded
	}
}

// Receive waits for the program's next message. It answers directives, which come too late, except
// ready.
func (p *Program) Receive(limit time.Duration) (client.Message, error) {
	for end := time.Now().Add(limit); ; {
		line, err := p.ReadLine(max(1, time.Until(end)))
		if err != nil {
			return client.Message{}, err
		}
		if line[0] != '%' {
			return parseMessage(line)
		}
		if err := p.AnswerLateDirective(line); err != nil {
			return client.Message{}, err
		}
	}
}

func parseMessage(line string) (client.Message, error) {
	m, err := client.Parse([]byte(line))
	if err != nil {
		return m, fmt.Errorf("the program sent %s: %w", sanitize.QuoteTruncated(line, maxQuoted), err)
	}
	return m, nil
}

// maxQuoted is the maximum length of a quoted line.
const maxQuoted = 120

// Expect is like Receive, and returns an error if the message has another opcode.
func (p *Program) Expect(op client.Op, limit time.Duration) (client.Message, error) {
	m, err := p.Receive(limit)
	if err == nil && m.Op != op {
		return m, fmt.Errorf("the program sent %v, but %s is due: %w", m, opNames[op], client.ErrOutOfTurn)
	}
	return m, err
}

var opNames = map[client.Op]string{client.Attack: "an attack", client.Result: "a result"}

// Send sends messages in one piece.
func (p *Program) Send(messages ...client.Message) error {
	var text []byte
	for _, m := range messages {
		text = m.Append(text)
	}
	return p.Write(text)
}

// SendLine sends a line and a line ending.
func (p *Program) SendLine(line string) error {
	p.log("> " + line)
	return p.Write([]byte(line + "\n"))
}

// Write sends bytes. It returns ErrUnread if the program does not read them in time. If the program has
// ended, only the next ReadLine returns an error.
func (p *Program) Write(b []byte) error {
	p.mu.Lock()
	s, g := p.stream, p.game
	if g != nil && g.canRestart {
		g.sent = append(g.sent, b...)
		g.canRestart = len(g.sent) <= maxSent
	}
	p.mu.Unlock()
	if g == nil {
		return net.ErrClosed
	}
	late := time.AfterFunc(p.cfg.Move, func() { p.closeStream(s) })
	s.Write(b)
	if !late.Stop() {
		return ErrUnread
	}
	return nil
}

func (p *Program) log(line string) {
	if p.cfg.Log != nil {
		p.cfg.Log(line)
	}
}

// CloseWrite closes the stream's write side. The next game starts on another stream.
func (p *Program) CloseWrite() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.game == nil || p.stream.ended {
		return net.ErrClosed
	}
	p.stream.ended = true
	return p.stream.CloseWrite()
}

// closeTime is how long a program may take to close its connection after a game.
const closeTime = time.Second

// FinishGame ends the game. knowsEnd means that the program knows that the game is over, because a fleet
// was sunk. Otherwise its next line may belong to this game, so a process on standard input and output
// is stopped. A connection is closed after all sent data has arrived.
func (p *Program) FinishGame(knowsEnd bool) {
	s := p.currentStream()
	if s == nil {
		return
	}
	p.skipsHello = s.directivesOver && !s.request.UsesDirectives
	switch {
	case !p.cfg.Stdio:
		err := p.CloseWrite()
		for end := time.Now().Add(closeTime); err == nil; {
			_, err = p.ReadLine(max(1, time.Until(end)))
		}
		s.Close()
	case !knowsEnd || s.request.Uniform:
		p.Stop()
	}
	p.endGame()
}

// endGame makes the current game's reader stop waiting.
func (p *Program) endGame() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.game != nil {
		p.game.release()
		close(p.game.over)
		p.game = nil
	}
}

// closeStream closes a stream, so that no other game starts on it.
func (p *Program) closeStream(s *stream) {
	p.mu.Lock()
	s.ended = true
	p.mu.Unlock()
	s.Close()
}

// Stop ends the game and the process with its children. The next game starts another process.
func (p *Program) Stop() {
	s := p.currentStream()
	if s != nil {
		p.closeStream(s)
	}
	x := p.currentProcess()
	if x != nil {
		x.kill()
	}
	p.endGame()
}

// currentProcess returns the newest process, or nil.
func (p *Program) currentProcess() *process {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.process
}

// Close stops the program and releases its resources.
func (p *Program) Close() {
	p.Stop()
	if p.cfg.Listener == nil && p.listener != nil {
		p.listener.Close()
	}
	p.readers.Wait()
}
