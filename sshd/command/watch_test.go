package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/sshd"
	"broadside/sshd/command"
)

// following is a running command.
type following struct {
	out, errs bytes.Buffer
	status    int
	leave     context.CancelFunc
	done      chan struct{}
}

// startFollowing runs a command that follows a match.
func startFollowing(t *testing.T, l *lobby.Lobby, line string) *following {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	f := &following{leave: cancel, done: make(chan struct{})}
	c := newLine(command.Config{Host: &session.Host{Lobby: l}}, sshd.User{Name: "carol"}, line)
	c.Out, c.Err = &f.out, &f.errs
	go func() {
		defer close(f.done)
		f.status = c.Run(ctx)
	}()
	synctest.Wait()
	return f
}

// turn is the time limit of a shot.
const turn = 30 * time.Second

// runWithMatch runs a test with a match of ann and bob, in which bob fires first.
func runWithMatch(t *testing.T, rules match.Rules, test func(t *testing.T, l *lobby.Lobby, ann, bob *lobby.Seat)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1})
		defer l.Close()
		rules.Clock = turn
		var seats [2]*lobby.Seat
		var offers [2]*lobby.Offer
		for i, name := range []string{"ann", "bob"} {
			var err error
			if offers[i], err = l.Offers.FindOpponent(account.Player{ID: "key-" + name, Name: name}, rules, lobby.Rated); err != nil {
				t.Fatal(err)
			}
		}
		for i := range seats {
			seats[i] = <-offers[i].Seat()
		}
		test(t, l, seats[0], seats[1])
	})
}

// fleet is a legal classic layout with all ships facing east in column 1.
var fleet = match.Layout{
	{Stern: match.NewCell(0, 0), Heading: match.East, Length: 5},
	{Stern: match.NewCell(0, 2), Heading: match.East, Length: 4},
	{Stern: match.NewCell(0, 4), Heading: match.East, Length: 3},
	{Stern: match.NewCell(0, 6), Heading: match.East, Length: 3},
	{Stern: match.NewCell(0, 8), Heading: match.East, Length: 2},
}

func TestWatchWritesWhatSpectatorsSee(t *testing.T) {
	runWithMatch(t, match.Classic(), func(t *testing.T, l *lobby.Lobby, ann, bob *lobby.Seat) {
		id := ann.Seat.Match().ID()
		text, lines := startFollowing(t, l, "watch BOB"), startFollowing(t, l, "watch --json "+id)
		box := bob.Seat.Attach(nil)
		ann.Seat.Attach(nil)
		for _, seat := range []*lobby.Seat{ann, bob} {
			seat.Seat.Place(fleet)
		}
		shoot := func(s *lobby.Seat, cell string) {
			c, err := match.ParseCell(cell)
			if err != nil {
				t.Fatal(err)
			}
			s.Seat.Fire(c)
			synctest.Wait()
		}
		for _, c := range []string{"A1", "A2", "A3", "A4", "A5"} {
			shoot(bob, c)
			shoot(ann, string(c[0]+1)+c[1:])
		}
		late := startFollowing(t, l, "watch")
		shoot(bob, "I1")
		// Ann's turn passes.
		time.Sleep(turn)
		synctest.Wait()
		bob.Seat.Detach(box)
		synctest.Wait()
		bob.Seat.Attach(nil)
		synctest.Wait()
		shoot(bob, "I2")
		ann.Seat.Resign()
		for _, f := range []*following{text, lines, late} {
			<-f.done
			if f.status != 0 || f.errs.Len() > 0 {
				t.Errorf("got status %d, errors %s", f.status, f.errs.String())
			}
		}
		got := regexp.MustCompile("(Time is up.) .*").ReplaceAllString(text.out.String(), "$1")
		want := `ann against bob, classic, match ` + id + `.
ann is ready.
bob is ready.
The battle starts. bob fires first.
bob fired at A1: hit.
ann fired at B1: miss.
bob fired at A2: hit.
ann fired at B2: miss.
bob fired at A3: hit.
ann fired at B3: miss.
bob fired at A4: hit.
ann fired at B4: miss.
bob fired at A5: sunk. ann has 4 ships left.
ann fired at B5: miss.
bob fired at I1: hit.
Time is up.
bob lost the connection.
bob is back.
bob fired at I2: sunk. ann has 3 ships left.
bob won. ann resigned. ann fired 6 shots, bob fired 7.
`
		if got != want {
			t.Errorf("got output\n%s", got)
		}
		if s := late.out.String(); !strings.HasPrefix(s, `ann against bob, classic, match `+id+`.
ann fired 5 shots, bob fired 5. ann has 4 ships left. bob has 5 ships left. bob is aiming.
bob fired at I1: hit.
`) {
			t.Errorf("after joining late: got output\n%s", s)
		}
		all := strings.Split(strings.TrimSpace(lines.out.String()), "\n")
		for _, line := range all {
			if !json.Valid([]byte(line)) {
				t.Errorf("got a line that is not JSON: %s", line)
			}
			if strings.Contains(strings.ToLower(line), "layout") || strings.Contains(line, "east") {
				t.Errorf("line reveals a layout: %s", line)
			}
		}
		if len(all) != 33 || !strings.HasPrefix(all[0], `{"event":"match","id":"`+id+`","rules":"classic",`) ||
			!strings.HasSuffix(all[5], `"event":"answered","player":0,"cell":"A1","result":"hit"}`) ||
			!strings.HasSuffix(all[32], `"event":"ended","player":1,"reason":"resigned"}`) {
			t.Errorf("got %d lines:\n%s", len(all), lines.out.String())
		}
	})
}

