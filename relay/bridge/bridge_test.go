package bridge_test

import (
	"context"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/need"
	"broadside/internal/test/servers"
	"broadside/internal/test/storetest"
	"broadside/internal/test/testprogram"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/lobby/tournament"
	"broadside/match"
	"broadside/relay"
	"broadside/relay/bridge"
	"broadside/relay/client"
	"broadside/relay/program"
)

// patience is much longer than any step takes.
const patience = 3 * time.Minute

// server is a relay that can be restarted.
type server struct {
	t  *testing.T
	db *store.Store
	// lobby is replaced at each start.
	lobby *lobby.Lobby
	// address holds a string, which is replaced at each start.
	address atomic.Value
	stop    func(drain time.Duration)
}

func startRelay(t *testing.T) *server {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{Folder: storetest.NewFolder(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := &server{t: t, db: db}
	s.start()
	t.Cleanup(func() { s.stop(0) })
	return s
}

// start starts the relay, each time at another address, because another test may take one that is free for
// a moment.
func (s *server) start() {
	listener, err := servers.ListenLoopback()
	if err != nil {
		s.t.Fatal(err)
	}
	s.address.Store(listener.Addr().String())
	l := lobbytest.Open(lobby.Config{Store: s.db, BotPace: -1})
	s.lobby = l
	r := relay.New(relay.Config{Host: &session.Host{Lobby: l}, HelloDelay: time.Minute})
	var served sync.WaitGroup
	served.Go(func() { r.Serve(listener) })
	s.stop = func(drain time.Duration) {
		listener.Close()
		ctx, cancel := context.WithTimeout(context.Background(), drain)
		r.Drain(ctx)
		cancel()
		r.Shutdown(context.Background())
		l.Close()
		served.Wait()
	}
}

// dial connects to the relay.
func (s *server) dial(ctx context.Context) (io.ReadWriteCloser, error) {
	return (&net.Dialer{}).DialContext(ctx, "tcp", s.address.Load().(string))
}

// programConfig returns a configuration that runs the test binary as a program.
func programConfig(behaviour string) program.Config {
	return program.Config{Words: []string{os.Args[0]}, Env: []string{testprogram.FaultEnv(behaviour)}, Move: patience}
}

func runBridge(t *testing.T, cfg bridge.Config) (bridge.Result, []string, error) {
	t.Helper()
	var mu sync.Mutex
	var notices []string
	cfg.Notice = func(text string) {
		mu.Lock()
		defer mu.Unlock()
		notices = append(notices, text)
	}
	r, err := bridge.Run(t.Context(), cfg)
	return r, notices, err
}

// TestSeriesOfWellBehavedPrograms checks that programs of all kinds that obey the protocol play all games.
func TestSeriesOfWellBehavedPrograms(t *testing.T) {
	t.Parallel()
	s := startRelay(t)
	for _, behaviour := range []string{"none", "one game", "ends late", "uniform"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			cfg := bridge.Config{
				Dial: s.dial, Program: programConfig(behaviour), Parallel: 2,
				Series: client.Directives{Name: "it", Versus: "bot easy", Games: 7},
			}
			// This program sends directives, however busy the computer is.
			if behaviour == "uniform" {
				cfg.Program.Hello = patience
			}
			r, notices, err := runBridge(t, cfg)
			// This notice depends on how busy the computer is.
			notices = slices.DeleteFunc(notices, func(text string) bool { return text == "waiting for the bot easy" })
			if err != nil || r.Won+r.Lost != 7 || len(notices) > 0 {
				t.Errorf("Run = %+v, %v with notices %q, want all games and no notices", r, err, notices)
			}
		})
	}
}

// TestDirectivesAreAnswered checks that a program gets the answer to a directive before its first role.
func TestDirectivesAreAnswered(t *testing.T) {
	t.Parallel()
	words := []string{need.Tool(t, "sh"), "-c", `echo "% layout uniform"; read answer; echo "got $answer" >&2; exit 7`}
	_, _, err := runBridge(t, bridge.Config{
		Dial: startRelay(t).dial, Program: program.Config{Words: words, Hello: patience},
		Series: client.Directives{Versus: "bot easy"},
	})
	if err == nil || !strings.Contains(err.Error(), "exit status 7: got % ok layout") {
		t.Errorf("the program does not get its answer: %v", err)
	}
}

func TestProgramFailures(t *testing.T) {
	t.Parallel()
	s := startRelay(t)
	for _, c := range []struct {
		behaviour, want, notice string
		lost                    int
	}{
		{"crash", "the program failed 3 times in succession: crash: the program ended during the game: exit status 3: no fuel", "no fuel", 3},
		{"hang", "", "the program failed: hang: the program did not respond in time", 1},
		{"off the board", "the program failed 3 times in succession", "off the board", 3},
		{"greets with text", `garbage: the program sent "welcome to my program": `, "", 0},
		{"mute", "the program does not play: hang: the program did not respond in time", "", 1},
		{"missing", "the program does not play: start: cannot start the program", "", 0},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			t.Parallel()
			cfg := bridge.Config{
				Dial: s.dial, Program: programConfig(c.behaviour), Series: client.Directives{Versus: "bot easy", Games: 9},
			}
			switch c.behaviour {
			// The program's only game counts as lost.
			case "hang":
				cfg.Series.Games, cfg.Program.Move = 1, time.Second
			case "mute":
				cfg.Program.Move = time.Second
			case "greets with text":
				cfg.Program.Hello = patience
			case "missing":
				cfg.Program.Words = []string{"/no/such/program"}
			}
			r, notices, err := runBridge(t, cfg)
			for c.behaviour == "hang" && err != nil && cfg.Program.Move < patience {
				// The computer was too busy for the program's first shot.
				cfg.Program.Move *= 2
				r, notices, err = runBridge(t, cfg)
			}
			if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) || r.Won != 0 || r.Lost != c.lost {
				t.Errorf("%+v, %v, want %d lost games and %q; %q", r, err, c.lost, c.want, notices)
			}
			if (len(notices) > 0) != (c.notice != "") || !strings.Contains(strings.Join(notices, "\n"), c.notice) {
				t.Errorf("the notices are %q, want %q", notices, c.notice)
			}
		})
	}
}

