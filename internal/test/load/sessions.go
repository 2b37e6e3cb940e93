package main

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sync/errgroup"

	"broadside/internal/test/servers"
)

// patience limits the wait for output.
const patience = 2 * time.Minute

// keyTimes is how often each session presses a key, once a second.
const keyTimes = 10

// session is an SSH session with a terminal of 100×30.
type session struct {
	client   *ssh.Client
	keys     io.Writer
	painted  chan time.Time // receives the time whenever output arrives, unless no one waits
	arrivals atomic.Int64   // how often output arrived
	bytes    atomic.Int64
}

// openSession connects with a command and waits for the first paint. It returns how long that took.
func openSession(address, command string) (*session, time.Duration, error) {
	began := time.Now()
	client, err := ssh.Dial("tcp", address, &ssh.ClientConfig{User: "guest", HostKeyCallback: ssh.InsecureIgnoreHostKey()}) // it is ours
	if err != nil {
		return nil, 0, err
	}
	s := &session{client: client, painted: make(chan time.Time, 1)}
	if err := s.start(command); err != nil {
		client.Close()
		return nil, 0, err
	}
	at, err := s.waitForOutput()
	if err != nil {
		client.Close()
	}
	return s, at.Sub(began), err
}

func (s *session) start(command string) error {
	channel, err := s.client.NewSession()
	if err != nil {
		return err
	}
	out, err := channel.StdoutPipe()
	if err != nil {
		return err
	}
	if s.keys, err = channel.StdinPipe(); err != nil {
		return err
	}
	if err := channel.RequestPty("xterm-256color", 30, 100, ssh.TerminalModes{}); err != nil {
		return err
	}
	if command == "" {
		err = channel.Shell()
	} else {
		err = channel.Start(command)
	}
	if err == nil {
		go s.readOutput(out) // ends with the connection
	}
	return err
}

func (s *session) readOutput(out io.Reader) {
	buf := make([]byte, 8<<10)
	for {
		n, err := out.Read(buf)
		if err != nil {
			close(s.painted)
			return
		}
		s.bytes.Add(int64(n))
		s.arrivals.Add(1)
		select {
		case s.painted <- time.Now():
		default:
		}
	}
}

// waitForOutput waits for output and returns when it arrived.
func (s *session) waitForOutput() (time.Time, error) {
	select {
	case at, ok := <-s.painted:
		if !ok {
			return at, errors.New("the server has ended a session")
		}
		return at, nil
	case <-time.After(patience):
		return time.Time{}, errors.New("no output")
	}
}

// press presses keys and returns the time until something was painted.
func (s *session) press(keys string) (time.Duration, error) {
	select {
	case <-s.painted: // something else
	default:
	}
	began := time.Now()
	if _, err := io.WriteString(s.keys, keys); err != nil {
		return 0, err
	}
	at, err := s.waitForOutput()
	return at.Sub(began), err
}

// measureSessions measures sessions in the lobby, and then in matches.
func measureSessions(l *load) error {
	warm, _, err := openSession(l.server.SSH, "") // what is allocated once for all sessions
	if err != nil {
		return err
	}
	warm.client.Close()
	time.Sleep(time.Second)
	for _, place := range []struct{ name, command, enter, keys string }{
		{"lobby", "", "l", "??"}, {"match", "play --vs hard", "x\r", "\x1b[C\x1b[D"},
	} {
		if err := l.measurePlace(place.name, place.command, place.enter, place.keys); err != nil {
			return err
		}
	}
	return nil
}

