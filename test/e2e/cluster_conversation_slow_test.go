//go:build slow && linux

package e2e

import (
	"bufio"
	"context"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"time"

	"broadside/match"
)

// conversation is one session of a person.
type conversation struct {
	*linePlayer
	*notes
	in    io.Writer
	codes chan<- string

	begun    bool      // the match has begun
	placed   bool      // the fleet
	waits    bool      // for the answer to a shot
	askedAt  time.Time // when that shot was fired
	repeated string    // a cell that was typed more than once
	offered  bool      // a seat that the last session still seems to use
	hurries  bool      // the shot was refused, and is soon typed again
	resigned bool
}

var (
	roomCode = regexp.MustCompile(`^Your private match is open\. Its code is ([\w-]+):`)
	answered = regexp.MustCompile(`^([A-J]\d+): (water|hit)`)
	fires    = regexp.MustCompile(`^(\w+) fires at ([A-J]\d+):`)
	again    = regexp.MustCompile(`^You have already fired at ([A-J]\d+)`)
	useless  = regexp.MustCompile(`^([A-J]\d+) is next to a sunk ship`)
	endLine  = regexp.MustCompile(`^(You have won\.|You have lost\.|Nobody won\.)`)
)

// answerTime is how long a person waits for the answer to a shot before typing status.
const answerTime = 3 * time.Second

// hurryTime is how soon a person tries again while the server is reconnecting.
const hurryTime = 100 * time.Millisecond

// knownWater is the note for a cell that was known to be water.
var knownWater = match.Cell{X: -1, Y: -1}

// run plays until the session or the match ends. It reports whether the match has begun.
func (c *conversation) run(ctx context.Context, out io.Reader, command string) bool {
	defer context.AfterFunc(ctx, c.hangUp)()
	lines, quit := make(chan string), make(chan struct{})
	defer close(quit)
	go func() { // ends with the connection, which the caller closes
		defer close(lines)
		for l := bufio.NewScanner(out); l.Scan(); {
			select {
			case lines <- l.Text():
			case <-quit:
				return
			}
		}
	}()
	if c.begun {
		command = "status"
	}
	c.doubt = c.doubt || c.open
	c.say(command)
	impatient := time.NewTicker(answerTime / 2)
	defer impatient.Stop()
	var think <-chan time.Time
	for {
		select {
		case <-think:
			think = nil
			c.fire()
		case <-impatient.C:
			if c.waits && time.Since(c.askedAt) > answerTime {
				c.waits, c.doubt = false, true
				c.say("status")
			}
		case line, more := <-lines:
			if !more {
				return c.begun
			}
			if c.hear(line) && think == nil && !c.resigned {
				think = time.After(c.thinkTime())
			}
			if c.ending != "" {
				return c.begun
			}
		}
		if c.begun && c.linePlayer.resigns && !c.resigned && c.s.finished() {
			c.resigned = true
			c.say("resign")
			c.say("resign") // confirms it
		}
	}
}

// thinkTime returns how long the person thinks before the next shot.
func (c *conversation) thinkTime() time.Duration {
	if c.hurries {
		c.hurries = false
		return hurryTime
	}
	return c.pace
}

// say types a line. If that fails, the session has ended.
func (c *conversation) say(line string) { io.WriteString(c.in, line+"\n") }

func (c *conversation) fire() {
	if c.open {
		c.repeated = c.asked.String()
	} else {
		c.asked, c.open = c.nextCell(len(c.fired)), true
	}
	c.watch.fired(c.name, c.asked.String())
	c.say(c.asked.String())
	c.waits, c.askedAt = true, time.Now()
}

// hear records a line and reports whether it is the person's turn.
func (c *conversation) hear(line string) (turn bool) {
	c.linePlayer.note(line)
	switch {
	case roomCode.MatchString(line):
		c.codes <- roomCode.FindStringSubmatch(line)[1]
	case strings.HasPrefix(line, "Place your fleet") && !c.placed:
		c.say("place random")
		c.placed, c.begun = true, true
	case strings.HasPrefix(line, "The battle begins"):
		c.begun = true
	case fires.MatchString(line):
		shot := fires.FindStringSubmatch(line)
		c.watch.heard(shot[1], shot[2])
	case strings.HasPrefix(line, "Your turn."):
		return !c.waits
	case strings.HasPrefix(line, "Some events were skipped"):
		c.doubt, c.waits = c.open, false
		c.say("status")
	case strings.HasPrefix(line, "The server is reconnecting") && c.open:
		c.doubt, c.waits, c.hurries = true, false, true
		return true
	case answered.MatchString(line):
		if !c.open || answered.FindStringSubmatch(line)[1] != c.asked.String() {
			c.wonder(line)
			break
		}
		c.shotDone(c.asked)
		c.mu.Lock()
		c.seen = append(c.seen, time.Now())
		c.mu.Unlock()
	case again.MatchString(line):
		switch cell := again.FindStringSubmatch(line)[1]; {
		case c.open && c.doubt && cell == c.asked.String(): // the answer has not arrived
			c.shotDone(c.asked)
			return true
		case cell != c.repeated:
			c.wonder(line)
		}
	case useless.MatchString(line):
		c.shotDone(knownWater)
		return true
	case strings.HasPrefix(line, "You have a match in another session."): // the shot whose answer was lost
		c.offered = true
		c.say("resume")
	case strings.HasPrefix(line, "You are in the lobby.") && c.begun && !c.offered, strings.HasPrefix(line, "You have no match to continue."):
		c.ending = "it was over when I was back"
	case strings.HasPrefix(line, "The match has ended") && c.begun, // otherwise the previous one
		endLine.MatchString(line):
		c.ending = line
	}
	return false
}

func (c *conversation) shotDone(cell match.Cell) {
	c.fired, c.open, c.doubt, c.waits = append(c.fired, cell), false, false, false
}

// nextCell returns a cell at which the person has not fired in this match.
func (p *linePlayer) nextCell(n int) match.Cell {
	order := rand.New(rand.NewPCG(uint64(len(p.games)), 1)).Perm(100)
	return match.At(order[n%100]%10, order[n%100]/10)
}
