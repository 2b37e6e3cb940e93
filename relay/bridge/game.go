package bridge

import (
	"io"
	"net"
	"sync"
	"time"

	"broadside/relay"
)

// game is one game on the program's side.
type game struct {
	nc      net.Conn
	said    chan said // the program's lines
	done    chan struct{}
	reader  sync.WaitGroup
	started bool // the battle has begun
	attacks bool // the program attacks first
	decided bool // the last ship is sunk
	won     bool // if decided
	over    bool // nothing of it is played any further
	ended   bool // the program has sent its last line
}

// said is a line of the program, or the error that ended its lines.
type said struct {
	line string
	err  error
}

func newGame(nc net.Conn) *game {
	g := &game{nc: nc, said: make(chan said), done: make(chan struct{})}
	g.reader.Go(func() {
		g.read(func(s said) bool {
			select {
			case g.said <- s:
				return s.err == nil
			case <-g.done:
				return false
			}
		})
	})
	return g
}

// read yields the program's lines until yield returns false.
func (g *game) read(yield func(said) bool) {
	for lines := relay.NewLines(g.nc); ; {
		line, err := lines.Next()
		if !yield(said{string(line), err}) {
			return
		}
	}
}

// write sends a line to the program.
func (g *game) write(line string, limit time.Duration) error {
	if err := g.nc.SetWriteDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	_, err := io.WriteString(g.nc, line+"\n")
	return err
}
