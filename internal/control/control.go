// Package control reports the state of a running server to commands on the same machine. It
// serves HTTP over a socket in the data folder that only the server's user can open; it cannot
// change anything.
package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// socketName is the name of the socket in the data folder.
const socketName = "broadside.sock"

// maxPath is the maximum length of a socket's path on all systems, in bytes.
const maxPath = 100

// Errors that callers can check with errors.Is. They are wrapped with the folder.
var (
	ErrRunning = errors.New("another server uses this data folder: stop it first, or choose another folder with --data")
	ErrNobody  = errors.New("no server runs with this data folder: start it, or name its folder with --data")
)

// Limits of both sides.
const (
	askTime   = 5 * time.Second
	maxAnswer = 16 << 20 // bytes
)

// Listener is the control socket of a running server.
type Listener struct {
	net.Listener
	path string
	made fs.FileInfo
	once sync.Once
}

// Listen creates the socket in a folder, with mode 0600. It replaces a socket left behind by a
// killed server, and returns [ErrRunning] if a server answers.
func Listen(folder string) (*Listener, error) {
	l, err := listen(folder)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	return l, nil
}

func listen(folder string) (_ *Listener, err error) {
	path := filepath.Join(folder, socketName)
	if nc, err := net.DialTimeout("unix", path, askTime); err == nil {
		_ = nc.Close() // only a check
		return nil, ErrRunning
	}
	// Set the mode before the socket gets its final name and replaces an old one.
	private, err := os.MkdirTemp(folder, ".s-*")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(private)) }()
	temporary := filepath.Join(private, "s")
	if len(temporary) > maxPath {
		return nil, errors.New("the path of the data folder is too long for a socket in it")
	}
	socket, err := net.Listen("unix", temporary)
	if err != nil {
		return nil, err
	}
	socket.(*net.UnixListener).SetUnlinkOnClose(false) // it is renamed below
	err = errors.Join(os.Chmod(temporary, 0o600), os.Rename(temporary, path))
	l := &Listener{Listener: socket, path: path}
	if err == nil {
		l.made, err = os.Lstat(path)
	}
	if err != nil {
		return nil, errors.Join(err, socket.Close())
	}
	return l, nil
}

// Close implements [net.Listener]. It removes the socket unless another server has replaced
// it. Closing nil, or closing twice, does nothing.
func (l *Listener) Close() (err error) {
	if l == nil {
		return nil
	}
	l.once.Do(func() {
		err = l.Listener.Close()
		if now, gone := os.Lstat(l.path); gone == nil && os.SameFile(l.made, now) {
			err = errors.Join(err, os.Remove(l.path))
		}
	})
	return err
}

// Serve answers requests until ctx ends, and closes the listener. Any goroutine may call
// report, which must not block.
func Serve(ctx context.Context, l *Listener, report func() Report, log *slog.Logger) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+nodesPath, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(report()); err != nil {
			log.Debug("cannot send the report", "error", err)
		}
	})
	srv := &http.Server{
		Handler: mux, ReadTimeout: askTime, WriteTimeout: askTime, IdleTimeout: askTime, MaxHeaderBytes: 4 << 10,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		_ = srv.Close() // closes the listener; incomplete answers do no harm
	})
	err := srv.Serve(l)
	if !stop() {
		<-done
	}
	if errors.Is(err, http.ErrServerClosed) {
		return l.Close()
	}
	return fmt.Errorf("serving %s: %w", l.path, errors.Join(err, l.Close()))
}

// nodesPath is the path of the report.
const nodesPath = "/nodes"

// Ask returns the report of the server that uses a data folder, or [ErrNobody]. Errors
// are meant for the operator.
func Ask(ctx context.Context, folder string) (Report, error) {
	r, err := ask(ctx, filepath.Join(folder, socketName))
	if err != nil {
		return Report{}, fmt.Errorf("%s: %w", folder, err)
	}
	return r, nil
}

func ask(ctx context.Context, path string) (r Report, err error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", path)
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://server"+nodesPath, nil)
	if err != nil {
		return r, err
	}
	response, err := transport.RoundTrip(request)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return r, ErrNobody
	case errors.Is(err, fs.ErrPermission):
		return r, errors.New("permission denied: run the command as the server's user or as root")
	case err != nil:
		return r, fmt.Errorf("the server does not answer: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return r, fmt.Errorf("the server answers %s: it may be another version", response.Status)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(&r); err != nil {
		return r, fmt.Errorf("cannot read the server's answer: %w", err)
	}
	return r, nil
}
