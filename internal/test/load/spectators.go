package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"broadside/internal/test/servers"
	"broadside/match"
	"broadside/relay/client"
)

// program is a client of the line protocol.
type program struct {
	nc    net.Conn
	lines *bufio.Reader
}

func (p *program) send(line string) error {
	_, err := io.WriteString(p.nc, line)
	return err
}

func (p *program) expect(want string) error {
	got, err := p.lines.ReadSlice('\n')
	if err == nil && string(got) != want {
		err = fmt.Errorf("a program got %q, want %q", got, want)
	}
	return err
}

// shotScript returns attacks on every cell except one of a ship, so that the game does not end, and their true
// results.
func shotScript() (attacks, results []string) {
	fleet := match.Classic().RandomLayout(rand.New(rand.NewPCG(1, 1)))
	truth, cells := match.NewFleet(fleet), slices.Collect(match.Classic().Cells().All())
	rand.Shuffle(len(cells), func(i, k int) { cells[i], cells[k] = cells[k], cells[i] })
	for _, cell := range cells {
		if cell != fleet[0].Stern {
			attacks = append(attacks, client.Message{Op: client.Attack, Cell: cell}.String()+"\n")
			results = append(results, client.Message{Op: client.Result, Cell: cell, Result: truth.Fire(cell)}.String()+"\n")
		}
	}
	return attacks, results
}

// connectPrograms connects two programs and starts their game. The second fires first.
func connectPrograms(address string) (all [2]*program, err error) {
	for i := range all {
		nc, err := net.Dial("tcp", address)
		if err != nil {
			return all, err
		}
		all[i] = &program{nc, bufio.NewReader(nc)}
		if err := all[i].expect(fmt.Sprintf("(%d,[]).\n", 3+i)); err != nil {
			return all, err
		}
	}
	return all, errors.Join(all[0].expect("(5,[]).\n"), all[1].expect("(5,[]).\n"))
}

// fire fires a shot and expects its result.
func (p *program) fire(attack, result string) error {
	return errors.Join(p.send(attack), p.expect(result))
}

// answerShot expects a shot and sends its result.
func (p *program) answerShot(attack, result string) error {
	return errors.Join(p.expect(attack), p.send(result))
}

// watchedShots is how many shots the spectators see.
const watchedShots = 40

// measureSpectators lets spectators on the website follow a match of two programs, with some time between shots.
func measureSpectators(l *load) error {
	programs, err := connectPrograms(l.server.Relay)
	if err != nil {
		return err
	}
	path, err := l.findMatchFeed()
	if err != nil {
		return err
	}
	empty, err := l.measureCost()
	if err != nil {
		return err
	}
	var fired atomic.Pointer[time.Time]
	var spectators errgroup.Group
	took := make([][]time.Duration, l.n)
	for i := range l.n {
		feed, err := http.Get("http://" + l.server.Web + path)
		if err != nil {
			return err
		}
		defer feed.Body.Close()
		spectators.Go(func() error { return recordArrivals(feed.Body, &fired, &took[i]) })
	}
	full, err := l.measureCost()
	if err != nil {
		return err
	}
	reportMemory("a spectator", full, empty, l.n)
	attacks, results := shotScript()
	before := servers.MeasureProcess(l.server.PID())
	for n := range watchedShots {
		time.Sleep(100 * time.Millisecond)
		now := time.Now()
		fired.Store(&now)
		shooter, target := programs[1-n%2], programs[n%2]
		var turn errgroup.Group
		turn.Go(func() error { return shooter.fire(attacks[n/2], results[n/2]) })
		turn.Go(func() error { return target.answerShot(attacks[n/2], results[n/2]) })
		if err := turn.Wait(); err != nil {
			return err
		}
	}
	if err := spectators.Wait(); err != nil {
		return err
	}
	reportCPU("a shot", servers.MeasureProcess(l.server.PID()), before, watchedShots)
	reportTimes("shot to spectator", slices.Concat(took...))
	return nil
}

// findMatchFeed returns the path of the event feed of the programs' match.
func (l *load) findMatchFeed() (string, error) {
	r, err := http.Get("http://" + l.server.Web + "/api/v1/matches")
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	var all []struct {
		ID      string
		Players [2]struct{ Name string }
	}
	if err := json.NewDecoder(r.Body).Decode(&all); err != nil {
		return "", err
	}
	for _, m := range all {
		if strings.HasPrefix(m.Players[0].Name, "program-") {
			return "/api/v1/matches/" + m.ID + "/events", nil
		}
	}
	return "", errors.New("the website does not list the match")
}

// recordArrivals records how long each shot took to reach a spectator.
func recordArrivals(feed io.Reader, fired *atomic.Pointer[time.Time], took *[]time.Duration) error {
	lines := bufio.NewScanner(feed)
	for len(*took) < watchedShots && lines.Scan() {
		at := fired.Load()
		if at != nil && bytes.Contains(lines.Bytes(), []byte(`"result"`)) {
			*took = append(*took, time.Since(*at))
		}
	}
	return lines.Err()
}