// measurePlace measures sessions that start with a command, enter a place by some keys, and
// then press two keys in turns.
func (l *load) measurePlace(name, command, enter, keys string) error {
	empty, err := l.measureCost()
	if err != nil {
		return err
	}
	all, took, err := l.openAll(command, enter)
	defer func() {
		for _, s := range all {
			s.client.Close()
		}
		time.Sleep(2 * time.Second) // the server notices
	}()
	if err != nil {
		return err
	}
	entered := servers.MeasureProcess(l.server.PID())
	reportTimes(name+": connect to first paint", took)
	reportCPU(name+": an arrival, and its effect on the others", entered, empty.Cost, l.n)
	time.Sleep(3 * time.Second)

	still, arrivals := servers.MeasureProcess(l.server.PID()), sumCounters(all, func(s *session) *atomic.Int64 { return &s.arrivals })
	time.Sleep(keyTimes * time.Second)
	idle := servers.MeasureProcess(l.server.PID())
	reportCPU(name+": a session, per second", idle, still, l.n*keyTimes)
	reportCPU(name+": a change that all others caused", idle, still, sumCounters(all, func(s *session) *atomic.Int64 { return &s.arrivals })-arrivals)

	full, err := l.measureCost()
	if err != nil {
		return err
	}
	reportMemory(name+": a session", full, empty, l.n)
	before, bytes := servers.MeasureProcess(l.server.PID()), sumCounters(all, func(s *session) *atomic.Int64 { return &s.bytes })
	if took, err = pressAll(l.ctx, all, keys); err != nil {
		return err
	}
	reportCPU(name+": a key", servers.MeasureProcess(l.server.PID()), before, len(took))
	reportTimes(name+": key to paint", took)
	fmt.Printf("%-44s %8d\n", name+": bytes of a key", (sumCounters(all, func(s *session) *atomic.Int64 { return &s.bytes })-bytes)/len(took))
	return nil
}

func sumCounters(all []*session, count func(*session) *atomic.Int64) (n int) {
	for _, s := range all {
		n += int(count(s).Load())
	}
	return n
}

// openAll opens sessions, eight at a time.
func (l *load) openAll(command, enter string) (all []*session, took []time.Duration, err error) {
	var mu sync.Mutex
	var g errgroup.Group
	g.SetLimit(8)
	for range l.n {
		g.Go(func() error {
			s, d, err := openSession(l.server.SSH, command)
			if err != nil {
				return err
			}
			mu.Lock()
			all, took = append(all, s), append(took, d)
			mu.Unlock()
			for _, key := range enter {
				if _, err := s.press(string(key)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return all, took, g.Wait()
}

// pressAll lets each session press the two keys in turns, one a second.
func pressAll(ctx context.Context, all []*session, keys string) (took []time.Duration, err error) {
	pair := [2]string{keys[:len(keys)/2], keys[len(keys)/2:]}
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	for i, s := range all {
		g.Go(func() error {
			time.Sleep(time.Second * time.Duration(i) / time.Duration(len(all)))
			for n := 0; n < keyTimes && ctx.Err() == nil; n++ {
				next := time.After(time.Second)
				d, err := s.press(pair[n%2])
				if err != nil {
					return err
				}
				mu.Lock()
				took = append(took, d)
				mu.Unlock()
				<-next
			}
			return ctx.Err()
		})
	}
	return took, g.Wait()
}

// echoKeys serves SSH sessions that show one line and echo their input.
func echoKeys(address string) error {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		return err
	}
	config := &ssh.ServerConfig{NoClientAuth: true}
	config.AddHostKey(signer)
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	for { // until the process is killed
		nc, err := l.Accept()
		if err != nil {
			return err
		}
		go echoConnection(nc, config)
	}
}

func echoConnection(nc net.Conn, config *ssh.ServerConfig) {
	conn, channels, requests, err := ssh.NewServerConn(nc, config)
	if err != nil {
		return // the client has left
	}
	defer conn.Close()
	go ssh.DiscardRequests(requests)
	for offered := range channels {
		channel, requests, err := offered.Accept()
		if err != nil {
			return
		}
		go func() {
			for r := range requests {
				r.Reply(true, nil)
				if r.Type == "shell" || r.Type == "exec" {
					go func() {
						io.WriteString(channel, "ready\r\n")
						io.CopyBuffer(struct{ io.Writer }{channel}, struct{ io.Reader }{channel}, make([]byte, 512))
					}()
				}
			}
		}()
	}
}
