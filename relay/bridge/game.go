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
	started   bool // the battle has begun
	attacks   bool // the program attacks first
	decided   bool // the last ship is sunk
	won       bool // if decided
	over      bool // neither side plays it any longer
	ended     bool // the program has sent its last line
}

// write sends a line to the program.
func (g *game) write(line string, limit time.Duration) error {
	if err := g.nc.SetWriteDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	_, err := io.WriteString(g.nc, line+"\n")
	return err
}
