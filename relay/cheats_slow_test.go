//go:build slow

package relay_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/bots"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/match"
	"broadside/match/audit"
	"broadside/match/layoutfile"
	"broadside/relay"
	"broadside/relay/client"
)

// cheatGames is the number of rated games of each program; meetings is how many of them
// have the same opponent.
const cheatGames, meetings = 200, 10

// TestCheatsEndBelowHonestPlay lets the same code play the same games against hard three
// times: honestly; contradicting itself whenever it is about to lose; and moving its fleet
// under fire with consistent answers. All three are registered programs that commit to
// their fleets, and play over sockets. The operator only flags contradictions in casual
// matches.
func TestCheatsEndBelowHonestPlay(t *testing.T) {
	var mu sync.Mutex
	standing := map[string]store.Standing{} // guarded by mu
	t.Run("games", func(t *testing.T) {
		for name, answer := range map[string]func(*suspect, match.Cell) match.Result{
			"honest": (*suspect).honestly, "contradictor": (*suspect).contradicting, "mover": (*suspect).moving,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s, won := ratedGames(t, name, answer)
				t.Logf("%.0f ± %.0f, %d of %d won", s.Value, s.Deviation, won, s.Games)
				if s.Games != cheatGames {
					t.Errorf("%d rated games, not %d", s.Games, cheatGames)
				}
				mu.Lock()
				defer mu.Unlock()
				standing[name] = s
			})
		}
	})
	for _, cheat := range []string{"contradictor", "mover"} {
		if standing[cheat].Value >= standing["honest"].Value {
			t.Errorf("the %s is rated %.0f, the honest program %.0f", cheat, standing[cheat].Value, standing["honest"].Value)
		}
	}
}

// ratedGames plays all games of one program and returns its rating and the number of wins.
func ratedGames(t *testing.T, name string, answer func(*suspect, match.Cell) match.Result) (_ store.Standing, won int) {
	t.Helper()
	rivals := make([]string, cheatGames/meetings)
	for i := range rivals {
		rivals[i] = "rival-" + string("abcdefghjkmnopqrtuwxyz"[i]) // names that do not look alike
	}
	s, tokens := registered(t, append(rivals, name)...)
	address, l := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Store: s, Audit: audit.Flag})
	ctx := t.Context()
	for n := range cheatGames {
		rival := rivals[n/meetings]
		ended := make(chan error, 1)
		go func() {
			inv := client.Invitation{Address: address, Rules: match.Classic(), Token: tokens[rival]}
			ended <- client.PlaySeries(ctx, inv, func() (client.Player, error) { return bot(t, "hard", uint64(2*n)), nil }, func(client.Outcome) {})
		}()
		waiting(t, l, 1)
		result, err := newSuspect(t, uint64(2*n+1), answer).play(address, tokens[name])
		if err != nil {
			t.Fatalf("%s, game %d: %v", name, n+1, err)
		}
		if strings.HasPrefix(result, "% result won") {
			won++
		}
		if err := <-ended; err != nil && !errors.Is(err, client.ErrBroken) {
			t.Fatalf("%s, game %d: its opponent: %v", name, n+1, err)
		}
	}
	p, err := s.Accounts.ByName(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Ratings.Of(t.Context(), p.ID)
	if err != nil || len(all) != 1 {
		t.Fatalf("the standings of %s: %v, %v", name, all, err)
	}
	return all[0], won
}

// suspect is a program that commits to a fleet and may cheat in its answers.
type suspect struct {
	bot       bots.Bot
	rng       *rand.Rand
	answering func(*suspect, match.Cell) match.Result

	committed match.Layout
	ships     match.Layout // where they lie by now
	shots     []match.Shot // of the opponent, with the answers
	chart     match.Chart
}

func newSuspect(t *testing.T, seed uint64, answering func(*suspect, match.Cell) match.Result) *suspect {
	t.Helper()
	b := bot(t, "hard", seed).(bots.Bot)
	layout := b.Place()
	return &suspect{
		bot: b, rng: rand.New(rand.NewPCG(seed, 7)), answering: answering,
		committed: layout, ships: layout, chart: match.NewChart(match.Classic()),
	}
}