// TestRefusalsEndBridge checks that Run returns an error if the relay refuses the program or does not
// exist.
func TestRefusalsEndBridge(t *testing.T) {
	t.Parallel()
	s := startRelay(t)
	for _, c := range []struct {
		name string
		cfg  bridge.Config
		want string
	}{
		{"bot", bridge.Config{Series: client.Directives{Versus: "bot nobody"}}, "the server says: "},
		{"rules", bridge.Config{Series: client.Directives{Rules: "chess"}}, "the server says: "},
		{"token", bridge.Config{Series: client.Directives{Token: "bs_x"}}, "the server says: "},
		// The server has no ladder.
		{"ladder", bridge.Config{Series: client.Directives{Ladder: true}}, "the server says: "},
		{"relay", bridge.Config{Dial: func(ctx context.Context) (io.ReadWriteCloser, error) {
			return (&net.Dialer{}).DialContext(ctx, "tcp", "127.0.0.1:1")
		}}, "refused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.cfg.Program, c.cfg.Series.Games = programConfig("none"), 3
			if c.cfg.Dial == nil {
				c.cfg.Dial = s.dial
			}
			if r, _, err := runBridge(t, c.cfg); err == nil || !strings.Contains(err.Error(), c.want) || r != (bridge.Result{}) {
				t.Errorf("Run = %+v, %v, want no games and an error with %q", r, err, c.want)
			}
		})
	}
}

// register creates an account and registers a program, whose token it returns.
func (s *server) register(name string) (owner, program store.Player, token string) {
	s.t.Helper()
	owner, err := s.db.Accounts.CreatePerson(s.t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"})
	if err == nil {
		program, token, err = s.db.Programs.Register(s.t.Context(), owner.ID, name, 4)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return owner, program, token
}

// TestTournament checks that a program plays in a tournament until it is over, and not again after that.
func TestTournament(t *testing.T) {
	t.Parallel()
	s := startRelay(t)
	ann, registered, token := s.register("crew")
	owner, tournaments := account.PersonPlayer(ann), s.lobby.Tournaments
	c, err := tournaments.Create(t.Context(), owner, tournament.Settings{
		Name: "class", Format: tournament.Swiss, Rules: match.Classic().WithClock(time.Minute), RatingMode: lobby.Casual,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []account.Player{account.ProgramPlayer(registered), s.lobby.Accounts.BotPlayer("easy")} {
		if _, err := tournaments.Join(t.Context(), c.Code, owner, s.lobby.NewTournamentEntrant(t.Context(), p, c.Rules)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tournaments.Start(t.Context(), c.Code, owner); err != nil {
		t.Fatal(err)
	}
	cfg := bridge.Config{
		Dial: s.dial, Program: programConfig("none"), Series: client.Directives{Token: token, Versus: "tournament " + c.Code},
	}
	r, notices, err := runBridge(t, cfg)
	if err != nil || r.Won+r.Lost != 1 || !r.TournamentOver || len(notices) > 0 {
		t.Errorf("Run = %+v, %v with notices %q, want all games and no notices", r, err, notices)
	}
	if _, _, err := runBridge(t, cfg); err == nil || err.Error() != "the server says: the tournament is over" {
		t.Errorf("Run after the tournament = %v", err)
	}
}

// TestRestarts plays 30 games of a Prolog program while the relay is restarted twice: once after the running
// games have ended, and once immediately. Server and client must count the same games, except one on each
// connection that ends at the moment of the second restart. Its program does not learn of the end and plays
// another game.
func TestRestarts(t *testing.T) {
	t.Parallel()
	swipl := need.Tool(t, "swipl")
	s := startRelay(t)
	_, registered, token := s.register("ten")
	games := func() (won, lost int) {
		all, err := s.db.Matches.ListByPlayer(t.Context(), registered.ID, store.Cursor{}, 500)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range all {
			switch {
			case g.Winner == match.Nobody:
			case g.Seats[g.Winner].Player == registered.ID:
				won++
			default:
				lost++
			}
		}
		return won, lost
	}
	ended := make(chan struct{})
	var r bridge.Result
	var notices []string
	var err error
	go func() {
		defer close(ended)
		r, notices, err = runBridge(t, bridge.Config{
			Dial: s.dial, Program: program.Config{Words: []string{swipl, "-g", "main", "-t", "halt", "testdata/ten.pl"}, Move: patience},
			Series: client.Directives{Token: token, Versus: "bot easy", Games: 30}, Parallel: 2,
		})
	}()
	for restart, drain := range []time.Duration{patience, 0} {
		for {
			won, lost := games()
			if won+lost >= 7*(restart+1) {
				break
			}
			select {
			case <-ended:
				t.Fatalf("it ended: %+v, %v, %q", r, err, notices)
			case <-time.After(10 * time.Millisecond):
			}
		}
		s.stop(drain)
		if won, lost := games(); won+lost >= 30 {
			t.Errorf("%d games were played before restart %d, want fewer than 30", won+lost, restart+1)
		}
		s.start()
	}
	<-ended
	won, lost := games()
	if untold := won + lost - 30; err != nil || r.Won+r.Lost != 30 || won < r.Won || lost < r.Lost || untold > 2 {
		t.Errorf("%+v, %v; the server has counted %d won and %d lost games; %q", r, err, won, lost, notices)
	}
}
