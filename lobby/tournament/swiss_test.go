package tournament_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"broadside/bots"
	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/bot"
	"broadside/lobby/tournament"
	"broadside/match"
)

// field is a lobby and players of a tournament that play whenever they get a seat.
type field struct {
	t          *testing.T
	store      *store.Store
	lobby      *lobby.Lobby
	tournament *tournament.Tournament
	ctx        context.Context
	stop       context.CancelFunc
	work       sync.WaitGroup
	// plays counts the calls of play.
	plays atomic.Uint64
}

func (f *field) open() {
	f.lobby = lobbytest.Open(lobby.Config{Store: f.store, Seed: 1, BotPace: -1})
	f.ctx, f.stop = context.WithCancel(context.Background())
}

func (f *field) close() {
	f.stop()
	f.lobby.Close()
	f.work.Wait()
}

// play plays a seat with a random strategy.
func (f *field) play(seat *lobby.Seat) {
	seed := f.plays.Add(1)
	p := bot.Player{Seat: seat.Seat, Log: slog.New(slog.DiscardHandler), New: func() bots.Bot {
		b, err := bots.New("easy", bots.Config{Rules: match.Classic(), Rand: rand.New(rand.NewPCG(seed, 1))})
		if err != nil {
			panic(err)
		}
		return b
	}}
	p.Play(f.ctx)
}

// program lets a program play in the tournament until it is over.
func (f *field) program(p account.Player) {
	f.work.Go(func() {
		for f.ctx.Err() == nil {
			offer, err := f.lobby.Offers.AwaitTournamentMatch(p, f.tournament)
			if err != nil {
				return
			}
			select {
			case seat := <-offer.Seat():
				if seat == nil {
					return
				}
				f.play(seat)
			case <-f.ctx.Done():
			}
		}
	})
}

// person lets a person play in the lobby. The person starts with an unfinished match. On
// reaching match number `until`, counted from 1, person calls reached and does not play
// that match.
func (f *field) person(p account.Player, until int, reached func()) {
	m := f.lobby.Enter(p)
	f.work.Go(func() {
		defer m.Leave()
		if seat := f.lobby.Matches.FindUnfinished(p); seat != nil {
			f.play(seat)
		}
		for n := 1; ; n++ {
			select {
			case seat := <-m.Seats():
				if n == until {
					reached()
					<-f.ctx.Done()
					return
				}
				f.play(seat)
			case <-f.ctx.Done():
				return
			}
		}
	})
}

// await waits until the tournament has a state.
func (f *field) await(is func(*tournament.Tournament) bool) *tournament.Tournament {
	f.t.Helper()
	snapshots, stop := f.lobby.SubscribeSnapshots()
	defer stop()
	for {
		c, err := f.lobby.Tournaments.Find(f.t.Context(), f.tournament.Code)
		if err != nil {
			f.t.Fatal(err)
		}
		if is(c) {
			return c
		}
		select {
		case <-snapshots:
		case <-f.t.Context().Done():
			f.t.Fatal("the tournament does not get there")
		}
	}
}

func (f *field) newPerson(name string) account.Player {
	f.t.Helper()
	p, err := f.store.Accounts.CreatePerson(f.t.Context(), name, store.Key{Fingerprint: "SHA256:" + name})
	if err != nil {
		f.t.Fatal(err)
	}
	return account.PersonPlayer(p)
}

func (f *field) newProgram(owner account.Player, name string) account.Player {
	f.t.Helper()
	p, _, err := f.store.Programs.Register(f.t.Context(), owner.Account, name, 100)
	if err != nil {
		f.t.Fatal(err)
	}
	return account.ProgramPlayer(p)
}

func (f *field) join(by, p account.Player) {
	f.t.Helper()
	e := f.lobby.NewTournamentEntrant(f.t.Context(), p, f.tournament.Rules)
	if _, err := f.lobby.Tournaments.Join(f.t.Context(), f.tournament.Code, by, e); err != nil {
		f.t.Fatal(err)
	}
}

func (f *field) newTournament(owner account.Player, s tournament.Settings) {
	f.t.Helper()
	s.Name, s.Rules, s.RatingMode = "class", match.Classic(), lobby.Casual
	var err error
	if f.tournament, err = f.lobby.Tournaments.Create(f.t.Context(), owner, s); err != nil {
		f.t.Fatal(err)
	}
}

// TestSwissTournament plays a tournament of 12 programs and two people over seven rounds, with a restart
// of the server in round 3.
func TestSwissTournament(t *testing.T) {
	inBubble(t, func(t *testing.T, f *field, ann, bob account.Player) {
		people := []account.Player{ann, bob}
		f.newTournament(people[0], tournament.Settings{Format: tournament.Swiss, Rounds: 7})
		var programs []account.Player
		for i := range 12 {
			programs = append(programs, f.newProgram(people[i%2], fmt.Sprintf("program%c%c", 'a'+i/8, 'p'+i%8)))
			f.join(people[i%2], programs[i])
		}
		var reached sync.WaitGroup
		for _, p := range people {
			f.join(p, p)
			reached.Add(1)
			f.person(p, 3, reached.Done)
		}
		for _, p := range programs {
			f.program(p)
		}
		must.Get(f.lobby.Tournaments.Start(t.Context(), f.tournament.Code, people[0]))
		// Both players are in a match of round 3.
		reached.Wait()
		f.close()
		before := f.tournament
		f.open()
		c := f.await(func(*tournament.Tournament) bool { return true })
		if c.Round != 2 || c.Phase != tournament.Running || len(c.Entrants) != 14 {
			t.Fatalf("after the restart, the tournament is in round %d, %s, with %d entrants", c.Round, c.Phase, len(c.Entrants))
		}
		f.tournament = before
		for _, p := range people {
			f.person(p, 0, nil)
		}
		for _, p := range programs {
			f.program(p)
		}
		c = f.await(func(c *tournament.Tournament) bool { return c.Phase == tournament.Over })
		met := map[[2]int]bool{}
		for _, g := range c.Games {
			met[[2]int{min(g.First, g.Second), max(g.First, g.Second)}] = true
			if g.Ending != tournament.Played {
				t.Errorf("round %d: %v ended by %q", g.Round+1, g.Pair, g.Ending)
			}
		}
		if n := len(c.Entrants) / 2 * 7; len(met) != n || len(c.Games) != n {
			t.Errorf("%d different pairs and %d games, want %d", len(met), len(c.Games), n)
		}
		table := c.Table()
		for i := range table[1:] {
			if table[i].Points < table[i+1].Points {
				t.Errorf("the table is not in order: %v", table)
			}
		}
	})
}
