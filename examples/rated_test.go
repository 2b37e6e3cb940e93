package examples_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/relay"
)

// TestExamplesPlayRatedSeries checks that clients with a registered program's token leave their fleets to the
// server and play rated matches.
func TestExamplesPlayRatedSeries(t *testing.T) {
	db, err := store.Open(t.Context(), store.Config{Folder: storetest.NewFolder(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ann, err := db.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"})
	if err != nil {
		t.Fatal(err)
	}
	l := lobbytest.Open(lobby.Config{Store: db})
	defer l.Close()
	server := relay.New(relay.Config{Host: &session.Host{Lobby: l}, HelloDelay: time.Minute})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer func() {
		listener.Close()
		if err := server.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		<-served
	}()
	all := listWords(t)
	for name := range all {
		program, token, err := db.Programs.Register(t.Context(), ann.ID, "my-"+name, 4)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		cmd := exec.CommandContext(ctx, all[name][0], append(append([]string{}, all[name][1:]...), listener.Addr().String(), "2", "classic", "bot easy")...)
		cmd.Env = append(os.Environ(), "BROADSIDE_TOKEN="+token)
		out, err := cmd.CombinedOutput()
		cancel()
		if err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
		games, err := db.Matches.ListByPlayer(t.Context(), program.ID, store.Cursor{}, 9)
		if err != nil || len(games) != 2 {
			t.Errorf("%s played %d games, %v: %s", name, len(games), err, out)
		}
		for _, g := range games {
			if !g.Rated || g.Reason != match.FleetSunk {
				t.Errorf("%s: rated = %v: %v", name, g.Rated, g.Reason)
			}
		}
	}
}
