package bridge

import (
	"io"
	"net"
	"time"
)

// game is one game on the program's side.
type game struct {
	*listener // of the program's lines
	nc        net.Conn
	code      string   // the resume code of the seat; empty before the relay has sent it
	heard     int      // number of the relay's messages that the program has got since its role
	sent      []string // the program's messages
	waits     bool     // the program's next line is due
	started   bool     // the battle has begun
	attacks   bool     // the program attacks first
	decided   bool     // the last ship is sunk
	won       bool     // if decided
	over      bool     // neither side plays it any longer
	ended     bool     // the program has sent its last line
}

// write sends a line to the program.
func (g *game) write(line string, limit time.Duration) error {
	if err := g.nc.SetWriteDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	_, err := io.WriteString(g.nc, line+"\n")
	return err
}
