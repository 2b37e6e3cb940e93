package relay_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/relay"
	"broadside/relay/client"
)

// TestToken checks that a client with a token plays rated as its program, and that nobody
// else can use a registered name.
func TestToken(t *testing.T) {
	s, err := store.Open(t.Context(), store.Config{Folder: storetest.Folder(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	ann, err := s.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"})
	if err != nil {
		t.Fatal(err)
	}
	squid, secret, err := s.Programs.Register(t.Context(), ann.ID, "squid", 1)
	if err != nil {
		t.Fatal(err)
	}
	banned := false
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute, AdmitOwner: func(_ context.Context, account string) error {
		if account != ann.ID {
			t.Errorf("asked about %q", account)
		}
		if banned {
			return errors.New("you are banned")
		}
		return nil
	}}, lobby.Config{Store: s})
	c := dial(t, address)
	for _, d := range []struct{ say, hear string }{
		{"% hello broadside/1 name=SQUID", "% error name " + account.ErrProgramName.Error() + "\n"},
		{"% hello broadside/1 name=ann", "% error name " + account.ErrProgramName.Error() + "\n"},
		{"% hello broadside/1 name=adm1ral", "% error name " + account.ErrNameReserved.Error() + "\n"},
		{"% token", "% error token say token and the secret that ssh HOST token new NAME has shown\n"},
		{"% token " + secret + "x", "% error token " + account.ErrToken.Error() + "\n"},
		{"% hello broadside/1 name=kraken", "% ok hello\n"},
		{"% token " + secret, "% ok token squid\n"},
		{"% hello broadside/1 name=kraken", "% ok hello\n"},
		{"% layout uniform", "% ok layout\n"},
		{"% vs bot easy", "% ok vs bot easy\n(4,[]).\n% opponent easy - rated\n(5,[]).\n"},
	} {
		c.say(d.say)
		c.hear(d.hear)
	}
	for n := 0; ; n++ {
		c.say(client.Message{Op: client.Attack, Cell: match.At(n%10, n/10%10)}.String())
		l, err := c.line()
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(l, ",4]).") || strings.HasPrefix(l, "% result") { // it has won, or lost before
			break
		}
		if l, _ = c.line(); strings.HasPrefix(l, "% result") || n > 100 {
			break
		}
	}
	io.ReadAll(c.nc)
	games, err := s.Matches.Of(t.Context(), squid.ID, store.Cursor{}, 2)
	if err != nil || len(games) != 1 || !games[0].Rated || games[0].Seats[1].Name != "squid" || games[0].Seats[1].Kind != store.Program {
		t.Fatalf("its games are %+v, %v", games, err)
	}
	board, err := s.Ratings.Leaderboard(t.Context(), store.Machines, "classic", time.Now(), 5)
	if err != nil || len(board) != 5 || board[0].Name != "admiral" { // squid has played only once and is not listed
		t.Errorf("the leaderboard of bots is %+v, %v", board, err)
	}

	second := dial(t, address)
	second.say("% token " + secret + "\n% layout uniform\n% vs bot easy")
	second.hear("% ok token squid\n% ok layout\n% ok vs bot easy\n(4,[]).\n")
	if l, _ := second.line(); !regexp.MustCompile(`^% opponent easy \d+ rated$`).MatchString(l) {
		t.Errorf("the line about the opponent is %q", l)
	}
	banned = true
	third := dial(t, address)
	third.say("% token " + secret)
	third.hear("% error token you are banned\n")
}

// TestManyRatedMatchesOfOneProgram checks that a program with many connections does not start more
// rated matches than it may abort, and that a further connection waits until one of them counts.
func TestManyRatedMatchesOfOneProgram(t *testing.T) {
	s, tokens := registered(t, "squid")
	address, l := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Store: s})
	hello, ok := "% token "+tokens["squid"]+"\n% layout uniform\n% vs bot easy", "% ok token squid\n% ok layout\n% ok vs bot easy\n"
	const begun = "(4,[]).\n% opponent easy - rated\n(5,[]).\n"
	var clients []*testClient
	for range 4 {
		c := dial(t, address)
		c.say(hello)
		c.hear(ok + begun)
		clients = append(clients, c)
	}
	fifth := dial(t, address)
	fifth.say(hello)
	fifth.hear(ok)
	if n := l.Matches.Running(); n != 4 {
		t.Errorf("%d matches are running, want 4", n)
	}
	for n := range match.CountingShots {
		clients[0].say(client.Message{Op: client.Attack, Cell: match.At(n, 0)}.String())
		for range 2 { // the result, and the bot's shot
			if _, err := clients[0].line(); err != nil {
				t.Fatal(err)
			}
		}
	}
	fifth.hear(begun)
}

// TestTokensAreNotLogged checks that a token in an invalid line does not appear in the log.
func TestTokensAreNotLogged(t *testing.T) {
	var log bytes.Buffer
	s, address, _ := open(t, relay.Config{HelloDelay: time.Minute, Log: slog.New(slog.NewTextHandler(&log, nil))}, lobby.Config{})
	for _, line := range []string{"token bs_0123456789ab0123456789ab", " % token bs_0123456789ab0123456789ab"} {
		c := dial(t, address)
		c.say(line)
		if rest, err := io.ReadAll(c.nc); err != nil || len(rest) > 0 {
			t.Errorf("%q is answered %q, %v", line, rest, err)
		}
		c.nc.Close()
	}
	if err := s.Shutdown(t.Context()); err != nil { // nothing is logged after that
		t.Error(err)
	}
	if text := log.String(); strings.Contains(text, "0123456789ab") || strings.Count(text, "token bs_...") != 2 {
		t.Errorf("the log says\n%s", text)
	}
}
