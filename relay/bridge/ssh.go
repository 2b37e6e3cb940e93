package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/crypto/ssh/knownhosts"

	"broadside/internal/sanitize"
)

// SSH connects to the relay of a server over SSH. The server's key must be in KnownHosts.
type SSH struct {
	Address    string // HOST:PORT
	User       string
	Program    string   // a registered program of the user's account; empty: none
	Keys       []string // files of private keys; those that do not exist or have a passphrase are skipped
	Agent      string   // the socket of an SSH agent; empty: none
	KnownHosts string   // file
}

// sshTime limits an attempt to connect, and the login after it.
const sshTime = 30 * time.Second

// Dial connects and starts the command relay.
func (s SSH) Dial(ctx context.Context) (io.ReadWriteCloser, error) {
	check, err := readKnownHosts(s.KnownHosts)
	if err != nil {
		return nil, fmt.Errorf("reading the known hosts: %w: connect once with ssh", err)
	}
	auth, closeAgent := s.auth(ctx)
	defer closeAgent()
	nc, err := (&net.Dialer{Timeout: sshTime}).DialContext(ctx, "tcp", s.Address)
	if err != nil {
		return nil, fmt.Errorf("connecting to the server: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, sshTime)
	defer cancel()
	defer context.AfterFunc(ctx, func() { nc.Close() })()
	conn, channels, requests, err := ssh.NewClientConn(nc, s.Address, &ssh.ClientConfig{
		User: s.User, Auth: auth, HostKeyCallback: check, HostKeyAlgorithms: knownAlgorithms(check, s.Address, nc.RemoteAddr()),
	})
	if err != nil {
		nc.Close()
		return nil, s.explain(err)
	}
	stream, err := s.start(ssh.NewClient(conn, channels, requests))
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("starting the relay over SSH: %w", err)
	}
	return stream, nil
}

// auth returns the user's keys: those of the agent, then those in files. The returned function
// closes the connection to the agent.
func (s SSH) auth(ctx context.Context) ([]ssh.AuthMethod, func()) {
	var signers []ssh.Signer
	done := func() {}
	if s.Agent != "" {
		if nc, err := (&net.Dialer{}).DialContext(ctx, "unix", s.Agent); err == nil {
			done = func() { nc.Close() }
			signers, _ = agent.NewClient(nc).Signers() // without it, the files may do
		}
	}
	for _, file := range s.Keys {
		if text, err := os.ReadFile(file); err == nil {
			if key, err := ssh.ParsePrivateKey([]byte(sanitize.Decode(text))); err == nil {
				signers = append(signers, key)
			}
		}
	}
	if len(signers) == 0 {
		return nil, done
	}
	return []ssh.AuthMethod{ssh.PublicKeys(signers...)}, done
}

// knownAlgorithms returns the algorithms of the server's known keys, so that the server does
// not present another key. It returns nil if no key is known.
func knownAlgorithms(check ssh.HostKeyCallback, address string, remote net.Addr) (all []string) {
	var wrong *knownhosts.KeyError
	if !errors.As(check(address, remote, noKey{}), &wrong) {
		return nil
	}
	for _, k := range wrong.Want {
		if kind := k.Key.Type(); kind == ssh.KeyAlgoRSA {
			all = append(all, ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256)
		} else {
			all = append(all, kind)
		}
	}
	return all
}

// noKey is a public key that no server has.
type noKey struct{}

func (noKey) Type() string                        { return "none" }
func (noKey) Marshal() []byte                     { return []byte("none") }
func (noKey) Verify([]byte, *ssh.Signature) error { return errors.New("not a key") }

// explain adds advice to an error.
func (s SSH) explain(err error) error {
	var wrong *knownhosts.KeyError
	switch host, port, _ := net.SplitHostPort(s.Address); {
	case errors.As(err, &wrong) && len(wrong.Want) > 0:
		return fmt.Errorf("the key of %s is not the one in %s: if the server has a new key, remove the old one with ssh-keygen -R", s.Address, s.KnownHosts)
	case errors.As(err, &wrong):
		return fmt.Errorf("the key of %s is not known: connect once with ssh -p %s %s and check it", s.Address, port, host)
	}
	return fmt.Errorf("connecting over SSH: %w", err)
}

// start starts the command and returns its streams.
func (s SSH) start(client *ssh.Client) (io.ReadWriteCloser, error) {
	session, err := client.NewSession()
	if err != nil {
		return nil, err
	}
	stream := &sshStream{client: client}
	session.Stderr = &stream.said
	if stream.Writer, err = session.StdinPipe(); err != nil {
		return nil, err
	}
	if stream.out, err = session.StdoutPipe(); err != nil {
		return nil, err
	}
	command := "relay --ready"
	if s.Program != "" {
		command += " --program " + s.Program
	}
	if err := session.Start(command); err != nil {
		return nil, err
	}
	stream.wait = session.Wait
	return stream, nil
}

// sshStream is the stream of a command over SSH.
type sshStream struct {
	io.Writer // standard input
	out       io.Reader
	client    *ssh.Client
	said      message
	wait      func() error
}

// Read reads standard output. At its end, the error contains the command's standard error.
func (s *sshStream) Read(b []byte) (int, error) {
	n, err := s.out.Read(b)
	if errors.Is(err, io.EOF) {
		s.wait() // until standard error has been read; its text says more than the exit status
		if text := s.said.text(); text != "" {
			err = errors.New(text)
		}
	}
	return n, err
}

// Close closes the connection.
func (s *sshStream) Close() error { return s.client.Close() }

// message keeps the beginning of the data written to it.
type message struct {
	mu   sync.Mutex
	kept []byte // guarded by mu
}

// maxMessage is the number of bytes that are kept.
const maxMessage = 1024

// Write implements [io.Writer].
func (m *message) Write(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept = append(m.kept, b[:min(len(b), maxMessage-len(m.kept))]...)
	return len(b), nil
}

// text returns the last line.
func (m *message) text() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(m.kept)), "\n")
	return lines[len(lines)-1]
}

// DefaultKeys returns the files in which ssh looks for private keys, and the file of known
// hosts.
func DefaultKeys() (keys []string, knownHosts string, err error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, "", err
	}
	folder := filepath.Join(home, ".ssh")
	for _, name := range []string{"id_ed25519", "id_ecdsa", "id_rsa"} {
		keys = append(keys, filepath.Join(folder, name))
	}
	return keys, filepath.Join(folder, "known_hosts"), nil
}
