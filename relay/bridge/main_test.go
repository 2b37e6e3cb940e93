package bridge_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"broadside/internal/test/leaks"
	"broadside/internal/test/parallel"
	"broadside/match"
	"broadside/relay/client"
)

// asProgram makes the test binary a program that plays on standard input and output.
const asProgram = "BRIDGE_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if behaviour := os.Getenv(asProgram); behaviour != "" {
		behave(behaviour)
		os.Exit(0)
	}
	parallel.WaitingTests()
	leaks.Main(m)
}

// random fires at random cells, and misbehaves with its fifth shot.
type random struct {
	rng       *rand.Rand
	behaviour string
	shots     int
}

func (r *random) Place() match.Layout              { return match.Classic().RandomLayout(r.rng) }
func (r *random) Observe(match.Cell, match.Result) {}

func (r *random) Fire(chart *match.Chart) match.Cell {
	if r.shots++; r.shots == 5 {
		switch r.behaviour {
		case "crash":
			fmt.Fprintln(os.Stderr, "no fuel")
			os.Exit(3)
		case "hang":
			time.Sleep(time.Hour)
		case "off":
			return match.At(10, 0)
		}
	}
	return chart.Open().Nth(r.rng.IntN(chart.Open().Len()))
}

// behave acts as a program.
func behave(behaviour string) {
	in := bufio.NewReader(os.Stdin)
	switch behaviour {
	case "garbage":
		fmt.Println("welcome to my program")
	case "mute":
		time.Sleep(time.Hour)
	case "uniform":
		fmt.Print("% hello broadside/1 name=other\n% layout uniform\n% ready\n")
		playUniform(in)
		return
	}
	player := func() client.Player {
		return &random{rand.New(rand.NewPCG(rand.Uint64(), 1)), behaviour, 0}
	}
	games := 0
	client.PlayStream(in, os.Stdout, match.Classic(), func() client.Player {
		if games++; behaviour == "one game" && games > 1 {
			os.Exit(0) // it is sent the role of the next game, and must be started again
		}
		return player()
	})
}

// playUniform plays with a fleet that the server holds.
func playUniform(in *bufio.Reader) {
	for shots, first := 0, false; ; {
		line, err := in.ReadString('\n')
		switch {
		case err != nil:
			return
		case strings.HasPrefix(line, "(3") || strings.HasPrefix(line, "(4"):
			shots, first = 0, line[1] == '4'
		case strings.HasPrefix(line, "(1") || strings.HasPrefix(line, "(5") && first:
			fmt.Printf("(1,[%d,%d]).\n", shots%10, shots/10)
			shots++
		}
	}
}
