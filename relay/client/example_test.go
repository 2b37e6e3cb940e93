package client_test

import (
	"bufio"
	"context"
	"fmt"
	"net"

	"broadside/match"
	"broadside/relay/client"
)

// sweepingPlayer is a player that fires at all cells in order.
type sweepingPlayer struct {
	layout match.Layout
	next   int
}

// Place implements [client.Player].
func (p *sweepingPlayer) Place() match.Layout { return p.layout }

// Fire implements [client.Player].
func (p *sweepingPlayer) Fire(*match.Chart) match.Cell {
	p.next++
	return match.NewCell((p.next-1)%10, (p.next-1)/10)
}

// layoutInRows is a fleet with a ship in every second row.
func layoutInRows() (l match.Layout) {
	for i, length := range []int{5, 4, 3, 3, 2} {
		l = append(l, match.Ship{Stern: match.NewCell(0, 2*i), Heading: match.East, Length: length})
	}
	return l
}

// ExamplePlay connects a player to a server and plays one game. The server here is a stand-in that has no ships,
// fires at every cell of the fleet, and so wins.
func ExamplePlay() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	go serveStandIn(l)
	out, err := client.Play(context.Background(), l.Addr().String(), match.Classic(), &sweepingPlayer{layout: layoutInRows()})
	fmt.Println(out.Won, out.Shots, err)
	// Output: false 16 <nil>
}

// serveStandIn serves one client of [ExamplePlay].
func serveStandIn(l net.Listener) {
	nc, err := l.Accept()
	if err != nil {
		return
	}
	defer nc.Close()
	// The client defends first.
	fmt.Fprint(nc, "(3,[]).\n(5,[]).\n")
	lines := bufio.NewScanner(nc)
	for cell := range layoutInRows().Cells().All() {
		fmt.Fprintln(nc, client.Message{Op: client.Attack, Cell: cell})
		// Read the result.
		lines.Scan()
		if m, err := client.Parse(lines.Bytes()); err != nil || m.Result == match.LastSunk {
			return
		}
		// Read the client's shot.
		lines.Scan()
		m, err := client.Parse(lines.Bytes())
		if err != nil {
			return
		}
		fmt.Fprintln(nc, client.Message{Op: client.Result, Cell: m.Cell, Result: match.Miss})
	}
}

func ExampleParse() {
	m, err := client.Parse([]byte("(2,[4,7,1])."))
	fmt.Println(m.Op == client.Result, m.Cell, m.Result == match.Miss, err)
	_, err = client.Parse([]byte("fire!"))
	fmt.Println(err == client.ErrMalformed)
	// Output:
	// true H5 true <nil>
	// true
}
