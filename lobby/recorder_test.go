package lobby_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
)

// disk is a store that cannot write matches while it is broken.
type disk struct{ *storetest.Disk }

func openDisk(t *testing.T) *disk { return &disk{storetest.OpenDisk(t, store.Config{})} }

// fail makes writes of matches fail.
func (d *disk) fail() {
	d.Exec(`CREATE TRIGGER broken BEFORE INSERT ON matches BEGIN SELECT RAISE(ABORT, 'the disk is on fire'); END`)
}

func (d *disk) heal() {
	d.Exec(`DROP TRIGGER broken`)
}

// logbook records the lines that a lobby logs.
type logbook struct {
	mu  sync.Mutex
	all bytes.Buffer // guarded by mu
}

func (b *logbook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.Write(p)
}

// lines returns the lines that contain a text.
func (b *logbook) lines(text string) (found []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, line := range strings.Split(b.all.String(), "\n") {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}

// onDisk runs a test with a lobby whose disk can fail.
func onDisk(t *testing.T, test func(t *testing.T, d *disk, l *lobby.Lobby, book *logbook)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d, book := openDisk(t), &logbook{}
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: d.Store, Log: slog.New(slog.NewTextHandler(book, nil))})
		defer l.Close()
		test(t, d, l, book)
	})
}

// lose resigns a match as soon as it counts.
func lose(t *testing.T, l *lobby.Lobby, a, b account.Player) *lobby.Seat {
	t.Helper()
	first, second := seat(t, l, a, b)
	box := first.Seat.Attach(nil)
	count(first, second)
	first.Seat.Resign()
	theEnd(t, box)
	<-first.Seat.Match().Done()
	return first
}
