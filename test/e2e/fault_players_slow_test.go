//go:build slow && linux

package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"broadside/bots"
	"broadside/internal/test/sshtest"
	"broadside/match"
	"broadside/relay/client"
)

// survivor is a player who plays matches in succession despite all faults.
type survivor struct {
	d    *faultTest
	name string
	key  ssh.Signer
	// command starts a match.
	command string
	rng     *rand.Rand

	// The fields below belong to the player's goroutine, and are read after it has ended.

	hasName bool
	// endings are the endings that the player saw, each on one of the screens.
	endings    []ending
	screens    []string
	lastScreen string
}

func (v *survivor) playMatches(ctx context.Context) {
	for ctx.Err() == nil {
		address, _ := v.d.addresses()
		o := sshtest.Options{User: v.name, Signer: v.key, Width: 100, Height: 30, Timeout: time.Minute}
		if v.hasName {
			o.Command = v.command
		}
		s, err := sshtest.TryDial(v.d.t, address, o)
		if err != nil {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		v.playMatch(ctx, s)
		s.Close()
	}
}

var shotsFired = regexp.MustCompile(`shots +(\d+) +(\d+)`)

// playMatch reacts to the screen until the match or the session is over.
func (v *survivor) playMatch(ctx context.Context, s *sshtest.Terminal) {
	cells := v.rng.Perm(100)
	for step := 0; ctx.Err() == nil && !s.HasEnded(); step++ {
		screen := s.Screen()
		switch {
		case strings.Contains(screen, "Welcome aboard"):
			v.press(s, "n")
		case strings.Contains(screen, "Choose a player name."):
			v.press(s, "\r")
		case !v.hasName && strings.Contains(screen, v.name+" (you)"):
			v.hasName = true
			return
		case strings.Contains(screen, "All ships are placed."):
			v.press(s, "\r")
		case strings.Contains(screen, "Place your fleet"):
			v.press(s, "x")
		case strings.Contains(screen, "You have a match in another session"):
			// The other session's connection was lost.
			v.press(s, "x")
		case strings.Contains(screen, "INTERRUPTED."), strings.Contains(screen, "NO ONE WON."):
			// The match continues later, or the server has ended it.
			return
		case strings.Contains(screen, "could not save this match"):
			// The player knows that the match may be lost.
			return
		case shotsFired.MatchString(screen):
			m := shotsFired.FindStringSubmatch(screen)
			mine, _ := strconv.Atoi(m[1])
			theirs, _ := strconv.Atoi(m[2])
			v.endings = append(v.endings, ending{strings.Contains(screen, "YOU WON.") || strings.Contains(screen, "You sank"), mine, theirs})
			v.screens = append(v.screens, screen)
			v.d.endings.add()
			return
		case strings.Contains(screen, "YOUR TURN") && len(cells) > 0:
			c := cells[0]
			// The shot may be refused, or already known.
			cells = append(cells[1:], c)
			v.press(s, fmt.Sprintf("%c%d\r", 'a'+c/10, c%10+1))
		case strings.Contains(screen, "to claim the win"):
			v.press(s, "!")
		default:
			time.Sleep(20 * time.Millisecond)
		}
		if v.rng.IntN(2000) == 0 {
			// The connection is lost.
			return
		}
	}
	if ctx.Err() != nil {
		v.lastScreen = s.Screen()
	}
}

// press types keys and leaves the server some time.
func (v *survivor) press(s *sshtest.Terminal, keys string) {
	for _, key := range keys {
		s.Type(string(key))
	}
	time.Sleep(50 * time.Millisecond)
}

// tally counts events. Its methods may be called from any goroutine.
type tally struct {
	mu sync.Mutex
	n  int
}

func (c *tally) add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

func (c *tally) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// runPrograms plays games in succession as a program on the relay.
func (d *faultTest) runPrograms(ctx context.Context, seed uint64, ended *tally) {
	rng := rand.New(rand.NewPCG(seed, 5))
	for ctx.Err() == nil {
		b, err := bots.New("easy", bots.Config{Rules: match.Classic(), Rand: rng})
		if err != nil {
			d.t.Error(err)
			return
		}
		_, address := d.addresses()
		if _, err := client.Play(ctx, address, match.Classic(), b); err == nil {
			ended.add()
		} else {
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// stallConnections connects, types and never reads, repeatedly.
func (d *faultTest) stallConnections(ctx context.Context) {
	for ctx.Err() == nil {
		address, _ := d.addresses()
		s, err := sshtest.TryDial(d.t, address, sshtest.Options{Command: "play --vs easy", Timeout: time.Minute})
		if err != nil {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		s.Pause()
		for range 50 {
			if s.HasEnded() || ctx.Err() != nil {
				break
			}
			s.Type("x\rb5\rc7\r\x0c")
			time.Sleep(100 * time.Millisecond)
		}
		s.Close()
	}
}
