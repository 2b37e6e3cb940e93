package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// SSH connects to the relay of a server with the user's ssh program, which finds aliases, keys, agents,
// jump hosts and known hosts as usual.
type SSH struct {
	// Host is HOST, NAME@HOST or an alias.
	Host string
	// Port and Identity, a private key's file, replace those of the user's configuration unless they
	// are empty.
	Port, Identity string
	// Program is a registered program of the user's account. Empty means none.
	Program string
	// Stderr gets the messages of ssh and of the server's command. If it is a file, ssh can also ask
	// the user there.
	Stderr io.Writer
}

// Dial runs ssh HOST relay. It doesn't wait until ssh is connected: if ssh or the command fails, the
// stream's Read returns why.
func (s SSH) Dial(ctx context.Context) (io.ReadWriteCloser, error) {
	path, err := exec.LookPath("ssh")
	if err != nil {
		return nil, fmt.Errorf("--ssh needs an SSH client such as OpenSSH: %w", err)
	}
	// ssh stays in the foreground process group, so that it can ask for a passphrase.
	cmd := exec.CommandContext(ctx, path, s.sshArguments()...)
	cmd.Stderr = s.Stderr
	// A process that shares the connection may keep Stderr open.
	cmd.WaitDelay = time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start ssh: %w", err)
	}
	return &sshStream{in, out, ctx, s.Host, cmd, sync.OnceValue(cmd.Wait)}, nil
}

func (s SSH) sshArguments() []string {
	// Run ssh without a terminal, and with a signal every 15 seconds, so that it ends within a minute if the
	// server no longer answers.
	args := []string{"-T", "-o", "ServerAliveInterval=15"}
	if s.Port != "" {
		args = append(args, "-p", s.Port)
	}
	if s.Identity != "" {
		args = append(args, "-i", s.Identity)
	}
	args = append(args, "--", s.Host, "relay", "--ready")
	if s.Program != "" {
		args = append(args, "--program", s.Program)
	}
	return args
}

// sshStream is the standard input and output of a command over SSH.
type sshStream struct {
	io.Writer
	out  io.Reader
	ctx  context.Context
	host string
	cmd  *exec.Cmd
	wait func() error
}

// sshFailed is ssh's own exit status when it fails. Others are the command's.
const sshFailed = 255

// interruptTime is how long after ssh the context may end when Ctrl+C is pressed.
const interruptTime = 100 * time.Millisecond

// Read reads the command's output. At its end, the error says why it ended.
func (s *sshStream) Read(b []byte) (int, error) {
	n, err := s.out.Read(b)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	failure := s.wait()
	// Ctrl+C ends ssh, too. Then the context is about to end, and the connection is not lost.
	select {
	case <-s.ctx.Done():
		return n, s.ctx.Err()
	case <-time.After(interruptTime):
	}
	if failure == nil {
		return n, io.EOF
	}
	if s.cmd.ProcessState.ExitCode() == sshFailed {
		return n, fmt.Errorf("ssh is not connected to %s, see its message", s.host)
	}
	return n, fmt.Errorf("ssh %s relay: %w", s.host, failure)
}

// Close ends ssh.
func (s *sshStream) Close() error {
	// Kill fails if the process has ended.
	s.cmd.Process.Kill()
	s.wait()
	return nil
}
