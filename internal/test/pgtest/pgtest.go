// Package pgtest runs PostgreSQL servers for tests, each in a temporary folder and
// reachable only through a socket there.
package pgtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"broadside/internal/test/need"
)

// ErrNotInstalled is returned by [Start] if PostgreSQL is not installed.
var ErrNotInstalled = errors.New("PostgreSQL is not installed: install Debian's package postgresql, for instance")

// Server is a server that runs until [Server.Stop]. All methods may be called from any
// goroutine.
type Server struct {
	folder  string
	address string // additional IP address to listen on, if any
	command func(name string, args ...string) *exec.Cmd
	server  *exec.Cmd
	log     *bytes.Buffer // the server's log; read only once it has ended
	ended   chan error    // capacity 1
}

// startTime limits the start of a server, on a busy machine.
const startTime = time.Minute

// Open starts a server that is stopped at the end of the test. It also listens on an IP
// address, at the usual port, unless the address is empty, and accepts all connections.
func Open(t testing.TB, address string) *Server {
	t.Helper()
	s, err := StartListening(address)
	RequireServer(t, err)
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// RequireServer skips a test if PostgreSQL is not installed, and fails it after any other error of [Start].
func RequireServer(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, ErrNotInstalled) {
		need.Skip(t, "%v", err)
	} else if err != nil {
		t.Fatal(err)
	}
}

// Start creates a database cluster and starts a server on it.
func Start() (*Server, error) { return StartListening("") }