// TestWatchSalvo checks that all shots of a salvo are written on one line, with what they hit.
func TestWatchSalvo(t *testing.T) {
	runWithMatch(t, match.Salvo(), func(t *testing.T, l *lobby.Lobby, ann, bob *lobby.Seat) {
		text, lines := startFollowing(t, l, "watch bob"), startFollowing(t, l, "watch bob --json")
		for _, seat := range []*lobby.Seat{ann, bob} {
			seat.Seat.Attach(nil)
			seat.Seat.Place(fleet)
		}
		bob.Seat.Fire(match.NewCell(0, 0), match.NewCell(1, 0), match.NewCell(9, 9), match.NewCell(0, 8), match.NewCell(1, 8))
		synctest.Wait()
		ann.Seat.Resign()
		<-text.done
		<-lines.done
		if got := text.out.String(); !strings.Contains(got, "\nbob fired: A1 hit, A2 hit, J10 miss, I1 hit, I2 sunk. ann has 4 ships left.\n") {
			t.Errorf("got output\n%s", got)
		}
		if n := strings.Count(lines.out.String(), `"event":"answered","player":0,`); n != 5 {
			t.Errorf("got %d results in\n%s", n, lines.out.String())
		}
	})
}

func TestWatchListsMatches(t *testing.T) {
	runWithMatch(t, match.Classic(), func(t *testing.T, l *lobby.Lobby, ann, bob *lobby.Seat) {
		id := ann.Seat.Match().ID()
		f := startFollowing(t, l, "watch --list")
		<-f.done
		if want := fmt.Sprintf("NO.  PLAYERS    RULES                   DURATION            WATCHING  ID\n1    ann – bob  classic, 0:30 per shot  less than a minute  0         %s\n", id); f.out.String() != want {
			t.Errorf("got list\n%s", f.out.String())
		}
		f = startFollowing(t, l, "watch --list --json")
		<-f.done
		if !strings.HasPrefix(f.out.String(), `{"event":"match","id":"`+id+`"`) || strings.Count(f.out.String(), "\n") != 1 {
			t.Errorf("got list\n%s", f.out.String())
		}
		bob.Seat.Resign()
		<-ann.Seat.Match().Done()
		synctest.Wait()
		f = startFollowing(t, l, "watch --list")
		<-f.done
		if !strings.HasPrefix(f.out.String(), "No match is running.") {
			t.Errorf("got list\n%s", f.out.String())
		}
		f = startFollowing(t, l, "watch ann")
		<-f.done
		if f.status != 1 || !strings.Contains(f.errs.String(), `No match "ann" is running`) {
			t.Errorf("got status %d, errors %s", f.status, f.errs.String())
		}
	})
}

// TestWatchListsTheMatchOfTwoBots checks that the list has the match of two bots while someone watches
// it, and that the ID from the list and a bot's name lead to it.
func TestWatchListsTheMatchOfTwoBots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(lobby.Config{Seed: 1})
		defer l.Close()
		finished := func(line string) *following {
			f := startFollowing(t, l, line)
			<-f.done
			return f
		}
		if f := finished("watch --list"); !strings.HasPrefix(f.out.String(), "No match is running.") {
			t.Errorf("without spectators: got list\n%s", f.out.String())
		}
		viewer := startFollowing(t, l, "watch")
		f := finished("watch --list --json")
		var listed struct {
			ID      string
			Players [2]struct{ Name string }
		}
		if err := json.Unmarshal(f.out.Bytes(), &listed); err != nil {
			t.Fatalf("watch --list --json: %v\n%s", err, f.out.String())
		}
		if f := finished("watch --list"); !strings.HasSuffix(f.out.String(), " "+listed.ID+"\n") {
			t.Errorf("got list\n%s", f.out.String())
		}
		for _, which := range []string{listed.ID, listed.Players[0].Name, listed.Players[1].Name} {
			f := startFollowing(t, l, "watch --json "+which)
			f.leave()
			<-f.done
			if !strings.HasPrefix(f.out.String(), `{"event":"match","id":"`+listed.ID+`"`) {
				t.Errorf("watch %s: got output %s, errors %s", which, f.out.String(), f.errs.String())
			}
		}
		viewer.leave()
		<-viewer.done
		if f := finished("watch --list"); !strings.HasPrefix(f.out.String(), "No match is running.") {
			t.Errorf("without spectators again: got list\n%s", f.out.String())
		}
	})
}

// TestWatchEndsWithTheClient checks that the command ends when the client leaves, and that
// the match of two bots then ends, too.
func TestWatchEndsWithTheClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(lobby.Config{Seed: 1})
		defer l.Close()
		f := startFollowing(t, l, "watch")
		// A minute is longer than any other command may take.
		time.Sleep(time.Minute)
		synctest.Wait()
		f.leave()
		<-f.done
		if shots := strings.Count(f.out.String(), " fired at "); shots < 20 || f.errs.Len() > 0 {
			t.Errorf("got %d shots in a minute, errors %s", shots, f.errs.String())
		}
		f = startFollowing(t, l, "watch")
		l.Close()
		<-f.done
		if s := f.out.String(); !strings.Contains(s, "No one won. The server ended the match. ") || f.status != 0 {
			t.Errorf("got status %d, errors %s", f.status, s)
		}
	})
}