// truth returns the answer of a layout that was shot at before.
func (s *suspect) truth(l match.Layout, cell match.Cell) match.Result {
	f := match.NewFleet(l)
	for _, shot := range s.shots {
		f.Shoot(shot.Cell)
	}
	return f.Shoot(cell)
}

func (s *suspect) honestly(cell match.Cell) match.Result { return s.truth(s.ships, cell) }

// contradicting answers honestly until few cells of its fleet are left, and then gives answers that
// contradict every fleet.
func (s *suspect) contradicting(cell match.Cell) match.Result {
	left := s.ships.Cells()
	for _, shot := range s.shots {
		left.Remove(shot.Cell)
	}
	truth := s.truth(s.ships, cell)
	if left.Len() > 4 {
		return truth
	}
	for r := match.Water; r < match.LastSunk; r++ {
		audit := audit.New(match.Classic())
		for _, shot := range s.shots {
			audit.Add(shot.Cell, shot.Result)
		}
		if r != truth && !audit.Add(cell, r) {
			return r
		}
	}
	return truth
}

// moving moves a ship after its first hit to cells that were not shot at.
func (s *suspect) moving(cell match.Cell) match.Result {
	var fired match.Set
	for _, shot := range s.shots {
		fired.Add(shot.Cell)
	}
	fired.Add(cell)
	for i, ship := range s.ships {
		cells := ship.Cells()
		hit := cells
		hit = hit.Minus(hit.Minus(fired)) // the cells of the ship shot at so far, including this one
		if !cells.Has(cell) || hit.Len() > 1 {
			continue
		}
		for range 500 {
			moved := append(match.Layout{}, s.ships...)
			moved[i] = match.Ship{Stern: match.At(s.rng.IntN(10), s.rng.IntN(10)), Heading: match.Heading(s.rng.IntN(4)), Length: ship.Length}
			there := moved[i].Cells()
			if !there.Overlaps(&fired) && match.Classic().CheckShip(moved, i) == nil {
				s.ships = moved
				return match.Water
			}
		}
	}
	return s.truth(s.ships, cell)
}

// play plays one game, reveals the committed fleet, and returns the reported result.
func (s *suspect) play(address, token string) (result string, err error) {
	nc, err := net.Dial("tcp", address)
	if err != nil {
		return "", err
	}
	defer nc.Close()
	nc.SetDeadline(time.Now().Add(patience))
	say := func(text string) { fmt.Fprint(nc, text+"\n") } // if it fails, so does reading
	say("% token " + token + "\n% commit " + match.Commitment(match.Opening(pepper, s.committed)) + "\n% ready")
	attacks := false
	fire := func() {
		say(client.Message{Op: client.Attack, Cell: s.bot.Fire(&s.chart)}.String())
	}
	for lines := client.NewLines(nc); ; {
		line, err := lines.Next()
		if err != nil {
			return "", err
		}
		if text := string(line); text[0] == '%' {
			switch {
			case text == "% reveal":
				say("% reveal " + pepper + " " + strings.ReplaceAll(strings.TrimSpace(layoutfile.Format(match.Classic(), s.committed)), "\n", ";"))
			case strings.HasPrefix(text, "% error unrated"), strings.HasPrefix(text, "% result"):
				return text, nil
			}
			continue
		}
		m, err := client.Parse(line)
		if err != nil {
			return "", err
		}
		switch {
		case m.Op == client.Assault:
			attacks = true
		case m.Op == client.Start && attacks:
			fire()
		case m.Op == client.Result:
			s.chart.Record(m.Cell, m.Result)
			s.bot.Observe(m.Cell, m.Result)
		case m.Op == client.Attack:
			r := s.answering(s, m.Cell)
			s.shots = append(s.shots, match.Shot{Cell: m.Cell, Result: r, Number: len(s.shots) + 1})
			say(client.Message{Op: client.Result, Cell: m.Cell, Result: r}.String())
			if r != match.LastSunk {
				fire()
			}
		}
	}
}