// StartListening is like Start for a server that also listens on an IP address, at the usual
// port, and accepts all connections.
func StartListening(address string) (*Server, error) {
	return createServer(address, func(s *Server) error {
		if out, err := s.command("initdb", "--pgdata", s.dataFolder(), "--username", "broadside", "--auth", "trust", "--no-sync", "--encoding", "UTF8").CombinedOutput(); err != nil {
			return fmt.Errorf("initdb: %w: %s", err, out)
		}
		if address == "" {
			return nil
		}
		rules, err := os.OpenFile(filepath.Join(s.dataFolder(), "pg_hba.conf"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = rules.WriteString("host all all all trust\n")
		return errors.Join(err, rules.Close())
	})
}

// StartReplica starts a server that replicates this one. From then on, this server confirms a
// transaction only once the replica has it, too.
func (s *Server) StartReplica(ctx context.Context) (*Server, error) {
	r, err := createServer("", func(r *Server) error {
		if out, err := r.command("pg_basebackup", "--pgdata", r.dataFolder(), "--host", s.folder, "--username", "broadside",
			"--write-recovery-conf", "--checkpoint", "fast", "--no-sync").CombinedOutput(); err != nil {
			return fmt.Errorf("pg_basebackup: %w: %s", err, out)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := s.exec(ctx, "ALTER SYSTEM SET synchronous_standby_names = '*'"); err != nil {
		return nil, errors.Join(err, r.Stop())
	}
	if err := s.exec(ctx, "SELECT pg_reload_conf()"); err != nil {
		return nil, errors.Join(err, r.Stop())
	}
	return r, nil
}

// Promote makes a replica an independent server.
func (s *Server) Promote() error {
	// PostgreSQL can cancel the statement pg_promote, since it conflicts with the recovery that it ends.
	if out, err := s.command("pg_ctl", "promote", "--pgdata", s.dataFolder(), "--wait").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// exec executes a statement.
func (s *Server) exec(ctx context.Context, statement string) error {
	db, err := sql.Open("pgx", s.databaseURL(nil))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, statement)
	return err
}

// createServer creates a server whose data folder is filled by fill.
func createServer(address string, fill func(*Server) error) (*Server, error) {
	bin, err := programFolder()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "pgtest") // t.TempDir's names are too long for a socket
	if err != nil {
		return nil, err
	}
	s := &Server{folder: folder, address: address, log: new(bytes.Buffer), ended: make(chan error, 1)}
	if err = s.setUpCommands(bin); err == nil {
		err = fill(s)
	}
	if err == nil {
		err = s.startAndWait()
	}
	if err != nil {
		os.RemoveAll(folder)
		return nil, fmt.Errorf("start a PostgreSQL server for tests: %w", err)
	}
	return s, nil
}

func (s *Server) dataFolder() string { return filepath.Join(s.folder, "data") }

// setUpCommands determines how to run PostgreSQL's programs.
func (s *Server) setUpCommands(bin string) error {
	as, err := unprivilegedProcess(s.folder)
	if err != nil {
		return err
	}
	s.command = func(name string, args ...string) *exec.Cmd {
		c := exec.Command(filepath.Join(bin, name), args...)
		c.Dir, c.SysProcAttr = s.folder, as
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8"}
		return c
	}
	return nil
}

// startAndWait starts the server on the cluster and waits until it answers.
func (s *Server) startAndWait() error {
	// Tests don't need data to survive a crash of the machine.
	s.server = s.command("postgres", "-D", s.dataFolder(), "-k", s.folder, "-c", "listen_addresses="+s.address,
		"-c", "fsync=off", "-c", "full_page_writes=off", "-c", "autovacuum=off", "-c", "max_connections=200")
	s.server.Stdout, s.server.Stderr = s.log, s.log
	if err := s.server.Start(); err != nil {
		return err
	}
	go func() { s.ended <- s.server.Wait() }()
	db, err := sql.Open("pgx", s.databaseURL(nil))
	if err != nil {
		return err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	for db.PingContext(ctx) != nil {
		select {
		case err := <-s.ended:
			return fmt.Errorf("the server has ended: %v: %s", err, s.log)
		case <-time.After(20 * time.Millisecond):
		}
		if ctx.Err() != nil {
			return errors.Join(ctx.Err(), s.stopNow())
		}
	}
	return nil
}

// stopNow stops the server immediately and closes all its connections.
func (s *Server) stopNow() error {
	if err := s.server.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	<-s.ended
	return nil
}

// Restart stops the server, closes all its connections, and starts it again on the same
// data.
func (s *Server) Restart() error {
	if err := s.stopNow(); err != nil {
		return err
	}
	s.log.Reset()
	return s.startAndWait()
}

// Kill kills the server. [Server.RestartAfterKill] starts it again.
func (s *Server) Kill() error {
	if err := s.server.Process.Kill(); err != nil {
		return err
	}
	<-s.ended
	return nil
}

// RestartAfterKill restarts a killed server. It waits for the server's remaining processes, which
// end soon after the kill and prevent a start until then.
func (s *Server) RestartAfterKill() error {
	for deadline := time.Now().Add(startTime); ; time.Sleep(50 * time.Millisecond) {
		s.log.Reset()
		err := s.startAndWait()
		if err == nil || !strings.Contains(err.Error(), "still in use") || time.Now().After(deadline) {
			return err
		}
	}
}

// Folder returns the folder of the server's socket: the host in a connection string.
func (s *Server) Folder() string { return s.folder }

// Stop stops the server and removes its data.
func (s *Server) Stop() error {
	err := s.stopNow()
	if errors.Is(err, os.ErrProcessDone) { // it was killed
		err = nil
	}
	return errors.Join(err, os.RemoveAll(s.folder))
}

func (s *Server) databaseURL(options url.Values) string {
	all := url.Values{"host": {s.folder}, "user": {"broadside"}, "sslmode": {"disable"}}
	for name, values := range options {
		all[name] = values
	}
	return "postgres:///postgres?" + all.Encode()
}

// CreateDatabase returns the URL of the database for a name, and creates it at the first call.
func (s *Server) CreateDatabase(ctx context.Context, name string) (string, error) {
	db, err := sql.Open("pgx", s.databaseURL(nil))
	if err != nil {
		return "", err
	}
	defer db.Close()
	// A schema serves as a database, because it takes no time to create.
	schema := fmt.Sprintf("s%x", sha256.Sum256([]byte(name)))[:33]
	if _, err := db.ExecContext(ctx, `CREATE SCHEMA IF NOT EXISTS `+schema); err != nil {
		return "", fmt.Errorf("make a database for a test: %w", err)
	}
	return s.databaseURL(url.Values{"search_path": {schema}}), nil
}
