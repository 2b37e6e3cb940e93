//go:build unix

package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
)

// browserPipe is a connection to a browser by Chromium's debugging protocol
// (https://chromedevtools.github.io/devtools-protocol): messages in JSON, each followed by a
// zero byte. Its methods may be called from any goroutine.
type browserPipe struct {
	out io.WriteCloser

	// mu guards the fields below.
	mu     sync.Mutex
	lastID int
	// replies has a channel for each command without a reply, by ID. It is nil once the browser has ended.
	replies map[int]chan cdpMessage
	// events has the receiver of each session's events.
	events map[string]func(cdpMessage)
}

// cdpCommand is a cdpMessage to the browser.
type cdpCommand struct {
	ID      int       `json:"id"`
	Session string    `json:"sessionId,omitempty"`
	Method  string    `json:"method"`
	Params  cdpParams `json:"params,omitempty"`
}

type cdpParams map[string]any

// cdpMessage is a reply, which has an ID, or an event, which has a method.
type cdpMessage struct {
	ID      int             `json:"id"`
	Session string          `json:"sessionId"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Message string `json:"cdpMessage"`
	} `json:"error"`
}

// startBrowser starts the command, which must be Chromium with --remote-debugging-pipe, and
// connects to it. Chromium ends when the pipe is closed.
func startBrowser(cmd *exec.Cmd) (*browserPipe, error) {
	commands, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer commands.Close()
	in, answers, err := os.Pipe()
	if err != nil {
		out.Close()
		return nil, err
	}
	defer answers.Close()
	cmd.ExtraFiles = []*os.File{commands, answers}
	if err := cmd.Start(); err != nil {
		out.Close()
		in.Close()
		return nil, err
	}
	p := &browserPipe{out: out, replies: map[int]chan cdpMessage{}, events: map[string]func(cdpMessage){}}
	go p.receive(in)
	return p, nil
}

// receive hands messages on until the browser ends.
func (p *browserPipe) receive(in io.ReadCloser) {
	defer in.Close()
	defer p.failCommands()
	for r := bufio.NewReader(in); ; {
		data, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m cdpMessage
		if err := json.Unmarshal(data[:len(data)-1], &m); err != nil {
			return
		}
		p.mu.Lock()
		reply, event := p.replies[m.ID], p.events[m.Session]
		delete(p.replies, m.ID)
		p.mu.Unlock()
		if reply != nil {
			reply <- m
		} else if event != nil && m.Method != "" {
			event(m)
		}
	}
}

// failCommands fails all commands without a reply.
func (p *browserPipe) failCommands() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, reply := range p.replies {
		close(reply)
	}
	p.replies = nil
}

// listen makes event receive a session's events. event must not call methods of p.
func (p *browserPipe) listen(session string, event func(cdpMessage)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.events[session] = event
}

// call sends a command to a session, or to the browser if session is empty. It waits for
// the result and decodes it, unless result is nil.
func (p *browserPipe) call(session, method string, args cdpParams, result any) error {
	reply := make(chan cdpMessage, 1)
	if err := p.send(session, method, args, reply); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	m, ok := <-reply
	switch {
	case !ok:
		return fmt.Errorf("%s: the browser has ended", method)
	case m.Error != nil:
		return fmt.Errorf("%s: %s", method, m.Error.Message)
	case result == nil:
		return nil
	}
	return json.Unmarshal(m.Result, result)
}

func (p *browserPipe) send(session, method string, args cdpParams, reply chan cdpMessage) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.replies == nil {
		return errors.New("the browser has ended")
	}
	p.lastID++
	data, err := json.Marshal(cdpCommand{p.lastID, session, method, args})
	if err != nil {
		return err
	}
	p.replies[p.lastID] = reply
	_, err = p.out.Write(append(data, 0))
	return err
}
