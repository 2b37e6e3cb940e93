package lobby_test

import (
	"bytes"
	"strings"
	"sync"

	"broadside/internal/test/storetest"
)

// logbook records the lines that a lobby logs.
type logbook struct {
	mu sync.Mutex
	// all is guarded by mu.
	all bytes.Buffer
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

// disk is a store that cannot write matches while it is broken.
type disk struct{ *storetest.Disk }

// fail makes writes of matches fail.
func (d *disk) fail() {
	d.Exec(`CREATE TRIGGER broken BEFORE INSERT ON matches BEGIN SELECT RAISE(ABORT, 'the disk is on fire'); END`)
}

func (d *disk) heal() { d.Exec(`DROP TRIGGER broken`) }
